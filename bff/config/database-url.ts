// Reads DATABASE_URL and STORE_ID.

import { isIPv4 } from 'node:net';
import type { Environment } from '../../shared/api/configuration.ts';
import { isUuid } from '../runtime/ids.ts';
import type { EnvironmentReader } from './environment-reader.ts';

export interface StoreConfig {
  /** `file:` and a path, or a PostgreSQL URL with its password. */
  readonly databaseUrl: string;
  /** The id of the only store that the BFF may open; `undefined` allows any store. */
  readonly storeId: string | undefined;
  /** If true, a start creates a store that does not exist. */
  readonly mayCreateStore: boolean;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

/**
 * In production, and if STORE_ID is set, a missing store is probably a disk that is not mounted. A start then fails instead of
 * creating an empty store.
 */
export function readStoreConfig(reader: EnvironmentReader, environment: Environment): StoreConfig {
  const databaseUrl = reader.secret('DATABASE_URL');
  const problem = findUrlProblem(databaseUrl, environment);
  if (databaseUrl !== '' && problem !== undefined) reader.problem('DATABASE_URL', problem);
  const storeId = reader.optional('STORE_ID')?.toLowerCase();
  if (storeId !== undefined && !isUuid(storeId)) {
    reader.problem('STORE_ID', 'is not the id of a store. Copy the id from the output of "check".');
  }
  const mayCreateStore = environment !== 'production' && storeId === undefined;
  return { databaseUrl, storeId, mayCreateStore };
}

function findUrlProblem(url: string, environment: Environment): string | undefined {
  if (url === 'file::memory:' && environment !== 'sandbox') {
    return 'keeps the store in memory only. Use file: and a path on a local disk.';
  }
  if (/^file:.+/.test(url)) return undefined;
  if (!/^postgres(ql)?:/.test(url)) {
    return 'is neither a file: nor a postgres: URL. Use file: and a path on a local disk, or postgres://user:password@host/database.';
  }
  const server = parsePostgresUrl(url);
  if (!server) {
    return 'is not a PostgreSQL URL. Use postgres://user:password@host/database. Write @ and # in the password as %40 and %23.';
  }
  return environment !== 'production' || server.isLocal || server.isVerified
    ? undefined
    : 'connects to another machine without verified TLS. Add sslmode=verify-full, and sslrootcert=<path> for a private certificate authority.';
}

/** `undefined` without a host or a database: `pg` would take them from variables that are not checked. */
function parsePostgresUrl(text: string) {
  try {
    const { hostname, pathname, searchParams } = new URL(text);
    // If an option is repeated, the last one counts, as in `pg`.
    const options = Object.fromEntries(searchParams);
    const { sslmode = '', uselibpqcompat } = options;
    // A name, an address, or the directory of a Unix socket.
    const host = options['host'] || decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1');
    if (host === '' || pathname.length < 2) return undefined;
    const isLoopback = host === '::1' || (isIPv4(host) && host.startsWith('127.'));
    // `pg` 8 verifies the certificate in these modes, but only in `verify-full` with `uselibpqcompat`.
    const verifying = uselibpqcompat === 'true' ? [] : ['verify-ca', 'require'];
    return {
      isLocal: host === 'localhost' || isLoopback || host.startsWith('/'),
      isVerified: ['verify-full', ...verifying].includes(sslmode),
    };
  } catch {
    return undefined;
  }
}
