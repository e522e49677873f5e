import { expect, it } from 'vitest';
import { createTwoStepRoll, rollKeys } from './session-key-roll.ts';

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
  expect((await rollKeys(60, steps)).loggedOut).toBeGreaterThan(0);
});
