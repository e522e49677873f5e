// The lines of the table say what was walked, what was not, and what was wrong.

import { describe, expect, it } from 'vitest';
import { createJourney } from './journey-builder.ts';
import { listProblems, toTableLine } from './table.ts';

const journey = createJourney('cookie');
const { cell } = journey;

describe('toTableLine', () => {
  it('shows how the session travelled and that every check held', () => {
    expect(toTableLine(cell, journey)).toBe(
      '| Chromium 1 | same-origin | default | partitioned, plain, strict | cookie | POST 200, GET 200 | ok | ok | ok | ok | ok | ok |',
    );
  });

  it('marks the check that failed', () => {
    expect(toTableLine(cell, { ...journey, kept: ['address: #a'] })).toContain(
      '| ok | ok | **fails** | ok | ok | ok |',
    );
  });

  it('names a cell that could not be walked, and why', () => {
    expect(toTableLine(cell, 'no chromium')).toContain('not run: no chromium');
    expect(toTableLine(cell, new Error('no'))).toContain('broken off');
  });
});

describe('listProblems', () => {
  it('counts a journey that was broken off as a problem', () => {
    expect(listProblems(new Error('no'))).toEqual(['no']);
  });

  it('has none for a cell that could not be walked or a journey that is right', () => {
    expect([...listProblems('no chromium'), ...listProblems(journey)]).toEqual([]);
  });
});
