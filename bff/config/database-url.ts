// Reads where the store is and which store it has to be. The address may hold a password, so it may come from a file.

import { isIPv4 } from 'node:net';
import type { Environment } from '../../shared/api/configuration.ts';
import type { Reader } from './environment-reader.ts';

/** Part of the BFF's configuration. */
export interface StoreConfig {
  /** `file:` and a path, or `postgres:` and a database with its password. */
  readonly databaseUrl: string;
  /** The only store that may be opened; `undefined` when any may. */
  readonly storeId: string | undefined;
  /** Whether a start creates the store where there is none. */
  readonly mayCreateStore: boolean;
}

const name = 'DATABASE_URL';
const memory = 'file::memory:';

/**
 * In production a missing store is more often a disk that is not mounted than a first start, so a start never creates one there,
 * nor where STORE_ID says that a store exists.
 */
export function readStore(reader: Reader, environment: Environment): StoreConfig {
  const storeId = readStoreId(reader);
  return {
    databaseUrl: readDatabaseUrl(reader, environment),
    storeId,
    mayCreateStore: environment !== 'production' && storeId === undefined,
  };
}

/** A UUID; `undefined` when it is unset. */
function readStoreId(reader: Reader): string | undefined {
  const id = reader.optional('STORE_ID')?.toLowerCase();
  if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    const fix = 'Copy the id from the output of check.';
    reader.problem('STORE_ID', 'is not the id of a store', fix);
  }
  return id;
}

/** `DATABASE_URL`, or the text of the file that `DATABASE_URL_FILE` names; its problems are noted by the reader. */
function readDatabaseUrl(reader: Reader, environment: Environment): string {
  const url = reader.secret(name);
  if (/^postgres(ql)?:/.test(url)) {
    checkPostgres(reader, url, environment);
  } else if (url !== '' && !/^file:.+/.test(url)) {
    const mend = 'Write file: and a path on a local disk, or postgres:// and a database.';
    reader.problem(name, 'is neither a file: nor a postgres: address', mend);
  } else if (url === memory && environment !== 'sandbox') {
    const mend = 'Write file: and a path on a local disk.';
    reader.problem(name, 'keeps nothing once the process ends', mend);
  }
  return url;
}

function checkPostgres(reader: Reader, url: string, environment: Environment): void {
  const address = toAddress(url);
  if (address === undefined) {
    const mend =
      'Write postgres://user:password@host/database, with signs such as @ and # in the password as %40 and %23.';
    reader.problem(name, 'is no whole address of a PostgreSQL', mend);
  } else if (environment === 'production' && !isLocal(address.host) && !isProven(address.options)) {
    const mend =
      'Add sslmode=verify-full to it, and sslrootcert=<path> where its authority is private.';
    reader.problem(name, 'leads to another machine without TLS that proves whose it is', mend);
  }
}

interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  /** Of an option that is given twice the last, as `pg` takes it. */
  readonly options: Readonly<Record<string, string>>;
}

/** `undefined` without a host or a database: `pg` would then take them from variables that nobody checks. */
function toAddress(text: string): PostgresAddress | undefined {
  try {
    const url = new URL(text);
    const options = Object.fromEntries(url.searchParams);
    // The option wins over the host before the path.
    const host = options['host'] || decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1');
    return host === '' || url.pathname.length < 2 ? undefined : { host, options };
  } catch {
    // No URL, or a percent sign that encodes nothing.
    return undefined;
  }
}

function isLocal(host: string): boolean {
  const isThisMachine = host === 'localhost' || host === '::1' || isUnixSocket(host);
  return isThisMachine || (isIPv4(host) && host.startsWith('127.'));
}

function isUnixSocket(host: string): boolean {
  return host.startsWith('/');
}

/**
 * Whether the server has to show a certificate that holds. `pg` 8 checks it in all three modes, and in `verify-full` alone
 * when it is told to read the modes as PostgreSQL's own library does.
 */
function isProven({ sslmode, uselibpqcompat }: PostgresAddress['options']): boolean {
  if (sslmode === 'verify-full') return true;
  return (sslmode === 'verify-ca' || sslmode === 'require') && uselibpqcompat !== 'true';
}
