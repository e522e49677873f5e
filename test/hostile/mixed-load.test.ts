// Some seconds of the load that the full run keeps up for a minute; how fast it is answered is a figure of the full run.

import { expect, it } from 'vitest';
import { runMixedLoad } from './mixed-load.ts';

it('two hundred requests a second are all answered, and what was taken is at the service once', async () => {
  const result = await runMixedLoad({ seconds: 8, requestsPerSecond: 200 });
  expect(result.problems).toEqual([]);
  expect(result.requests).toBeGreaterThan(1_400);
  expect(result.applications).toBeGreaterThan(80);
  expect(result.documents).toBeGreaterThan(40);
  expect(result.documentBytes).toBeGreaterThan(20 * 1024 * 1024);
});
