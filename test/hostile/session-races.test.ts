// Concurrent requests of one browser, in short.

import { expect, it } from 'vitest';
import { runRaces } from './session-races.ts';

it('concurrent requests lose no state', async () => {
  const { requests, problems } = await runRaces(140);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(500);
});
