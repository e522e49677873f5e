// Messages for operators when the store cannot be opened.

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError, toEngineCode } from '../../../bff/store/database.ts';
import { describeStoreError } from '../../../bff/store/open-store.ts';

const file = 'file:/var/lib/canary/store.db';
const postgres = 'postgres://user:canary@db.example/store';

const createError = (code: string) => Object.assign(new Error('canary'), { code });
const createSqliteError = (errcode: number) =>
  Object.assign(new Error('canary'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('describeStoreError', () => {
  it.each([
    [file, 'STORE_IN_USE', 'Stop that process first.'],
    [file, 'STORE_NEWER', 'Run that version.'],
    [file, 'STORE_BEHIND', 'Run the commands of that version.'],
    [file, 'STORE_OLDER', 'Name a new file.'],
    [file, 'STORE_FULL', 'Free disk space.'],
    [file, 'ENOTDIR', 'Check the path, its permissions, and the disk.'],
    [postgres, 'ECONNREFUSED', 'Check the host, the port, and firewalls'],
    [postgres, 'ENOTFOUND', 'Check the host name.'],
    [postgres, '28P01', 'Check both, and pg_hba.conf'],
    [postgres, '3D000', 'Create the database, or name another.'],
    [postgres, '42501', 'Grant the user USAGE and CREATE'],
    [postgres, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'sslrootcert=<path>'],
    [postgres, '53300', 'Start again in a moment.'],
    [postgres, '55P03', 'Start again when that program has ended.'],
    [postgres, 'XX000', 'Check the host, the port, the user'],
  ])('names the fix for %s with %s', (url, code, fix) => {
    const text = describeStoreError(createError(code), url);
    expect(text).toMatch(/^DATABASE_URL (points to|names|cannot be opened)/);
    expect(text).toContain(`(${code}). `);
    expect(text).toContain(fix);
    expect(text).not.toContain('canary');
  });

  it.each([
    ['STORE_NEW', 'create the store with "check --new-store".'],
    ['STORE_OTHER', 'unset STORE_ID, and set it to the id that "check" then prints.'],
    ['STORE_LOG_MISSING', 'run "check --accept-missing-log".'],
  ] as const)('names the location without the password for %s', (code, fix) => {
    const error = new StoreError(code, 'canary');
    const onPostgres = describeStoreError(error, `${postgres}?sslmode=verify-full`);
    expect(onPostgres).toContain(`(${code}): PostgreSQL database store on db.example`);
    expect(onPostgres).not.toContain('canary');
    const onFile = describeStoreError(error, 'file:data/store.db');
    expect(onFile).toContain(`(${code}): ${resolve('data/store.db')}`);
    expect(onFile).toContain(fix);
  });

  it('names the folder of a Unix socket as the host', () => {
    const error = new StoreError('STORE_NEW', 'canary');
    const text = describeStoreError(error, 'postgres:///store?host=/run/postgresql');
    expect(text).toContain('PostgreSQL database store on /run/postgresql.');
  });
});

describe('toEngineCode', () => {
  it.each([
    [createSqliteError(13), 'SQLITE_FULL'],
    // An extended result code. Its lowest byte is the primary code.
    [createSqliteError(10 | (3 << 8)), 'SQLITE_IOERR'],
    [createSqliteError(1), 'ERR_SQLITE_ERROR'],
    [createError('28P01'), '28P01'],
    [new StoreError('STORE_UNAVAILABLE', 'canary', createSqliteError(26)), 'SQLITE_NOTADB'],
    [new StoreError('STORE_FULL', 'canary'), 'STORE_FULL'],
    [new TypeError('canary'), 'TypeError'],
    ['canary', 'unknown'],
  ])('turns %o into %s', (error, code) => {
    expect(toEngineCode(error)).toBe(code);
  });
});
