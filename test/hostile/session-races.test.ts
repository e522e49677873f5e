// Two requests of one browser at the same time, in short.

import { expect, it } from 'vitest';
import { runRaces } from './session-races.ts';

it('no pair of requests loses what one of them did', async () => {
  const { requests, problems } = await runRaces(140);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(500);
});
