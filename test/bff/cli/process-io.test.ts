// The commands of the built BFF as processes, while another process has the store open.

import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { createCliRig, first } from './cli-rig.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../../dist/bff/main.js');
/** Every write fails, like on a full disk. */
const full = '/dev/full';

let folder: string;
let variables: Readonly<Record<string, string>>;

beforeEach(() => {
  folder = createFolder();
  variables = { DATABASE_URL: `file:${join(folder, 'store.db')}` };
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** @param stdout `pipe`, or the descriptor of an open file. */
function launch(stdout: 'pipe' | number, ...argv: string[]) {
  const env = { FUNDING_ENVIRONMENT: 'sandbox', WIDGET_FOLDER: 'none', ...variables };
  const child = spawn(process.execPath, [main, ...argv], { env, stdio: ['pipe', stdout, 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  child.once('close', (code) => resolve({ code, out, err }));
  return { child, ended };
}

const run = (line: string) => launch('pipe', ...line.split(' ')).ended;
const openOwned = () => openStore(variables['DATABASE_URL']!, { isOwner: true });

describe('a command', () => {
  it('works while a BFF owns the store, unless it changes the file', async () => {
    const store = await openOwned();
    const status = await run('status --json');
    const check = await run('check --accept-missing-log');
    await store.close();
    expect(status).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(status.out)).toMatchObject({ environment: 'sandbox', alarms: [] });
    expect(check).toMatchObject({ code: 1 });
    expect(check.err).toContain('a file that another BFF process uses (STORE_IN_USE).');
  });

  it('creates a store only with check --new-store', async () => {
    const status = await run('status');
    expect(status).toMatchObject({ code: 1 });
    expect(status.err).toContain('DATABASE_URL points to no existing store (STORE_NEW): ');
    const dry = await run('check');
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('store         none yet; the first start creates it: ');
    expect(readdirSync(folder)).toEqual([]);
    const check = await run('check --new-store');
    expect(check.out).toContain('received      0 applications since then');
    expect(readdirSync(folder)).toEqual(['store.db']);
  });

  it.each([
    ['--dotenv=FILE status', 'BFF_PORT'],
    ['--dotenv FILE status', 'BFF_PORT'],
    ['status --dotenv', '--dotenv names no readable file: . Correct the path.\n'],
  ])('reads the file of %s', async (line, text) => {
    const file = join(folder, 'bff.env');
    writeFileSync(file, 'BFF_PORT=many');
    const ended = await run(line.replace('FILE', file));
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.err).toContain(text);
  });

  it('opens a backup only after check --accept-missing-log', async () => {
    const running = join(folder, 'running.db');
    const store = await openStore(`file:${running}`, { isOwner: true });
    copyFileSync(running, join(folder, 'store.db'));
    await store.close();
    for (const line of ['status', 'check']) {
      const { err } = await run(line);
      expect(err).toContain('write-ahead log is missing (STORE_LOG_MISSING): ');
    }
    expect(await run('check --accept-missing-log')).toMatchObject({ code: 0, err: '' });
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
  });

  it('exits silently if the reader has closed the pipe', async () => {
    await (await openOwned()).close();
    const { child, ended } = launch('pipe', 'status');
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, out: '', err: '' });
  });

  it.skipIf(!existsSync(full))('reports that the output could not be written', async () => {
    const file = openSync(full, 'w');
    const ended = await launch(file, '--help').ended;
    closeSync(file);
    expect(ended).toMatchObject({
      code: 1,
      err: 'The output could not be written (ENOSPC). The command may have succeeded.\n',
    });
  });

  it('asks the funding service over the network', async () => {
    const service = await startSandboxServer();
    onTestFinished(() => service.close());
    const rig = await createCliRig(variables['DATABASE_URL']);
    await rig.add();
    await rig.recordResult({ state: 'unconfirmed' });
    variables = { ...variables, ...service.variables, DATA_KEYS: rig.variables['DATA_KEYS']! };
    expect(await run(`resolve ${first} 0060000000000000AA`)).toEqual({
      code: 1,
      out: '',
      err: `The funding service does not have ${first} under 0060000000000000AA. Nothing was changed. Check the ApplicationID.\n`,
    });
  });
});

describePostgres('a command on PostgreSQL', () => {
  it('works like on a file', async () => {
    variables = { DATABASE_URL: await createTestDatabaseUrl() };
    const dry = await run('check --json');
    expect(JSON.parse(dry.out)).toMatchObject({ engine: 'postgresql', store: null });
    expect((await run('status')).err).toContain(
      'DATABASE_URL points to no existing store (STORE_NEW)',
    );
    const check = await run('check --new-store --json');
    expect(check).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(check.out)).toMatchObject({
      engine: 'postgresql',
      store: { applicationsReceived: 0 },
      applications: 0,
    });
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
    expect(await run('keys rotate')).toMatchObject({ code: 0, err: '' });
  });
});
