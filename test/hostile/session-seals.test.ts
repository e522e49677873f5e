// Changed, invented and ended seals, in short: each bit of a cookie and of a handle once.

import { expect, it } from 'vitest';
import { attackSeals } from './session-seals.ts';

it('no changed, invented or ended seal opens a session', async () => {
  const { sent, problems } = await attackSeals({ flips: 7_000, inventions: 1_000, replays: 50 });
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThan(8_000);
});
