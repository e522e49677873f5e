// Opening the store at the start of the BFF, and the messages when it cannot be opened.

import { copyFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreError, toEngineCode } from '../../../bff/store/database.ts';
import { createEncryption } from '../../../bff/store/encryption.ts';
import {
  describeStoreError,
  openServingStore,
  openStore,
  type StoreEvent,
} from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { production, readValid, strongKey } from '../config/config-source.ts';
import { createNewApplication } from './contract/rows.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const file = 'file:/var/lib/canary/store.db';
const postgres = 'postgres://user:canary@db.example/store';

const createError = (code: string) => Object.assign(new Error('canary'), { code });
const createSqliteError = (errcode: number) =>
  Object.assign(createError('ERR_SQLITE_ERROR'), { errcode });

describe('openServingStore', () => {
  const otherId = '0199c0de-0000-4000-8000-00000000000a';
  let path: string;
  let events: StoreEvent[];

  beforeEach(() => {
    path = join(createFolder(), 'store.db');
    events = [];
  });

  /** Returns the problems, or the warnings after the store was closed. */
  async function open(environment: 'production' | 'sandbox', variables: object = {}) {
    const base = environment === 'sandbox' ? { FUNDING_ENVIRONMENT: environment } : production;
    const config = readValid({ ...base, DATABASE_URL: `file:${path}`, ...variables });
    const opened = await openServingStore(config, (event) => events.push(event));
    if ('problems' in opened) return opened.problems.join();
    await opened.store.close();
    return opened.warnings;
  }

  /** Creates a store with applications, each with a key that data key 7 should have wrapped. Returns its id. */
  async function createStore(...keys: readonly Uint8Array[]): Promise<string> {
    const store = await openStore(`file:${path}`, { isOwner: true });
    for (const [index, bytes] of keys.entries()) {
      const row = { id: `a${index}`, key: { keyId: '7', bytes } };
      await store.addApplication(createNewApplication(row), []);
    }
    const { id } = await store.readIdentity();
    await store.close();
    return id;
  }

  it('creates a store outside production', async () => {
    expect(await open('sandbox')).toEqual([]);
    expect(events).toEqual([
      {
        event: 'store-created',
        location: path,
        storeId: expect.stringMatching(/^[0-9a-f]{8}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        applicationsReceived: 0,
      },
    ]);
  });

  it.each([
    ['in production', 'production', {}],
    ['when STORE_ID is set', 'sandbox', { STORE_ID: otherId }],
  ] as const)('creates no store %s', async (_when, environment, variables) => {
    const problem = `points to no existing store (STORE_NEW): ${path}. `;
    expect(await open(environment, variables)).toContain(problem);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('opens only the store with the expected STORE_ID', async () => {
    const id = await createStore();
    expect(await open('production', { STORE_ID: id })).toEqual([]);
    expect(events).toMatchObject([{ event: 'store-opened', storeId: id.slice(0, 8) }]);
    const problem = await open('production', { STORE_ID: otherId });
    expect(problem).toContain('points to a store whose id is not STORE_ID (STORE_OTHER)');
  });

  it('refuses a store whose applications it cannot decrypt, and closes it', async () => {
    await createStore(Uint8Array.of(1));
    expect(await open('production')).toContain('DATA_KEYS lacks data key 7');
    await createStore();
  });

  it('warns when it can decrypt only some applications', async () => {
    const keys = { keys: { 7: strongKey(7) }, currentId: '7' };
    await createStore(createEncryption(keys).createCipher('a0').key.bytes, Uint8Array.of(1));
    expect(await open('production', { DATA_KEYS: `7:${strongKey(7)}` })).toEqual([
      expect.stringContaining('DATA_KEYS contains a data key 7 that unwraps only some'),
    ]);
  });

  it('opens a store without its write-ahead log outside production only', async () => {
    const running = await openStore(`file:${path}.running`, { isOwner: true });
    copyFileSync(`${path}.running`, path);
    await running.close();
    const problem = `log is missing (STORE_LOG_MISSING): ${path}-wal. `;
    expect(await open('production')).toContain(problem);
    expect(await open('sandbox')).toEqual([]);
    const missing = { event: 'store-log-missing', location: path };
    expect(events).toMatchObject([missing, { event: 'store-opened' }]);
  });
});

describePostgres('openServingStore on PostgreSQL', () => {
  it('shows no password when it refuses to create a store', async () => {
    const url = new URL(await createTestDatabaseUrl());
    url.password = 'canary';
    const config = readValid({ ...production, DATABASE_URL: url.href });
    const text = JSON.stringify(await openServingStore(config, () => undefined));
    expect(text).toContain('(STORE_NEW): PostgreSQL database ');
    expect(text).not.toContain('canary');
  });
});

describe('describeStoreError', () => {
  it.each([
    [file, 'STORE_IN_USE', 'Stop that process first.'],
    [file, 'STORE_NEWER', 'Run that version.'],
    [file, 'STORE_BEHIND', 'Run the commands of that version.'],
    [file, 'STORE_FULL', 'Free disk space.'],
    [file, 'ENOTDIR', 'Check the path, its permissions, and the disk.'],
    [postgres, 'STORE_SERVER_OLD', 'Use PostgreSQL 13 or later.'],
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
    for (const [url, location] of [
      [`${postgres}?sslmode=verify-full`, 'PostgreSQL database store on db.example'],
      ['postgres:///store?host=/run/postgresql', 'PostgreSQL database store on /run/postgresql'],
      ['file:data/store.db', resolve('data/store.db')],
    ] as const) {
      const text = describeStoreError(new StoreError(code, 'canary'), url);
      expect(text).toContain(`(${code}): ${location}`);
      expect(text).toContain(fix);
      expect(text).not.toContain('canary');
    }
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
