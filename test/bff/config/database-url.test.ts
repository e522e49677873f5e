// Where the store may be: files and databases, and which of them production refuses.

import { describe, expect, it } from 'vitest';
import { listProblems, production, readValid } from './config-source.ts';

const canary = 'canary-password';

function listFor(url: string, environment = 'production'): readonly string[] {
  return listProblems({ ...production, FUNDING_ENVIRONMENT: environment, DATABASE_URL: url });
}

describe('DATABASE_URL', () => {
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
  ])('may be %s in production', (url) => {
    expect(listFor(url)).toEqual([]);
    expect(readValid({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['no TLS', ''],
    ['TLS switched off', '?sslmode=disable'],
    ['TLS if the server likes', '?sslmode=prefer'],
    ['TLS that believes any certificate', '?sslmode=no-verify'],
    [
      'TLS that believes any certificate, by the rules of libpq',
      '?uselibpqcompat=true&sslmode=require',
    ],
    ['TLS that a second option switches off', '?sslmode=verify-full&sslmode=disable'],
  ])('refuses another machine with %s in production only', (_name, options) => {
    const url = `postgres://user:${canary}@db.example/store${options}`;
    const problems = listFor(url);
    expect(problems).toEqual([
      'DATABASE_URL leads to another machine without TLS that proves whose it is. Add sslmode=verify-full to it, and sslrootcert=<path> where its authority is private.',
    ]);
    expect(listFor(url, 'staging')).toEqual([]);
  });

  it.each([
    'postgres://u:p@localhost/store?host=db.example',
    'postgres://u:p@127.0.0.1.example/store',
    'postgres://u:p@localhost.example/store',
  ])('sees that %s is another machine', (url) => {
    expect(listFor(url).join()).toContain('leads to another machine');
  });

  it.each([
    `postgres://user:${canary}@db.example`,
    `postgres://user:${canary}@db.example/`,
    `postgres:///store?password=${canary}`,
    `postgres://user:${canary}%zz@%zz/store`,
    `postgres://user:${canary}#1@db.example/store`,
    'postgres:',
  ])('refuses %s, which names no host, no database or nothing', (url) => {
    const problems = listFor(url, 'staging');
    expect(problems.join()).toContain('DATABASE_URL is no whole address of a PostgreSQL');
    expect(problems.join()).not.toContain(canary);
  });

  it.each(['mysql://db.example/store', '/var/lib/store.db', 'file:', 'canary'])(
    'refuses %s, which is neither a file nor a PostgreSQL',
    (url) => {
      expect(listFor(url)).toEqual([
        'DATABASE_URL is neither a file: nor a postgres: address. Write file: and a path on a local disk, or postgres:// and a database.',
      ]);
    },
  );

  it('refuses what keeps nothing, except in the sandbox', () => {
    expect(listFor('file::memory:', 'staging').join()).toContain('DATABASE_URL keeps nothing');
    const sandbox = { FUNDING_ENVIRONMENT: 'sandbox', DATABASE_URL: 'file::memory:' };
    expect(listProblems(sandbox)).toEqual([]);
  });

  it('is read from a file, since it carries a password', () => {
    const { DATABASE_URL: _left, ...rest } = production;
    const url = 'postgres://u:p@db.example/store?sslmode=verify-full';
    const variables = { ...rest, DATABASE_URL_FILE: '/run/secrets/store-url' };
    const files = { '/run/secrets/store-url': `${url}\n` };
    expect(listProblems(variables, files)).toEqual([]);
    expect(listProblems({ ...variables, DATABASE_URL: url }, files).join()).toContain(
      'DATABASE_URL is set twice',
    );
    expect(listProblems(rest)).toEqual(['DATABASE_URL is not set. Set it, or DATABASE_URL_FILE.']);
  });
});
