// The SQLite journal: the contract, and what only a file can show.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../bff/journal/sqlite-database.ts';
import { openSqliteJournal } from '../../../bff/journal/sqlite.ts';
import { describeJournalChildren } from './journal-children-contract.ts';
import { describeJournal } from './journal-contract.ts';

describeJournal('SQLite', () => openSqliteJournal('file::memory:'));
describeJournalChildren('SQLite', () => openSqliteJournal('file::memory:'));

describe('the SQLite journal as a file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes missing folders and keeps the file to its user', async () => {
    const path = join(folder, 'deep', 'journal.db');
    const journal = openSqliteJournal(`file:${path}`);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(`${path}-wal`).mode & 0o077).toBe(0);
    await journal.close();
  });

  it('finds everything again after it was closed', async () => {
    const url = `file:${join(folder, 'journal.db')}`;
    const first = openSqliteJournal(url);
    await first.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
    await first.close();
    const second = openSqliteJournal(url);
    expect((await second.findSession('s1'))?.origin).toBe('https://a');
    await second.close();
  });

  it('syncs every commit, and overwrites what it deletes', () => {
    const database = openDatabase(`file:${join(folder, 'journal.db')}`);
    const read = (name: string) => Object.values(database.all(`pragma ${name}`)[0] as object)[0];
    expect(read('journal_mode')).toBe('wal');
    expect(read('synchronous')).toBe(2);
    expect(read('secure_delete')).toBe(1);
    expect(read('foreign_keys')).toBe(1);
    database.close();
  });

  it('keeps nothing of a transaction that fails', () => {
    const database = openDatabase('file::memory:');
    const work = () => {
      database.all(`insert into session (id, origin, created_at) values ('s', 'o', 1)`);
      throw new Error('stop');
    };
    expect(() => database.transaction(work)).toThrow('stop');
    expect(database.all('select * from session')).toEqual([]);
    database.close();
  });

  it('refuses a file of a later version', () => {
    const path = join(folder, 'journal.db');
    const later = new DatabaseSync(path);
    later.exec('pragma user_version = 99');
    later.close();
    expect(() => openSqliteJournal(`file:${path}`)).toThrow('version 99');
  });

  it('refuses an address that is no file', () => {
    expect(() => openSqliteJournal('postgres://host/db')).toThrow(RangeError);
  });
});
