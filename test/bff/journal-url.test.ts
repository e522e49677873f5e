// Where the journal may be: files and databases, and which of them production refuses.

import { describe, expect, it } from 'vitest';
import { listProblems, production, readValid } from './config-source.ts';

const canary = 'canary-password';

function listFor(url: string, environment = 'production'): readonly string[] {
  return listProblems({ ...production, FUNDING_ENVIRONMENT: environment, JOURNAL_URL: url });
}

describe('JOURNAL_URL', () => {
  it.each([
    'file:/var/lib/funding/journal.db',
    'postgres://u:p@db.example/journal?sslmode=verify-full',
    'postgresql://u:p@db.example:6432/journal?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    'postgres://u:p@db.example/journal?sslmode=require',
    'postgres://u:p@localhost/journal',
    'postgres://u:p@127.0.0.1:5433/journal',
    'postgres://u:p@[::1]/journal',
    'postgres://u:p@%2Frun%2Fpostgresql/journal',
    'postgres:///journal?host=/run/postgresql',
  ])('may be %s in production', (url) => {
    expect(listFor(url)).toEqual([]);
    expect(readValid({ ...production, JOURNAL_URL: url }).journalUrl).toBe(url);
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
    const url = `postgres://user:${canary}@db.example/journal${options}`;
    const problems = listFor(url);
    expect(problems).toEqual([
      'JOURNAL_URL leads to another machine without TLS that proves whose it is. Add sslmode=verify-full to it, and sslrootcert=<path> where its authority is private.',
    ]);
    expect(listFor(url, 'staging')).toEqual([]);
  });

  it.each([
    'postgres://u:p@localhost/journal?host=db.example',
    'postgres://u:p@127.0.0.1.example/journal',
    'postgres://u:p@localhost.example/journal',
  ])('sees that %s is another machine', (url) => {
    expect(listFor(url).join()).toContain('leads to another machine');
  });

  it.each([
    `postgres://user:${canary}@db.example`,
    `postgres://user:${canary}@db.example/`,
    `postgres:///journal?password=${canary}`,
    `postgres://user:${canary}%zz@%zz/journal`,
    `postgres://user:${canary}#1@db.example/journal`,
    'postgres:',
  ])('refuses %s, which names no host, no database or nothing', (url) => {
    const problems = listFor(url, 'staging');
    expect(problems.join()).toContain('JOURNAL_URL is no whole address of a PostgreSQL');
    expect(problems.join()).not.toContain(canary);
  });

  it.each(['mysql://db.example/journal', '/var/lib/journal.db', 'file:', 'canary'])(
    'refuses %s, which is neither a file nor a PostgreSQL',
    (url) => {
      expect(listFor(url)).toEqual([
        'JOURNAL_URL is neither a file: nor a postgres: address. Write file: and a path on a local disk, or postgres:// and a database.',
      ]);
    },
  );

  it('refuses what keeps nothing, except in the sandbox', () => {
    expect(listFor('file::memory:', 'staging').join()).toContain('JOURNAL_URL keeps nothing');
    const sandbox = { FUNDING_ENVIRONMENT: 'sandbox', JOURNAL_URL: 'file::memory:' };
    expect(listProblems(sandbox)).toEqual([]);
  });

  it('is read from a file, since it carries a password', () => {
    const { JOURNAL_URL: _left, ...rest } = production;
    const url = 'postgres://u:p@db.example/journal?sslmode=verify-full';
    const variables = { ...rest, JOURNAL_URL_FILE: '/run/secrets/journal-url' };
    const files = { '/run/secrets/journal-url': `${url}\n` };
    expect(listProblems(variables, files)).toEqual([]);
    expect(listProblems({ ...variables, JOURNAL_URL: url }, files).join()).toContain(
      'JOURNAL_URL is set twice',
    );
    expect(listProblems(rest)).toEqual(['JOURNAL_URL is not set. Set it, or JOURNAL_URL_FILE.']);
  });
});
