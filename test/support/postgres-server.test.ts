import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { createTestDatabaseUrl, describePostgres } from './postgres.ts';

describePostgres('createTestDatabaseUrl', () => {
  it('a server gives each test its own schema', async () => {
    const one = await connect(await createTestDatabaseUrl());
    const other = await connect(await createTestDatabaseUrl());
    await one.query('create table example (id int)');
    expect(await ask(one, `select to_regclass('example')::text`)).toBe('example');
    expect(await ask(other, `select to_regclass('example')::text`)).toBeNull();
  });
});

// Requires the programs: this test ends its server, so it must not use the server of TEST_POSTGRES_URL.
const describeServer = readTestTools().postgres ? describe : describe.skip;

describeServer('startPostgres', () => {
  it('a server ends when its parent is killed', async () => {
    const module = new URL('postgres-server.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then(async (m) => console.log((await m.startPostgres()).url))`;
    const owner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(owner.stdout), 'line')) as [string];
    const folder = await findDataFolder(url);

    owner.kill('SIGKILL');

    await expect.poll(() => existsSync(folder)).toBe(false);
    await expect(connect(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

/** The connection closes at the end of the current test. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The tests kill servers. Without a listener, the error would end this process.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Returns the value of a result with one row and one column. */
async function ask(client: Client, sql: string): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
  return rows[0]?.[0];
}

async function findDataFolder(url: string): Promise<string> {
  return String(await ask(await connect(url), 'show data_directory'));
}
