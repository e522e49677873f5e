// Opens the store that DATABASE_URL names, and describes for operators why it cannot be opened.

import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { isPostgresUrl } from '../config/database-url.ts';
import { createApplicationStore } from './applications.ts';
import { createAttachmentStore } from './attachments.ts';
import { createClaimStore } from './claims.ts';
import { type ContentFiles, createContentFiles } from './content-files.ts';
import { checkDataKeys, listDataKeyProblems } from './data-keys.ts';
import { type Database, type OpenOptions, sql, StoreError, toEngineCode } from './database.ts';
import { createEventStore } from './events.ts';
import { createHandoffStore } from './handoffs.ts';
import { createOperatorStore } from './operator-actions.ts';
import { openPostgres } from './postgres.ts';
import { createRetentionStore } from './retention.ts';
import { parseRow } from './rows.ts';
import { openSqlite, toPath } from './sqlite.ts';
import { type Store, storeIdentitySchema } from './store.ts';

export type StoreEvent =
  /** Once per start. `store-created`: the store did not exist before. */
  | {
      readonly event: 'store-opened' | 'store-created';
      /** Path, or database and host. Never a user, a password, or an option of DATABASE_URL. */
      readonly location: string;
      /** The first 8 digits of the store's id. */
      readonly storeId: string;
      /** ISO 8601. */
      readonly createdAt: string;
      /** Since the store was created. */
      readonly applicationsReceived: number;
    }
  /** The store is used without its write-ahead log (not in production). */
  | { readonly event: 'store-log-missing'; readonly location: string };

/**
 * @param url `file:` and a path (SQLite, one process), or `postgres:` (PostgreSQL, any number of processes).
 * @throws StoreError, or an error of the database or of Node.
 */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  return createStore(await openDatabase(url, options));
}

/**
 * Opens the store of the configuration for a BFF that serves, and checks DATA_KEYS against it.
 *
 * In production, an operator decides what to do about a missing store or a missing write-ahead log, because applications may
 * be lost with them. Elsewhere the store is created, or opened without the log.
 *
 * @returns `problems` when the BFF must not start, else the store and `warnings`; both are messages for the operator.
 */
export async function openServingStore(
  config: Config,
  onEvent: (event: StoreEvent) => void,
  maxConnections?: number,
): Promise<
  | { readonly store: Store; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] }
> {
  const { databaseUrl, environment, mayCreateStore, storeId } = config;
  const location = describeStoreLocation(databaseUrl);
  const options: OpenOptions = {
    isOwner: true,
    mayCreate: mayCreateStore,
    storeId,
    maxConnections,
  };

  async function openAccepting(): Promise<Store> {
    try {
      return await openStore(databaseUrl, options);
    } catch (error) {
      const isLogMissing = error instanceof StoreError && error.code === 'STORE_LOG_MISSING';
      if (!isLogMissing || environment === 'production') throw error;
      onEvent({ event: 'store-log-missing', location });
      return openStore(databaseUrl, { ...options, acceptsMissingLog: true });
    }
  }

  let store: Store | undefined;
  try {
    store = await openAccepting();
    const problems = listDataKeyProblems(await checkDataKeys(store, config));
    const messages = problems.map(({ message }) => message);
    if (problems.some(({ isFatal }) => isFatal)) {
      await store.close();
      return { problems: messages };
    }
    const { id, createdAt, applicationsReceived } = await store.readIdentity();
    onEvent({
      event: store.isNew ? 'store-created' : 'store-opened',
      location,
      storeId: id.slice(0, 8),
      createdAt: new Date(createdAt).toISOString(),
      applicationsReceived,
    });
    return { store, warnings: messages };
  } catch (error) {
    await store?.close().catch(() => undefined);
    return { problems: [describeStoreError(error, databaseUrl)] };
  }
}

/** Path, or database and host, for the log and for messages. Never a user, a password, or an option of the URL. */
export function describeStoreLocation(url: string): string {
  if (!isPostgresUrl(url)) return resolve(toPath(url));
  const { hostname, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') || hostname;
  return `PostgreSQL database ${pathname.slice(1)} on ${host}`;
}

export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  return isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url, options);
}

/** @param contentFiles Default: those of the database's folder. */
export function createStore(database: Database, contentFiles = openContentFiles(database)): Store {
  return {
    isNew: database.isNew,

    async readIdentity() {
      const [row] = await database.all(sql`
        select id, created_at, ${database.lastApplicationNumber} as applications_received from store`);
      return parseRow(storeIdentitySchema, row);
    },

    ...createApplicationStore(database),
    ...createAttachmentStore(database, contentFiles),
    ...createHandoffStore(database),
    ...createClaimStore(database),
    ...createEventStore(database),
    ...createOperatorStore(database),
    ...createRetentionStore(database, contentFiles),

    async check() {
      database.checkRoom();
      await database.all(sql`
        insert into heartbeat (id, at) values (1, {now}) on conflict (id) do update set at = {now}`);
    },

    close: () => database.close(),
  };
}

/** Returns undefined if the database has no folder, as PostgreSQL: content is in its rows then. */
export function openContentFiles({ contentFolder }: Database): ContentFiles | undefined {
  return contentFolder === undefined ? undefined : createContentFiles(contentFolder);
}

/** A message for the operator: problem, code, fix. It contains no user, password, or text of the database. */
export function describeStoreError(error: unknown, url: string): string {
  const code = toEngineCode(error);
  const otherProblem = isPostgresUrl(url)
    ? 'cannot be opened {code}. Check the host, the port, the user, the password, the TLS options, and the log of the server.'
    : 'cannot be opened {code}. Check the path, its permissions, and the disk.';
  const problem = (openingProblems[code] ?? otherProblem)
    .replace('{code}', `(${code})`)
    .replace('{location}', () => describeStoreLocation(url));
  return `DATABASE_URL ${problem}`;
}

const damaged = 'points to a damaged store {code}. Restore a backup.';
const full = 'points to a disk that is full {code}. Free disk space.';
const forbidden =
  'points to a file that this user cannot read and write {code}. Correct the permissions of the file and its folder.';
const unreachable =
  'names a PostgreSQL server that does not answer {code}. Check the host, the port, and firewalls, and that the server runs.';
const unknownHost = 'names a host without an address {code}. Check the host name.';
const untrusted =
  'names a PostgreSQL server whose certificate is not valid {code}. Name its certificate authority with sslrootcert=<path>, or correct the certificate.';
const busy =
  'names a PostgreSQL server that accepts no connections at the moment {code}. Start again in a moment.';
const unauthorized =
  'names a user or a password that PostgreSQL refuses {code}. Check both, and pg_hba.conf of the server.';

/**
 * Messages without their first word, "DATABASE_URL", by our codes, those of Node and OpenSSL, and those of PostgreSQL (manual,
 * appendix A). A message names the location if the database can be used, but is not the store that the operator expects.
 */
const openingProblems: Readonly<Record<string, string>> = {
  STORE_NEW:
    'points to no existing store {code}: {location}. If a store should be there, mount its disk or correct DATABASE_URL. If this is the first start, create the store with "check --new-store".',
  STORE_OTHER:
    'points to a store whose id is not STORE_ID {code}: {location}. Mount the disk of the expected store, or correct DATABASE_URL. If you replaced the store on purpose, unset STORE_ID, and set it to the id that "check" then prints.',
  STORE_LOG_MISSING:
    'points to a store whose write-ahead log is missing {code}: {location}-wal. The last applications may be in that file, so put it back. If it is lost, or if you restored a backup, stop the BFF and run "check --accept-missing-log".',
  STORE_DAMAGED: damaged,
  STORE_FOREIGN: 'points to a database of another program {code}. Name another file.',
  STORE_NOT_A_FILE: 'points to a folder or a device {code}. Name a file.',
  STORE_IN_USE:
    'points to a file that another BFF process uses {code}. Stop that process first. To run several processes, use PostgreSQL.',
  STORE_NEWER: 'points to a store that a later version has updated {code}. Run that version.',
  STORE_BEHIND:
    'points to a store of an earlier version {code}. Run the commands of that version. Or update the store with "check"; the earlier version cannot use it afterwards.',
  STORE_FULL: 'points to a disk that is nearly full {code}. Free disk space.',
  STORE_SERVER_OLD: 'names a PostgreSQL server that is too old {code}. Use PostgreSQL 13 or later.',
  SQLITE_FULL: full,
  SQLITE_NOTADB: 'points to a file that is not a database {code}. Name another file.',
  SQLITE_CANTOPEN:
    'points to a file that cannot be opened for writing {code}. Check the permissions of the folder and of the files ending in -wal and -lock, and that the file system is writable.',
  SQLITE_CORRUPT: damaged,
  SQLITE_READONLY: forbidden,
  EACCES: forbidden,
  EROFS:
    'points to a read-only file system {code}. Name a path on another disk, or mount this one for writing.',
  ENOSPC: full,
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
  '3D000': 'names a database that does not exist {code}. Create the database, or name another.',
  '42501':
    'names a user that may not create tables {code}. Grant the user USAGE and CREATE on the schema, or make it the owner of the database.',
  '25006': 'names a read-only PostgreSQL server, such as a standby {code}. Name the primary.',
  '53300': busy,
  '55P03':
    'names a store whose tables another program has locked, such as a backup {code}. Start again when that program has ended.',
  '57P03': busy,
};
