// Opens the store that JOURNAL_URL names, on SQLite or PostgreSQL.

import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { createApplicationStore } from './applications.ts';
import { createChildStore } from './children.ts';
import { createClaimStore } from './claims.ts';
import type { Database, OpenOptions } from './database.ts';
import type { Journal, StoreIdentity } from './journal.ts';
import { createLoginStore } from './logins.ts';
import { createOperationStore } from './operations.ts';
import { openPostgres } from './postgres.ts';
import { createRetentionStore } from './retention.ts';
import { createSessionStore } from './sessions.ts';
import { openSqlite } from './sqlite.ts';
import { toPath } from './store-file.ts';

/**
 * @param url `file:` and a path (SQLite, one process), or `postgres:` (PostgreSQL, any number of processes). The options say
 * whether tables may be created or updated.
 *
 * Throws a `JournalError`, or the engine's error when the engine cannot be reached or used.
 */
export async function openJournal(url: string, options: OpenOptions = {}): Promise<Journal> {
  return createJournal(await openDatabase(url, options));
}

/** Where the store is, for the log and for messages: never a user name, a password or an option of the address. */
export function toStorePlace(url: string): string {
  if (!isPostgresUrl(url)) return resolve(toPath(url));
  const { hostname, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') || hostname;
  return `PostgreSQL database ${pathname.slice(1)} on ${host}`;
}

/** True when the address names a PostgreSQL database. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  return isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url, options);
}

const identitySchema = z.object({
  id: z.string(),
  created_at: z.int(),
  applications_received: z.int(),
});

/** Combines the parts of the journal over one database. */
export function createJournal(database: Database): Journal {
  return {
    isNew: database.isNew,

    async readIdentity(): Promise<StoreIdentity> {
      const [row] = await database.all(
        `select id, created_at, ${database.lastApplicationNumber} as applications_received from store`,
      );
      const identity = identitySchema.parse(row);
      return {
        id: identity.id,
        createdAt: identity.created_at,
        applicationsReceived: identity.applications_received,
      };
    },

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
