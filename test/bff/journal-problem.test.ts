// What an operator reads when the journal cannot be opened: the code, the mend, and nothing that is secret.

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJournalProblem } from '../../bff/journal-problem.ts';
import { JournalError } from '../../bff/journal/database.ts';

const file = 'file:/var/lib/canary/journal.db';
const postgres = 'postgres://user:canary@db.example/journal';

const withCode = (code: string) => Object.assign(new Error('canary'), { code });

describe('the problem with a journal', () => {
  it.each([
    ['JOURNAL_IN_USE', 'Another BFF is running on this file.'],
    ['JOURNAL_NEWER', 'A later version has written it'],
    ['JOURNAL_BEHIND', 'run the commands of that one'],
    ['JOURNAL_OLDER', 'Name a new file.'],
    ['JOURNAL_FULL', 'Make room.'],
  ] as const)('%s says: %s', (code, mend) => {
    const text = toJournalProblem(new JournalError(code, 'canary'), file);
    expect(text).toContain(`JOURNAL_URL cannot be opened (${code}). `);
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
    const text = toJournalProblem(withCode(code), postgres);
    expect(text).toContain(`JOURNAL_URL cannot be opened (${code}). `);
    expect(text).toContain(mend);
    expect(text).not.toContain('canary');
  });

  it.each([
    ['JOURNAL_NEW', 'create the store with "check --new-store".'],
    ['JOURNAL_OTHER', 'unset STORE_ID, and set it to the id that "check" then prints.'],
    ['JOURNAL_LOG_MISSING', 'run "check --accept-missing-log".'],
  ] as const)('%s names the place without the password', (code, fix) => {
    const error = new JournalError(code, 'canary');
    const onPostgres = toJournalProblem(error, `${postgres}?sslmode=verify-full`);
    expect(onPostgres).toContain(`(${code}): PostgreSQL database journal on db.example`);
    expect(onPostgres).not.toContain('canary');
    const onFile = toJournalProblem(error, 'file:data/journal.db');
    expect(onFile).toContain(`(${code}): ${resolve('data/journal.db')}`);
    expect(onFile).toContain(fix);
  });

  it('names the folder of a Unix socket as the host', () => {
    const error = new JournalError('JOURNAL_NEW', 'canary');
    const text = toJournalProblem(error, 'postgres:///journal?host=/run/postgresql');
    expect(text).toContain('PostgreSQL database journal on /run/postgresql.');
  });

  it('takes what has no code too', () => {
    expect(toJournalProblem('canary', file)).toBe(
      'JOURNAL_URL cannot be opened (unknown). Check its path, its permissions and the disk.',
    );
    expect(toJournalProblem(new Error('canary'), postgres)).toContain(
      '(Error). Check that its host',
    );
  });
});
