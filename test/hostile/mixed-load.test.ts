// Eight seconds of mixed load. The campaign runs one minute, and also measures response times and memory.

import { expect, it } from 'vitest';
import { runMixedLoad } from './mixed-load.ts';

it('delivers each accepted item once at 200 requests per second', async () => {
  const result = await runMixedLoad({ seconds: 8, requestsPerSecond: 200 });
  expect(result.problems).toEqual([]);
  expect(result.requests).toBeGreaterThan(1_400);
  expect(result.applications).toBeGreaterThan(80);
  expect(result.documents).toBeGreaterThan(40);
  expect(result.documentBytes).toBeGreaterThan(20 * 1024 * 1024);
});
