// Small versions of the session campaigns. The flips change each bit of a cookie and of a session token once.

import { expect, it } from 'vitest';
import { createTwoStepRoll, rollKeys } from './session-key-roll.ts';
import { runRaces } from './session-races.ts';
import { attackSeals } from './session-seals.ts';
import { trySessionsOfOthers } from './session-strangers.ts';

it('the BFF refuses changed, invented, or revoked seals', async () => {
  const { sent, problems } = await attackSeals({ flips: 7_000, inventions: 1_000, replays: 50 });
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThan(8_000);
});

it('concurrent requests of one browser lose no state', async () => {
  const { requests, problems } = await runRaces(140);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(500);
});

it('the BFF refuses the seals of other browsers', async () => {
  const { tries, problems } = await trySessionsOfOthers(20);
  expect(problems).toEqual([]);
  expect(tries).toBeGreaterThan(1_500);
});

it('a key rotation in two steps logs nobody out', async () => {
  const { loggedOut, problems, requests, filed } = await rollKeys({ visitors: 60 });
  expect(problems).toEqual([]);
  expect(loggedOut).toBe(0);
  expect(requests).toBeGreaterThan(500);
  expect(filed).toBeGreaterThan(100);
});

it.each([
  [
    'in one step',
    [
      { atHour: 0, keys: [1] },
      { atHour: 6, keys: [2, 1] },
    ],
  ],
  ['too soon', createTwoStepRoll(1)],
] as const)('the simulation finds users whom a rotation %s logs out', async (_name, steps) => {
  expect((await rollKeys({ visitors: 60, steps })).loggedOut).toBeGreaterThan(0);
});
