// Causes every failure, and checks that no applicant data appears in logs, responses, status pages, or the store.

import { beforeAll, describe, expect, it } from 'vitest';
import { canaries, createCanarySearch } from '../../support/canaries.ts';
import { runCanaryErrors, type CanaryErrors } from './canary-errors.ts';
import { eventSources, runServiceFaults, writeErrors } from './canary-events.ts';

const search = createCanarySearch(canaries);

describe('BFF processes with every failure', () => {
  let result: CanaryErrors;

  beforeAll(async () => {
    result = await runCanaryErrors();
  });

  it('report every problem code', () => {
    expect(result.missingCodes).toEqual([]);
  });

  it('return only problems that the OpenAPI document lists', () => {
    expect(result.undocumented).toEqual([]);
  });

  it('log every event of the source "process"', () => {
    expect(listEvents('process').filter((event) => !result.events.has(event))).toEqual([]);
  });

  it('disclose no applicant data', () => {
    expect(result.found).toEqual({
      log: [],
      'error output': [],
      answers: [],
      'status pages': [],
      webhooks: [],
      store: [],
    });
  });

  // Shows that the search can find canaries. The BFF allows NODE_DEBUG in the sandbox only.
  it('disclose applicant data in the debug output of Node', () => {
    expect(result.foundInDebug).toContain('application/fundingNeed/amount, raw');
  });
});

describe('the log of a BFF in memory', () => {
  it('contains no applicant data from faulty service responses', async () => {
    const lines = await runServiceFaults();
    const events = new Set(lines.map((line): unknown => JSON.parse(line).event));
    expect(listEvents('service').filter((event) => !events.has(event))).toEqual([]);
    expect(search.find(...lines)).toEqual([]);
  });

  it('contains no applicant data from errors', () => {
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
