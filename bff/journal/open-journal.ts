// Opens the journal that an address names, on the engine it names.

import { createApplicationStore } from './applications.ts';
import { createChildStore } from './children.ts';
import { createClaimStore } from './claims.ts';
import type { Database, OpenOptions } from './database.ts';
import type { Journal } from './journal.ts';
import { createLoginStore } from './logins.ts';
import { createOperationStore } from './operations.ts';
import { openPostgres } from './postgres.ts';
import { createRetentionStore } from './retention.ts';
import { createSessionStore } from './sessions.ts';
import { openSqlite } from './sqlite.ts';

/**
 * @param url `file:` and a path (SQLite, one process), or `postgres:` (PostgreSQL, any number of processes). The tables are
 * made or brought up to date.
 *
 * Throws a `JournalError`, or what the engine throws when it cannot be reached or used.
 */
export async function openJournal(url: string, options: OpenOptions = {}): Promise<Journal> {
  return createJournal(await openDatabase(url, options));
}

/** Whether the address names a PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  return isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url, options);
}

/** The journal over any database; the one place where its parts come together. */
export function createJournal(database: Database): Journal {
  return {
    ...createSessionStore(database),
    ...createApplicationStore(database),
    ...createChildStore(database),
    ...createClaimStore(database),
    ...createOperationStore(database),
    ...createRetentionStore(database),
    ...createLoginStore(database),

    async check() {
      database.checkRoom();
      await database.all(
        'insert into heartbeat (id, at) values (1, {now}) on conflict (id) do update set at = {now}',
      );
    },

    close: () => database.close(),
  };
}
