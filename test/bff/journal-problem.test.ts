// What an operator reads when the journal cannot be opened: the code, the mend, and nothing that is secret.

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

  it('takes what has no code too', () => {
    expect(toJournalProblem('canary', file)).toBe(
      'JOURNAL_URL cannot be opened (unknown). Check its path, its permissions and the disk.',
    );
    expect(toJournalProblem(new Error('canary'), postgres)).toContain(
      '(Error). Check that its host',
    );
  });
});
