// Opening an SQLite store: missing files, wrong files, a second owner, and a missing write-ahead log.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type OpenOptions, StoreError } from '../../../bff/store/database.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { describeOpening } from './contract/opening.ts';
import { createNewApplication, createSession } from './contract/rows.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const ownerProgram = fileURLToPath(new URL('store-owner.ts', import.meta.url));
const owner = { isOwner: true };
const accepting = { ...owner, acceptsMissingLog: true };

let folder: string;
let path: string;
let url: string;

beforeEach(() => {
  folder = createFolder();
  path = join(folder, 'store.db');
  url = `file:${path}`;
});

/** Opens the store, and closes it again. Returns true if it has the session `s1`, or the code of the refusal. */
async function open(options: OpenOptions = {}, storeUrl = url): Promise<boolean | string> {
  try {
    const store = await openStore(storeUrl, options);
    const hasSession = (await store.findSession('s1')) !== undefined;
    await store.close();
    return hasSession;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

const addApplication = async (options: OpenOptions = {}) => {
  const store = await openStore(url, options);
  await store.addApplication(createNewApplication(), []);
  return store;
};
const hasLog = () => fs.existsSync(`${path}-wal`);

/** Reads the store until it is closed. */
function readStore(): DatabaseSync {
  const reader = new DatabaseSync(path);
  reader.exec('begin');
  reader.prepare('select * from session').all();
  return reader;
}

describe('opening a store on SQLite', () => {
  describeOpening(() => url);

  it('creates files that only their user can read', async () => {
    const deep = join(folder, 'deep', 'store.db');
    const store = await openStore(`file:${deep}`, owner);
    for (const file of [deep, `${deep}-wal`, `${deep}-lock`]) {
      expect(fs.statSync(file).mode & 0o077).toBe(0);
    }
    await store.close();
  });

  it('refuses a second owner, also through a symbolic link, while others can read', async () => {
    const link = join(folder, 'link.db');
    fs.symlinkSync(path, link);
    const store = await addApplication(owner);
    expect(await open(owner)).toBe('STORE_IN_USE');
    expect(await open(owner, `file:${link}`)).toBe('STORE_IN_USE');
    expect(await open()).toBe(true);
    await store.close();
    expect(await open(owner)).toBe(true);
  });

  it('refuses a URL that is not file:', () => {
    expect(() => openSqlite('postgres://host/db')).toThrow(RangeError);
  });
});

describe('a path without a store', () => {
  it.each([
    ['a missing file', () => undefined],
    ['an empty file', () => fs.writeFileSync(path, '')],
    ['a missing folder', () => (url = `file:${join(folder, 'disk', 'store.db')}`)],
  ])('is not changed when the store may not be created: %s', async (_name, prepare) => {
    prepare();
    const before = fs.readdirSync(folder);
    for (const isOwner of [true, false]) {
      expect(await open({ mayCreate: false, isOwner })).toBe('STORE_NEW');
    }
    expect(fs.readdirSync(folder)).toEqual(before);
  });

  it('is refused when it is a folder', async () => {
    fs.mkdirSync(path);
    expect(await open()).toBe('STORE_NOT_A_FILE');
    expect(fs.readdirSync(folder)).toEqual(['store.db']);
  });

  it('is refused when it is the database of another program', async () => {
    const foreign = new DatabaseSync(path);
    foreign.exec('create table customer (id text)');
    expect(await open()).toBe('STORE_FOREIGN');
    expect(foreign.prepare('select name from sqlite_master').all()).toEqual([{ name: 'customer' }]);
    foreign.close();
  });
});

describe('a store whose owner was killed', () => {
  beforeEach(() => runOwner('kill'));

  it('opens with every commit', async () => {
    expect(await open(owner)).toBe(true);
  });

  it('is refused without its log', async () => {
    fs.rmSync(`${path}-wal`);
    for (const isOwner of [true, false]) expect(await open({ isOwner })).toBe('STORE_LOG_MISSING');
    expect(hasLog()).toBe(false);
    fs.truncateSync(path, 4096);
    expect(await open(owner)).toBe('STORE_LOG_MISSING');
  });

  it('is refused under another path without its log', async () => {
    fs.cpSync(path, join(folder, 'copy.db'));
    expect(await open({}, `file:${join(folder, 'copy.db')}`)).toBe('STORE_LOG_MISSING');
  });

  it('opens without its log when an owner accepts that', async () => {
    fs.rmSync(`${path}-wal`);
    expect(await open(accepting)).toBe(false);
    expect(await open(owner)).toBe(false);
  });

  it.each([
    ['a command', {}, true],
    ['a refused opening', { ...owner, storeId: 'another' }, 'STORE_OTHER'],
  ])('opens after %s removed its log', async (_name, options, result) => {
    expect(await open(options)).toBe(result);
    expect(await open(owner)).toBe(true);
  });

  it('is refused when pages of the main file are missing', async () => {
    const store = await openStore(url, owner);
    for (let number = 2; number < 50; number += 1) {
      const session = createSession(`s${number}`, 'x'.repeat(4000));
      await store.addApplication(createNewApplication({ id: `a${number}`, session }), []);
    }
    await store.close();
    const file = fs.openSync(path, 'r+');
    fs.writeSync(file, Buffer.alloc(4096), 0, 4096, fs.statSync(path).size - 40 * 4096);
    fs.closeSync(file);
    expect(await open(accepting)).toBe('STORE_DAMAGED');
  });

  it('needs its log again after the next kill', async () => {
    expect(await open(owner)).toBe(true);
    await runOwner('kill', 's2');
    fs.rmSync(`${path}-wal`);
    expect(await open()).toBe('STORE_LOG_MISSING');
  });
});

describe('a store whose owner closed it', () => {
  it.each([
    ['in order', async () => (await addApplication(owner)).close()],
    ['by exiting', () => runOwner('end')],
    [
      'while another program read it',
      async () => {
        const store = await openStore(url, owner);
        const reader = readStore();
        await store.addApplication(createNewApplication(), []);
        await store.close();
        reader.close();
      },
    ],
  ])('%s needs no log', async (_name, close) => {
    await close();
    expect(hasLog()).toBe(false);
    expect(await open(owner)).toBe(true);
  });
});

describe('an open store', () => {
  it('produces backups that an owner must accept', async () => {
    const backup = join(folder, 'backup.db');
    const store = await addApplication(owner);
    const copier = new DatabaseSync(path, { readOnly: true });
    copier.exec(`vacuum into '${backup}'`);
    copier.close();
    await store.close();
    expect(await open({}, `file:${backup}`)).toBe('STORE_LOG_MISSING');
    expect(await open(accepting, `file:${backup}`)).toBe(true);
    expect(await open({}, `file:${backup}`)).toBe(true);
  });

  it('keeps its log when a command closes the store', async () => {
    const store = await openStore(url, owner);
    const { ino } = fs.statSync(`${path}-wal`);
    await open();
    expect(fs.statSync(`${path}-wal`).ino).toBe(ino);
    await store.close();
  });
});

/** Runs an owner in its own process until it has committed. */
async function runOwner(ending: 'kill' | 'end', sessionId = 's1'): Promise<void> {
  const child = spawn(process.execPath, [ownerProgram, url, sessionId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  if (ending === 'kill') child.kill('SIGKILL');
  else child.stdin.end();
  await once(child, 'close');
}
