// The lines of the table show tested combinations, skipped combinations, and problems.

import { describe, expect, it } from 'vitest';
import { createJourney } from './journey-builder.ts';
import { listProblems, toTableLine } from './table.ts';

const journey = createJourney('cookie');
const { combination } = journey;

describe('toTableLine', () => {
  it('shows the transport of the session in a line without problems', () => {
    expect(toTableLine(combination, journey)).toBe(
      '| Chromium 1 | same-origin | default | partitioned, plain, strict | cookie | POST 200, GET 200 | ok | ok | ok | ok | ok | ok |',
    );
  });

  it('marks the check that failed', () => {
    expect(toTableLine(combination, { ...journey, kept: ['address: #a'] })).toContain(
      '| ok | ok | **fails** | ok | ok | ok |',
    );
  });

  it('shows why a combination did not run', () => {
    expect(toTableLine(combination, 'no chromium')).toContain('not run: no chromium');
    expect(toTableLine(combination, new Error('no'))).toContain('failed to finish');
  });
});

describe('listProblems', () => {
  it('counts a journey that threw as a problem', () => {
    expect(listProblems(new Error('no'))).toEqual(['no']);
  });

  it('returns no problem for a skipped combination or a correct journey', () => {
    expect([...listProblems('no chromium'), ...listProblems(journey)]).toEqual([]);
  });
});
