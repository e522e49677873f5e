// Nothing an applicant gives is in the log, the error output, an answer, a status page or the store, whatever fails and however.

import { beforeAll, describe, expect, it } from 'vitest';
import { canaries } from '../support/canary-applicant.ts';
import { createCanarySearch } from '../support/canary-search.ts';
import { runCanaryErrors, type CanaryErrors } from './canary-errors.ts';
import { eventSources, runServiceFaults, writeErrors } from './canary-events.ts';

const search = createCanarySearch(canaries);

describe('processes in which everything fails', () => {
  let result: CanaryErrors;

  beforeAll(async () => {
    result = await runCanaryErrors();
  });

  it('show every problem there is', () => {
    expect(result.missingCodes).toEqual([]);
  });

  it('write every event that a process can come to', () => {
    expect(listEvents('process').filter((event) => !result.events.has(event))).toEqual([]);
  });

  it('show nothing of what was given', () => {
    expect(result.found).toEqual({
      log: [],
      'error output': [],
      answers: [],
      'status pages': [],
      store: [],
    });
  });

  it('are searched well enough to find it where Node itself tells it, which only the sandbox allows', () => {
    expect(result.foundInDebug).toContain('application/fundingNeed/amount, raw');
  });
});

describe('the log of what is no request', () => {
  it('holds nothing of what a failing service repeats', async () => {
    const lines = await runServiceFaults();
    const events = new Set(lines.map((line): unknown => JSON.parse(line).event));
    expect(listEvents('service').filter((event) => !events.has(event))).toEqual([]);
    expect(search.find(...lines)).toEqual([]);
  });

  it('holds nothing of what an error says', () => {
    const lines = writeErrors();
    const events = new Set(lines.map((line): unknown => JSON.parse(line).event));
    expect(listEvents('error').filter((event) => !events.has(event))).toEqual([]);
    expect(search.find(...lines)).toEqual([]);
  });
});

function listEvents(source: string): readonly string[] {
  return Object.entries(eventSources)
    .filter(([, own]) => own === source)
    .map(([event]) => event);
}
