// Three seconds of mixed load. The campaign runs one minute, and also measures response times and memory.

import { expect, it } from 'vitest';
import { runMixedLoad } from './mixed-load.ts';

it('the BFF delivers each accepted item once at 150 requests per second', async () => {
  const result = await runMixedLoad({ seconds: 3, requestsPerSecond: 150 });
  expect(result.problems).toEqual([]);
  expect(result.requests).toBeGreaterThan(400);
  expect(result.applications).toBeGreaterThan(20);
  expect(result.documents).toBeGreaterThan(10);
  expect(result.documentBytes).toBeGreaterThan(5 * 1024 * 1024);
});
