// The store on SQLite: the contract, and what only a file can show.

import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaimStatements, nextDueStatements } from '../../../bff/store/claims.ts';
import { query, type OpenOptions } from '../../../bff/store/database.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { waitingStatements } from '../../../bff/store/operator-actions.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { describeApplications } from './contract/applications.ts';
import { describeAttachments } from './contract/children.ts';
import { describeClaims } from './contract/claims.ts';
import { describeDiscards } from './contract/discards.ts';
import { describeOperations } from './contract/operations.ts';
import { describeRecovery } from './contract/recovery.ts';
import { describeRetention } from './contract/retention.ts';
import { createNew } from './contract/rows.ts';

const inMemory = async (options: OpenOptions) => openSqlite('file::memory:', options);
describeApplications('SQLite', inMemory);
describeClaims('SQLite', inMemory);
describeAttachments('SQLite', inMemory);
describeDiscards('SQLite', inMemory);
describeOperations('SQLite', inMemory);
describeRetention('SQLite', inMemory);
describeRecovery('SQLite', inMemory);

describe('the SQLite store as a file', () => {
  let folder: string;
  let url: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    url = `file:${join(folder, 'store.db')}`;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes missing folders and keeps the file to its user', async () => {
    const path = join(folder, 'deep', 'store.db');
    const store = await openStore(`file:${path}`, { isOwner: true });
    for (const file of [path, `${path}-wal`, `${path}-lock`]) {
      expect(statSync(file).mode & 0o077).toBe(0);
    }
    await store.close();
  });

  it('finds everything again after it was closed', async () => {
    const first = await openStore(url);
    await first.addSession({ id: 's1', origin: 'https://a', createdAt: 1 });
    await first.close();
    const second = await openStore(url);
    expect((await second.findSession('s1'))?.origin).toBe('https://a');
    await second.close();
  });

  it('belongs to one owner, and can be read by others meanwhile', async () => {
    const owner = await openStore(url, { isOwner: true });
    await expect(openStore(url, { isOwner: true })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
    const reader = await openStore(url);
    expect(await reader.countStates()).toEqual([]);
    await reader.close();
    await owner.close();
    const next = await openStore(url, { isOwner: true });
    await next.close();
  });

  it('belongs to one owner under whatever name', async () => {
    const owner = await openStore(url, { isOwner: true });
    const link = join(folder, 'link.db');
    symlinkSync(join(folder, 'store.db'), link);
    await expect(openStore(`file:${link}`, { isOwner: true })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
    await owner.close();
  });

  it('syncs every commit, and overwrites what it deletes', async () => {
    const database = openSqlite(url);
    const read = async (name: string) =>
      Object.values((await database.all(`pragma ${name}`))[0] as object)[0];
    expect(await read('journal_mode')).toBe('wal');
    expect(await read('synchronous')).toBe(2);
    expect(await read('secure_delete')).toBe(1);
    expect(await read('foreign_keys')).toBe(1);
    await database.close();
  });

  it('empties its log when it scrubs', async () => {
    const store = await openStore(url);
    await store.addSession({ id: 's1', origin: 'https://a', createdAt: 1 });
    const log = join(folder, 'store.db-wal');
    expect(statSync(log).size).toBeGreaterThan(0);
    await store.scrub();
    expect(statSync(log).size).toBe(0);
    await store.close();
  });

  it('waits for nobody who reads when it scrubs, and says so', async () => {
    const store = await openStore(url);
    await store.addSession({ id: 's1', origin: 'https://a', createdAt: 1 });
    const reader = new DatabaseSync(join(folder, 'store.db'));
    reader.exec('begin');
    reader.prepare('select * from session').all();
    await store.endSession('s1', 2);
    expect(await store.scrub()).toBe(false);
    reader.close();
    expect(await store.scrub()).toBe(true);
    await store.close();
  });

  it('keeps nothing of a transaction that fails', async () => {
    const database = openSqlite('file::memory:');
    const failing = database.transaction(function* () {
      yield* query(`insert into session (id, origin, created_at) values ('s', 'o', 1)`);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await database.all('select * from session')).toEqual([]);
    await database.close();
  });

  const { claimAttachment, ...claims } = createClaimStatements('');
  it.each(
    Object.entries({
      ...claims,
      ...claimAttachment,
      ...prefixed('next due', nextDueStatements),
      ...prefixed('waiting', waitingStatements),
    }),
  )('reads no whole table for what is asked again and again: %s', async (_name, sql) => {
    const database = openSqlite('file::memory:');
    const steps = (await database.all(`explain query plan ${sql}`)).map(
      (step) => (step as { readonly detail: string }).detail,
    );
    expect(steps.filter((step) => step.startsWith('SEARCH'))).not.toEqual([]);
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    await database.close();
  });

  it('compares the newest twenty applications of other sessions under one key, and no more', async () => {
    const store = await openStore('file::memory:');
    for (let number = 0; number <= 25; number += 1) {
      const session = { id: `s${number}`, origin: 'https://a', createdAt: 1 };
      await store.addSession(session);
      if (number === 25) break;
      await store.addApplication(createNew({ id: `a${number}`, sessionId: session.id }), []);
    }
    const compared: string[] = [];
    await store.findOrMoveApplication('s25', 'k1', ({ id }) => {
      compared.push(id);
      return false;
    });
    expect([compared.length, compared[0], compared.at(-1)]).toEqual([20, 'a24', 'a5']);
    await store.close();
  });

  it('tells a full disk from a fault of ours, and keeps what it has', async () => {
    const database = openSqlite(url);
    await database.all('pragma max_page_count = 60');
    const fill = async () => {
      for (let number = 0; ; number += 1) {
        await database.all(
          'insert into session (id, origin, created_at) values (?, ?, 1)',
          `s${number}`,
          'x'.repeat(4000),
        );
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(database.all('select no_such_column')).rejects.toMatchObject({
      code: 'ERR_SQLITE_ERROR',
    });
    await database.all('pragma max_page_count = 100000');
    expect(await database.all(`select id from session where id = 's0'`)).toHaveLength(1);
    await database.close();
  });

  it('refuses a file of a later version', async () => {
    const database = openSqlite(url);
    await database.all('insert into journal_schema (version) values (99)');
    await database.close();
    expect(() => openSqlite(url)).toThrow('version 99');
  });

  it('refuses a file from before the first release', () => {
    const early = new DatabaseSync(join(folder, 'store.db'));
    early.exec('pragma user_version = 2');
    early.close();
    expect(() => openSqlite(url)).toThrow('before the first release');
  });

  it('refuses an address that is no file', () => {
    expect(() => openSqlite('postgres://host/db')).toThrow(RangeError);
  });
});

/** Their names beside those of the claims. */
function prefixed(
  prefix: string,
  statements: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [`${prefix} ${name}`, sql]),
  );
}
