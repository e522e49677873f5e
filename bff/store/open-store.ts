// Opens the store that DATABASE_URL names, on SQLite or PostgreSQL.

import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { createApplicationStore, createSessionStore } from './applications.ts';
import { createAttachmentStore } from './attachments.ts';
import { createClaimStore } from './claims.ts';
import { type Database, type OpenOptions, toEngineCode } from './database.ts';
import { createOperatorStore } from './operator-actions.ts';
import { openPostgres } from './postgres.ts';
import { createRetentionStore } from './retention.ts';
import { openSqlite, toPath } from './sqlite.ts';
import type { Store, StoreIdentity } from './store.ts';

/**
 * @param url `file:` and a path (SQLite, one process), or `postgres:` (PostgreSQL, any number of processes). The options say
 * whether tables may be created or updated.
 *
 * Throws a `StoreError`, or the engine's error when the engine cannot be reached or used.
 */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  return createStore(await openDatabase(url, options));
}

/** Where the store is, for the log and for messages: never a user name, a password or an option of the address. */
export function describeStoreLocation(url: string): string {
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

/** Combines the parts of the store over one database. */
export function createStore(database: Database): Store {
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
    ...createAttachmentStore(database),
    ...createClaimStore(database),
    ...createOperatorStore(database),
    ...createRetentionStore(database),

    async check() {
      database.checkRoom();
      await database.all(
        'insert into heartbeat (id, at) values (1, {now}) on conflict (id) do update set at = {now}',
      );
    },

    close: () => database.close(),
  };
}

/** Holds no user, no password and no text of the database. A store that opens gives no reason to hide its place. */
export function describeStoreError(error: unknown, url: string): string {
  const code = toEngineCode(error);
  const storeProblem = storeProblems[code];
  if (storeProblem) return storeProblem(describeStoreLocation(url));
  const generalFix = isPostgresUrl(url)
    ? 'Check that its host and port can be reached, its user and password, that it takes TLS where that is asked for, its options, and the log of the PostgreSQL.'
    : 'Check its path, its permissions and the disk.';
  return `DATABASE_URL cannot be opened (${code}). ${fixes[code] ?? generalFix}`;
}

/** The store can be reached and is not the one that the operator expects. */
const storeProblems: Readonly<Record<string, (place: string) => string>> = {
  STORE_NEW: (place) =>
    `DATABASE_URL leads to no store (STORE_NEW): ${place}. If a store should be there, mount its disk or correct DATABASE_URL. If this is the first start, create the store with "check --new-store".`,
  STORE_OTHER: (place) =>
    `STORE_ID is not the id of the store in DATABASE_URL (STORE_OTHER): ${place}. Mount the disk of the expected store, or correct DATABASE_URL. If you replaced the store on purpose, unset STORE_ID, and set it to the id that "check" then prints.`,
  STORE_LOG_MISSING: (place) =>
    `DATABASE_URL leads to a store whose write-ahead log is missing (STORE_LOG_MISSING): ${place}-wal. The last applications may be in that file, so put it back. If it is lost, or if you restored a backup, stop the BFF and run "check --accept-missing-log".`,
};

const unreachable =
  'No PostgreSQL answers there. Check host and port, that it runs, and what stands between.';
const unknownHost = 'Its host has no address. Check the name.';
const untrusted =
  'The certificate of the PostgreSQL does not hold. Name the authority by sslrootcert=<path>, or mend the certificate.';
const damaged = 'The store is damaged. Restore it from a backup.';
const busy = 'The PostgreSQL takes no connections just now. Start again in a moment.';
const unauthorized =
  'The PostgreSQL refuses the user or the password. Check both, and its pg_hba.conf.';

/** Codes of our own, of Node and OpenSSL, and of PostgreSQL (appendix A of its manual). */
const fixes: Readonly<Record<string, string>> = {
  STORE_DAMAGED: damaged,
  STORE_FOREIGN: 'The file is a database of another program. Name another file.',
  STORE_NOT_A_FILE: 'The path is a folder or a device. Name a file.',
  STORE_IN_USE:
    'Another BFF is running on this file. End it first: one process a file; use PostgreSQL for several.',
  STORE_NEWER: 'A later version has written it: run that one.',
  STORE_BEHIND:
    'An earlier version has written it: run the commands of that one. The first start of this BFF, or check, brings it up to date, and the earlier one cannot start on it any more.',
  STORE_OLDER:
    'A version before the first release has written it, and this one cannot read it. Name a new file.',
  STORE_FULL: 'Its disk is nearly full. Make room.',
  SQLITE_FULL: 'Its disk is full. Make room.',
  SQLITE_NOTADB: 'The file is not a database. Name another file.',
  SQLITE_CANTOPEN:
    'The file, or the log and the lock beside it, cannot be opened for writing. Check the permissions of the folder, and that the file system is not read-only.',
  SQLITE_CORRUPT: damaged,
  SQLITE_READONLY: 'The store is read-only. Correct the permissions of the file and its folder.',
  EACCES:
    'This user cannot read and write the store. Correct the permissions of the file and its folder.',
  EROFS:
    'The file system is read-only. Name a path on another disk, or mount this one for writing.',
  ENOSPC: 'The disk is full. Make room.',
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  '28P01': unauthorized,
  '28000': unauthorized,
  '3D000': 'The PostgreSQL has no database of that name. Create it, or name another.',
  '42501':
    'The user may not make tables there. Grant it usage and create on the schema, or make it the owner of the database.',
  '25006': 'The PostgreSQL only reads, as a standby does. Name the primary.',
  '53300': busy,
  '55P03':
    'Something else holds its tables, a backup for example, and they cannot be brought up to date meanwhile. Start again when that has ended.',
  '57P03': busy,
};
