// DATABASE_URL: valid files and databases, and those that production refuses.

import { describe, expect, it } from 'vitest';
import { listProblems, production, readValid } from './config-source.ts';

const canary = 'canary-password';

function listFor(url: string, environment = 'production'): readonly string[] {
  return listProblems({ ...production, FUNDING_ENVIRONMENT: environment, DATABASE_URL: url });
}

describe('the check of DATABASE_URL', () => {
  it.each([
    'file:/var/lib/funding/store.db',
    'postgres://u:p@db.example/store?sslmode=verify-full',
    'postgresql://u:p@db.example:6432/store?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    'postgres://u:p@db.example/store?sslmode=require',
    'postgres://u:p@localhost/store',
    'postgres://u:p@127.0.0.1:5433/store',
    'postgres://u:p@[::1]/store',
    'postgres://u:p@%2Frun%2Fpostgresql/store',
    'postgres:///store?host=/run/postgresql',
  ])('accepts %s in production', (url) => {
    expect(listFor(url)).toEqual([]);
    expect(readValid({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['no TLS', ''],
    ['TLS turned off', '?sslmode=disable'],
    ['optional TLS', '?sslmode=prefer'],
    ['TLS without verification', '?sslmode=no-verify'],
    ['TLS without verification by the rules of libpq', '?uselibpqcompat=true&sslmode=require'],
    ['TLS turned off by a second option', '?sslmode=verify-full&sslmode=disable'],
  ])('refuses %s to another machine in production only', (_name, options) => {
    const url = `postgres://user:${canary}@db.example/store${options}`;
    const problems = listFor(url);
    expect(problems).toEqual([
      'DATABASE_URL connects to another machine without verified TLS. Add sslmode=verify-full, and sslrootcert=<path> for a private certificate authority.',
    ]);
    expect(listFor(url, 'staging')).toEqual([]);
  });

  it.each([
    'postgres://u:p@localhost/store?host=db.example',
    'postgres://u:p@127.0.0.1.example/store',
    'postgres://u:p@localhost.example/store',
  ])('treats %s as another machine', (url) => {
    expect(listFor(url).join()).toContain('connects to another machine');
  });

  it.each([
    `postgres://user:${canary}@db.example`,
    `postgres://user:${canary}@db.example/`,
    `postgres:///store?password=${canary}`,
    `postgres://user:${canary}%zz@%zz/store`,
    `postgres://user:${canary}#1@db.example/store`,
    'postgres:',
  ])('refuses %s without a host or a database', (url) => {
    const problems = listFor(url, 'staging');
    expect(problems.join()).toContain(
      'DATABASE_URL is not a PostgreSQL URL. Use postgres://user:password@host/database.',
    );
    expect(problems.join()).not.toContain(canary);
  });

  it.each(['mysql://db.example/store', '/var/lib/store.db', 'file:', 'canary'])(
    'refuses %s',
    (url) => {
      expect(listFor(url)).toEqual([
        'DATABASE_URL is neither a file: nor a postgres: URL. Use file: and a path on a local disk, or postgres://user:password@host/database.',
      ]);
    },
  );

  it('accepts a store in memory only in the sandbox', () => {
    expect(listFor('file::memory:', 'staging').join()).toContain(
      'DATABASE_URL keeps the store in memory only',
    );
    const sandbox = { FUNDING_ENVIRONMENT: 'sandbox', DATABASE_URL: 'file::memory:' };
    expect(listProblems(sandbox)).toEqual([]);
  });

  it('accepts a URL in a file', () => {
    const { DATABASE_URL: _left, ...rest } = production;
    const url = 'postgres://u:p@db.example/store?sslmode=verify-full';
    const variables = { ...rest, DATABASE_URL_FILE: '/run/secrets/store-url' };
    const files = { '/run/secrets/store-url': `${url}\n` };
    expect(listProblems(variables, files)).toEqual([]);
    expect(listProblems({ ...variables, DATABASE_URL: url }, files).join()).toContain(
      'DATABASE_URL and DATABASE_URL_FILE are both set',
    );
    expect(listProblems(rest)).toEqual(['DATABASE_URL is not set. Set it, or DATABASE_URL_FILE.']);
  });
});
