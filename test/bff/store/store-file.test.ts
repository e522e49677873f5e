// Opening an SQLite store: missing files, wrong files, and a missing write-ahead log.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { describeIdentity } from './contract/identity.ts';
import { createNewApplication, createSession } from './contract/rows.ts';

const owner = fileURLToPath(new URL('store-owner.ts', import.meta.url));
const logMissing = { code: 'STORE_LOG_MISSING' };

let folder: string;
let path: string;
let url: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  path = join(folder, 'store.db');
  url = `file:${path}`;
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('opening a store on SQLite', () => {
  describeIdentity(() => url);
});

describe('a path without a store', () => {
  it.each([
    ['a missing file', () => undefined],
    ['an empty file', () => writeFileSync(path, '')],
  ])('is not changed when the store may not be created: %s', async (_name, prepare) => {
    prepare();
    const before = readdirSync(folder);
    for (const isOwner of [true, false]) {
      const opening = openStore(url, { mayCreate: false, isOwner });
      await expect(opening).rejects.toMatchObject({ code: 'STORE_NEW' });
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it('creates no folders when the store may not be created', async () => {
    const opening = openStore(`file:${join(folder, 'disk', 'store.db')}`, { mayCreate: false });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_NEW' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused when it is a folder', async () => {
    mkdirSync(path);
    await expect(openStore(url)).rejects.toMatchObject({ code: 'STORE_NOT_A_FILE' });
    expect(readdirSync(folder)).toEqual(['store.db']);
  });

  it('is refused when it is the database of another program', async () => {
    const foreign = new DatabaseSync(path);
    foreign.exec('create table customer (id text)');
    foreign.close();
    await expect(openStore(url)).rejects.toMatchObject({ code: 'STORE_FOREIGN' });
    const after = new DatabaseSync(path);
    expect(after.prepare('select name from sqlite_master').all()).toEqual([{ name: 'customer' }]);
    after.close();
  });
});

describe('a store whose owner was killed', { timeout: 30_000 }, () => {
  beforeEach(() => runOwner(url, 's1', 'kill'));

  it('opens with every commit', async () => {
    const store = await openStore(url, { isOwner: true });
    expect(await store.findSession('s1')).toBeDefined();
    await store.close();
  });

  it('is refused without its log', async () => {
    rmSync(`${path}-wal`);
    for (const isOwner of [true, false]) {
      await expect(openStore(url, { isOwner })).rejects.toMatchObject(logMissing);
    }
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('is refused under another path without its log', async () => {
    const copy = join(folder, 'copy.db');
    cpSync(path, copy);
    await expect(openStore(`file:${copy}`)).rejects.toMatchObject(logMissing);
  });

  it('is refused without its log when the main file is incomplete', async () => {
    rmSync(`${path}-wal`);
    truncateSync(path, 4096);
    await expect(openStore(url, { isOwner: true })).rejects.toMatchObject(logMissing);
  });

  it('opens without its log when an owner accepts that', async () => {
    rmSync(`${path}-wal`);
    const accepting = await openStore(url, { isOwner: true, acceptsMissingLog: true });
    expect(await accepting.findSession('s1')).toBeUndefined();
    await accepting.close();
    await (await openStore(url, { isOwner: true })).close();
  });

  it('opens after a command removed its log', async () => {
    const command = await openStore(url);
    await command.close();
    const store = await openStore(url, { isOwner: true });
    expect(await store.findSession('s1')).toBeDefined();
    await store.close();
  });

  it('opens after a refused opening removed its log', async () => {
    const storeId = '0199c0de-0000-4000-8000-00000000000a';
    const refused = openStore(url, { isOwner: true, storeId });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_OTHER' });
    const store = await openStore(url, { isOwner: true });
    expect(await store.findSession('s1')).toBeDefined();
    await store.close();
  });

  it('is refused when pages of the main file are missing', async () => {
    const store = await openStore(url, { isOwner: true });
    for (let number = 0; number < 50; number += 1) {
      const session = createSession(`n${number}`, 'x'.repeat(4000));
      const own = { id: `a${number}`, session, idempotencyKey: `k${number}` };
      await store.addApplication(createNewApplication(own), []);
    }
    await store.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4096), 0, 4096, statSync(path).size - 40 * 4096);
    closeSync(file);
    const opening = openStore(url, { isOwner: true, acceptsMissingLog: true });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  });

  it('needs its log again after the next kill', async () => {
    await (await openStore(url, { isOwner: true })).close();
    await runOwner(url, 's2', 'kill');
    rmSync(`${path}-wal`);
    await expect(openStore(url)).rejects.toMatchObject(logMissing);
  });
});

describe('a store whose owner closed it', { timeout: 30_000 }, () => {
  it('needs no log', async () => {
    const first = await openStore(url, { isOwner: true });
    await first.addApplication(createNewApplication(), []);
    await first.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const second = await openStore(url, { isOwner: true });
    expect(await second.findSession('s1')).toBeDefined();
    await second.close();
  });

  it('needs no log when the process exited without closing it', async () => {
    await runOwner(url, 's1', 'end');
    expect(existsSync(`${path}-wal`)).toBe(false);
    const store = await openStore(url, { isOwner: true });
    expect(await store.findSession('s1')).toBeDefined();
    await store.close();
  });

  it('needs no log while another program still reads it', async () => {
    const store = await openStore(url, { isOwner: true });
    const reader = new DatabaseSync(path);
    reader.exec('begin');
    reader.prepare('select * from session').all();
    await store.addApplication(createNewApplication(), []);
    await store.close();
    reader.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const next = await openStore(url, { isOwner: true });
    expect(await next.findSession('s1')).toBeDefined();
    await next.close();
  });
});

describe('an open store', () => {
  it('produces backups that an owner must accept', async () => {
    const backup = join(folder, 'backup.db');
    const store = await openStore(url, { isOwner: true });
    await store.addApplication(createNewApplication(), []);
    const copier = new DatabaseSync(path, { readOnly: true });
    copier.exec(`vacuum into '${backup}'`);
    copier.close();
    await store.close();
    await expect(openStore(`file:${backup}`)).rejects.toMatchObject(logMissing);
    const options = { isOwner: true, acceptsMissingLog: true };
    const restored = await openStore(`file:${backup}`, options);
    expect(await restored.findSession('s1')).toBeDefined();
    await restored.close();
    await (await openStore(`file:${backup}`)).close();
  });

  it('keeps its log when a command closes the store', async () => {
    const store = await openStore(url, { isOwner: true });
    const { ino } = statSync(`${path}-wal`);
    await (await openStore(url)).close();
    expect(statSync(`${path}-wal`).ino).toBe(ino);
    await store.close();
  });
});

/** Runs an owner in its own process until it has committed. */
async function runOwner(
  storeUrl: string,
  sessionId: string,
  ending: 'kill' | 'end',
): Promise<void> {
  const child = spawn(process.execPath, [owner, storeUrl, sessionId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  if (ending === 'kill') child.kill('SIGKILL');
  else child.stdin.end();
  await once(child, 'close');
}
