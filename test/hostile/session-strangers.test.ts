// Seals of other browsers, in short.

import { expect, it } from 'vitest';
import { trySessionsOfOthers } from './session-strangers.ts';

it('refuses the seals of other browsers', async () => {
  const { tries, problems } = await trySessionsOfOthers(20);
  expect(problems).toEqual([]);
  expect(tries).toBeGreaterThan(1_500);
});
