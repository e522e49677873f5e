import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { startPostgres } from './postgres-server.ts';
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

// A start takes about a second, or many seconds while other tests use the disk.

// Requires the programs: these tests kill the server, so they must not use the server of TEST_POSTGRES_URL.
const describeServer = readTestTools().postgres ? describe : describe.skip;

describeServer('startPostgres', () => {
  it('a server has the committed data after a crash', async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const before = await connect(server.url);
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await ask(before, `show ${setting}`)).toBe('on');
    }
    await before.query('create table example as select 7 as id');

    await server.crash();
    await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    await server.start();
    expect(await ask(await connect(server.url), 'select id from example')).toBe(7);
  });

  it('a stopped server leaves no folder', async () => {
    const server = await startPostgres();
    const folder = await findDataFolder(server.url);
    await server.stop();
    expect(existsSync(folder)).toBe(false);
    await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

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
