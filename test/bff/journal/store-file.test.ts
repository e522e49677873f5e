// What opening an SQLite store does about a missing file, a wrong file, and a missing write-ahead log.

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
import { openJournal } from '../../../bff/journal/open-journal.ts';
import { describeIdentity } from './contract/identity.ts';

const owner = fileURLToPath(new URL('store-owner.ts', import.meta.url));
const logMissing = { code: 'JOURNAL_LOG_MISSING' };

let folder: string;
let path: string;
let url: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  path = join(folder, 'store.db');
  url = `file:${path}`;
});

afterEach(() => rmSync(folder, { recursive: true }));

describeIdentity('SQLite', async () => url);

describe('a path without a store', () => {
  it.each([
    ['a missing file', () => undefined],
    ['an empty file', () => writeFileSync(path, '')],
  ])('is left as it is when the store may not be created: %s', async (_what, prepare) => {
    prepare();
    const before = readdirSync(folder);
    for (const isOwner of [true, false]) {
      const opening = openJournal(url, { mayCreate: false, isOwner });
      await expect(opening).rejects.toMatchObject({ code: 'JOURNAL_NEW' });
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it('gets no folders when the store may not be created', async () => {
    const opening = openJournal(`file:${join(folder, 'disk', 'store.db')}`, { mayCreate: false });
    await expect(opening).rejects.toMatchObject({ code: 'JOURNAL_NEW' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused when it is a folder', async () => {
    mkdirSync(path);
    await expect(openJournal(url)).rejects.toMatchObject({ code: 'JOURNAL_NOT_A_FILE' });
    expect(readdirSync(folder)).toEqual(['store.db']);
  });

  it('is refused when it is the database of another program', async () => {
    const foreign = new DatabaseSync(path);
    foreign.exec('create table customer (id text)');
    foreign.close();
    await expect(openJournal(url)).rejects.toMatchObject({ code: 'JOURNAL_FOREIGN' });
    const after = new DatabaseSync(path);
    expect(after.prepare('select name from sqlite_master').all()).toEqual([{ name: 'customer' }]);
    after.close();
  });
});

describe('a store whose owner was killed', { timeout: 30_000 }, () => {
  beforeEach(() => runOwner(url, 's1', 'kill'));

  it('opens with every commit', async () => {
    const journal = await openJournal(url, { isOwner: true });
    expect(await journal.findSession('s1')).toBeDefined();
    await journal.close();
  });

  it('is refused without its log, by owners and by commands', async () => {
    rmSync(`${path}-wal`);
    for (const isOwner of [true, false]) {
      await expect(openJournal(url, { isOwner })).rejects.toMatchObject(logMissing);
    }
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('is refused under another path without its log', async () => {
    const copy = join(folder, 'copy.db');
    cpSync(path, copy);
    await expect(openJournal(`file:${copy}`)).rejects.toMatchObject(logMissing);
  });

  it('is refused without its log when the main file is incomplete', async () => {
    rmSync(`${path}-wal`);
    truncateSync(path, 4096);
    await expect(openJournal(url, { isOwner: true })).rejects.toMatchObject(logMissing);
  });

  it('opens without its log once an owner accepts that', async () => {
    rmSync(`${path}-wal`);
    const accepting = await openJournal(url, { isOwner: true, acceptsMissingLog: true });
    expect(await accepting.findSession('s1')).toBeUndefined();
    await accepting.close();
    await (await openJournal(url, { isOwner: true })).close();
  });

  it('opens after a command has emptied its log and removed it', async () => {
    const command = await openJournal(url);
    await command.close();
    const journal = await openJournal(url, { isOwner: true });
    expect(await journal.findSession('s1')).toBeDefined();
    await journal.close();
  });

  it('opens after an opening that was refused has removed its log', async () => {
    const storeId = '0199c0de-0000-4000-8000-00000000000a';
    const refused = openJournal(url, { isOwner: true, storeId });
    await expect(refused).rejects.toMatchObject({ code: 'JOURNAL_OTHER' });
    const journal = await openJournal(url, { isOwner: true });
    expect(await journal.findSession('s1')).toBeDefined();
    await journal.close();
  });

  it('is refused without its log when pages of the main file are missing', async () => {
    const journal = await openJournal(url, { isOwner: true });
    for (let number = 0; number < 50; number += 1) {
      const origin = 'x'.repeat(4000);
      await journal.addSession({ id: `n${number}`, origin, createdAt: 1, endedAt: undefined });
    }
    await journal.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4096), 0, 4096, statSync(path).size - 40 * 4096);
    closeSync(file);
    const opening = openJournal(url, { isOwner: true, acceptsMissingLog: true });
    await expect(opening).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  });

  it('needs its log again after the next kill', async () => {
    await (await openJournal(url, { isOwner: true })).close();
    await runOwner(url, 's2', 'kill');
    rmSync(`${path}-wal`);
    await expect(openJournal(url)).rejects.toMatchObject(logMissing);
  });
});

describe('a store whose owner ended in order', { timeout: 30_000 }, () => {
  it('has no log and needs none', async () => {
    const first = await openJournal(url, { isOwner: true });
    await first.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
    await first.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const second = await openJournal(url, { isOwner: true });
    expect(await second.findSession('s1')).toBeDefined();
    await second.close();
  });

  it('needs none when the process ended without closing it', async () => {
    await runOwner(url, 's1', 'end');
    expect(existsSync(`${path}-wal`)).toBe(false);
    const journal = await openJournal(url, { isOwner: true });
    expect(await journal.findSession('s1')).toBeDefined();
    await journal.close();
  });

  it('needs none when another program was still reading it', async () => {
    const journal = await openJournal(url, { isOwner: true });
    const reader = new DatabaseSync(path);
    reader.exec('begin');
    reader.prepare('select * from session').all();
    await journal.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
    await journal.close();
    reader.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const next = await openJournal(url, { isOwner: true });
    expect(await next.findSession('s1')).toBeDefined();
    await next.close();
  });
});

describe('a store that is open', () => {
  it('gives backups that have to be accepted', async () => {
    const backup = join(folder, 'backup.db');
    const journal = await openJournal(url, { isOwner: true });
    await journal.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
    const copier = new DatabaseSync(path, { readOnly: true });
    copier.exec(`vacuum into '${backup}'`);
    copier.close();
    await journal.close();
    await expect(openJournal(`file:${backup}`)).rejects.toMatchObject(logMissing);
    const options = { isOwner: true, acceptsMissingLog: true };
    const restored = await openJournal(`file:${backup}`, options);
    expect(await restored.findSession('s1')).toBeDefined();
    await restored.close();
    await (await openJournal(`file:${backup}`)).close();
  });

  it('keeps its log when a command closes', async () => {
    const journal = await openJournal(url, { isOwner: true });
    const { ino } = statSync(`${path}-wal`);
    await (await openJournal(url)).close();
    expect(statSync(`${path}-wal`).ino).toBe(ino);
    await journal.close();
  });
});

/** Runs the owner in a process of its own, until its commit is on the disk. */
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
