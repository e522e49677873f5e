// A change of the session key under load, in short.

import { expect, it } from 'vitest';
import { rollKeys } from './session-key-roll.ts';

it('logs nobody out during a change in two steps', async () => {
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
  [
    'too soon',
    [
      { atHour: 0, keys: [1] },
      { atHour: 6, keys: [1, 2] },
      { atHour: 10, keys: [2, 1] },
      { atHour: 14, keys: [2] },
    ],
  ],
] as const)('detects users who are logged out by a change %s', async (_name, steps) => {
  expect((await rollKeys({ visitors: 60, steps })).loggedOut).toBeGreaterThan(0);
});
