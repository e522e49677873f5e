import { expect, it } from 'vitest';
import { canaries, createCanarySearch } from '../../support/canaries.ts';
import { listEvents, runServiceFaults, writeErrors } from './canary-events.ts';

it.each([
  ['faulty service responses', 'service', runServiceFaults],
  ['errors', 'error', writeErrors],
] as const)('the log contains no applicant data from %s', async (_name, source, run) => {
  const lines = await run();
  const events = new Set(lines.map((line): unknown => JSON.parse(line).event));
  expect(listEvents(source).filter((event) => !events.has(event))).toEqual([]);
  expect(createCanarySearch(canaries).find(...lines)).toEqual([]);
});
