// Every session tries what every other one holds, in short.

import { expect, it } from 'vitest';
import { tryStrangers } from './session-strangers.ts';

it('nobody gets in with what another session holds', async () => {
  const { tries, problems } = await tryStrangers(20);
  expect(problems).toEqual([]);
  expect(tries).toBeGreaterThan(1_500);
});
