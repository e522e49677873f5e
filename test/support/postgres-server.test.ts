// The PostgreSQL that tests trust: it writes to the disk, comes back after a crash, and never stays behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPostgres } from '../../scripts/postgres.mjs';
import { startPostgres } from './postgres-server.ts';
import { createTestDatabaseUrl, describePostgres } from './postgres.ts';

describePostgres('the PostgreSQL of the tests', () => {
  it('answers a commit only once it is on the disk', async () => {
    const client = await connect(await createTestDatabaseUrl());
    expect(await ask(client, 'show fsync')).toBe('on');
    expect(await ask(client, 'show synchronous_commit')).toBe('on');
    expect(await ask(client, 'show full_page_writes')).toBe('on');
  });

  it('gives each test a schema of its own', async () => {
    const one = await connect(await createTestDatabaseUrl());
    const other = await connect(await createTestDatabaseUrl());
    await one.query('create table given (id int)');
    expect(await ask(one, `select to_regclass('given')::text`)).toBe('given');
    expect(await ask(other, `select to_regclass('given')::text`)).toBeNull();
  });
});

// A start takes about a second, and many seconds where other tests keep the disk busy.
const timeoutMs = 30_000;

// Only where the programs are: a given server is not ours to kill.
const describeServer = findPostgres() ? describe : describe.skip;

describeServer('a PostgreSQL of one’s own', { timeout: timeoutMs }, () => {
  it('has what was committed when it comes back after a crash', async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const before = await connect(server.url);
    await before.query('create table given as select 7 as id');

    await server.crash();
    await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    await server.start();
    expect(await ask(await connect(server.url), 'select id from given')).toBe(7);
  });

  it('is gone, with its folder, once it is stopped', async () => {
    const server = await startPostgres();
    const folder = await findDataFolder(server.url);
    await server.stop();
    expect(existsSync(folder)).toBe(false);
    await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('does not outlive a process that was killed', async () => {
    const module = new URL('postgres-server.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then(async (m) => console.log((await m.startPostgres()).url))`;
    const owner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(owner.stdout), 'line')) as [string];
    const folder = await findDataFolder(url);

    owner.kill('SIGKILL');

    await expect.poll(() => existsSync(folder), { timeout: timeoutMs }).toBe(false);
    await expect(connect(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

/** Closed when the test has ended. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Servers are killed here; without a listener that would end the process.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The one value of the one row. */
async function ask(client: Client, sql: string): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
  return rows[0]?.[0];
}

async function findDataFolder(url: string): Promise<string> {
  return String(await ask(await connect(url), 'show data_directory'));
}
