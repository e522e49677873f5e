// What an operator reads when the store cannot be opened: the code, the mend, and nothing that is secret.

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeStoreError } from '../../../bff/store/open-store.ts';
import { StoreError } from '../../../bff/store/database.ts';

const file = 'file:/var/lib/canary/store.db';
const postgres = 'postgres://user:canary@db.example/store';

const withCode = (code: string) => Object.assign(new Error('canary'), { code });

describe('the problem with a store', () => {
  it.each([
    ['STORE_IN_USE', 'Another BFF is running on this file.'],
    ['STORE_NEWER', 'A later version has written it'],
    ['STORE_BEHIND', 'run the commands of that one'],
    ['STORE_OLDER', 'Name a new file.'],
    ['STORE_FULL', 'Make room.'],
  ] as const)('%s says: %s', (code, mend) => {
    const text = describeStoreError(new StoreError(code, 'canary'), file);
    expect(text).toContain(`DATABASE_URL cannot be opened (${code}). `);
    expect(text).toContain(mend);
    expect(text).not.toContain('canary');
  });

  it.each([
    ['ECONNREFUSED', 'No PostgreSQL answers there.'],
    ['ENOTFOUND', 'Its host has no address.'],
    ['28P01', 'refuses the user or the password'],
    ['3D000', 'has no database of that name'],
    ['42501', 'may not make tables there'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of the PostgreSQL does not hold.'],
    ['53300', 'takes no connections just now'],
    ['55P03', 'Something else holds its tables'],
    ['XX000', 'Check that its host and port can be reached'],
  ])('%s of a PostgreSQL says: %s', (code, mend) => {
    const text = describeStoreError(withCode(code), postgres);
    expect(text).toContain(`DATABASE_URL cannot be opened (${code}). `);
    expect(text).toContain(mend);
    expect(text).not.toContain('canary');
  });

  it.each([
    ['STORE_NEW', 'create the store with "check --new-store".'],
    ['STORE_OTHER', 'unset STORE_ID, and set it to the id that "check" then prints.'],
    ['STORE_LOG_MISSING', 'run "check --accept-missing-log".'],
  ] as const)('%s names the place without the password', (code, fix) => {
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

  it('takes what has no code too', () => {
    expect(describeStoreError('canary', file)).toBe(
      'DATABASE_URL cannot be opened (unknown). Check its path, its permissions and the disk.',
    );
    expect(describeStoreError(new Error('canary'), postgres)).toContain(
      '(Error). Check that its host',
    );
  });
});
