// The SQLite journal: the contract, and what only a file can show.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimStatements } from '../../../bff/journal/sqlite-claims.ts';
import { openDatabase } from '../../../bff/journal/sqlite-database.ts';
import { openSqliteJournal } from '../../../bff/journal/sqlite.ts';
import { describeJournalChildren } from './journal-children-contract.ts';
import { describeJournal } from './journal-contract.ts';
import { createNew } from './journal-rows.ts';

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

  it.each(Object.entries(claimStatements))(
    'reads no whole table for what the delivery asks again and again: %s',
    (_name, sql) => {
      const database = openDatabase('file::memory:');
      const steps = database
        .all(`explain query plan ${sql}`)
        .map((step) => (step as { readonly detail: string }).detail);
      expect(steps.filter((step) => step.startsWith('SEARCH'))).not.toEqual([]);
      expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
      database.close();
    },
  );

  it('compares the newest twenty applications of other sessions under one key, and no more', async () => {
    const journal = openSqliteJournal('file::memory:');
    for (let number = 0; number <= 25; number += 1) {
      const session = { id: `s${number}`, origin: 'https://a', createdAt: 1, endedAt: undefined };
      await journal.addSession(session);
      if (number === 25) break;
      await journal.addApplication(createNew({ id: `a${number}`, sessionId: session.id }), []);
    }
    const compared: string[] = [];
    await journal.takeApplicationByKey('s25', 'k1', ({ id }) => {
      compared.push(id);
      return false;
    });
    expect([compared.length, compared[0], compared.at(-1)]).toEqual([20, 'a24', 'a5']);
    await journal.close();
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
