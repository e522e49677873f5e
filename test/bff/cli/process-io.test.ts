// The commands as processes, while another process has the store open.

import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';

const main = fileURLToPath(new URL('../../../bff/main.ts', import.meta.url));
/** Starting a process is slow while other tests run. */
vi.setConfig({ testTimeout: 30_000 });

let folder: string;
let url: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  url = `file:${join(folder, 'store.db')}`;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Every write fails, like on a full disk. */
const full = '/dev/full';

describe('a command', () => {
  it('prints to standard output while a BFF owns the store', async () => {
    const store = await openStore(url, { isOwner: true });
    const { code, out, err } = await start('status', '--json');
    await store.close();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ environment: 'sandbox', alarms: [] });
  });

  it('creates a store only with check --new-store', async () => {
    const status = await start('status');
    expect(status.code).toBe(1);
    expect(status.err).toContain('DATABASE_URL points to no existing store (STORE_NEW): ');
    const dry = await start('check');
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('store         none yet; the first start creates it: ');
    expect(readdirSync(folder)).toEqual([]);
    const { code, out } = await start('check', '--new-store');
    expect(code).toBe(0);
    expect(out).toContain('received      0 applications since then');
    expect(readdirSync(folder)).toEqual(['store.db']);
  });

  it.each(['=', ' '])('reads the file of --dotenv after "%s"', async (separator) => {
    const file = join(folder, 'bff.env');
    writeFileSync(file, 'BFF_PORT=many');
    const { code, err } = await start(...`--dotenv${separator}${file}`.split(' '), 'status');
    expect(code).toBe(1);
    expect(err).toContain('BFF_PORT');
  });

  it('refuses --dotenv without a path', async () => {
    const { code, err } = await start('status', '--dotenv');
    expect(code).toBe(1);
    expect(err).toBe('--dotenv names no readable file: . Correct the path.\n');
  });

  it('refuses a store of an earlier version', async () => {
    await (await openStore(url)).close();
    const file = new DatabaseSync(join(folder, 'store.db'));
    file.exec('update schema_version set version = 0');
    file.close();
    const { code, out, err } = await start('status');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('DATABASE_URL points to a store of an earlier version (STORE_BEHIND).');
  });

  it('opens a backup only after check --accept-missing-log', async () => {
    const running = join(folder, 'running.db');
    const store = await openStore(`file:${running}`, { isOwner: true });
    copyFileSync(running, join(folder, 'store.db'));
    await store.close();
    for (const argv of [['status'], ['check']]) {
      const refused = await start(...argv);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('write-ahead log is missing (STORE_LOG_MISSING): ');
    }
    expect(await start('check', '--accept-missing-log')).toMatchObject({ code: 0, err: '' });
    expect(await start('status')).toMatchObject({ code: 0, err: '' });
  });

  it('refuses --accept-missing-log while a BFF runs', async () => {
    const store = await openStore(url, { isOwner: true });
    const { code, err } = await start('check', '--accept-missing-log');
    await store.close();
    expect(code).toBe(1);
    expect(err).toContain(
      'DATABASE_URL points to a file that another BFF process uses (STORE_IN_USE).',
    );
  });

  it('prints usage errors to standard error', async () => {
    const { code, out, err } = await start('show');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      '<reference> is missing.\n\nUsage: bff show <reference> [--consents] [--json]\n',
    );
  });

  it('exits silently if the reader has closed the pipe', async () => {
    await (await openStore(url)).close();
    const { child, ended } = launch('pipe', 'status');
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, out: '', err: '' });
  });

  it.skipIf(!existsSync(full))('reports that the output could not be written', async () => {
    const file = openSync(full, 'w');
    const { ended } = launch(file, '--help');
    const { code, err } = await ended;
    closeSync(file);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The output could not be written (ENOSPC). The command may have succeeded.\n',
    });
  });
});

describePostgres('a command on PostgreSQL', () => {
  it('works like on a file', async () => {
    url = await createTestDatabaseUrl();
    const dry = await start('check', '--json');
    expect(JSON.parse(dry.out)).toMatchObject({ engine: 'postgresql', store: null });
    expect((await start('status')).err).toContain(
      'DATABASE_URL points to no existing store (STORE_NEW)',
    );
    const { code, out, err } = await start('check', '--new-store', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      engine: 'postgresql',
      store: { applicationsReceived: 0 },
      applications: 0,
    });
    expect(await start('status')).toMatchObject({ code: 0, err: '' });
    expect(await start('keys', 'rotate')).toMatchObject({ code: 0, err: '' });
  });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(...argv: string[]): Promise<Ended> {
  return launch('pipe', ...argv).ended;
}

/** @param stdout `pipe`, or the descriptor of an open file. */
function launch(stdout: 'pipe' | number, ...argv: string[]) {
  const env = { FUNDING_ENVIRONMENT: 'sandbox', WIDGET_FOLDER: 'none', DATABASE_URL: url };
  const child = spawn(process.execPath, [main, ...argv], { env, stdio: ['pipe', stdout, 'pipe'] });
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}
