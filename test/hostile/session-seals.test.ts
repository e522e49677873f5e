// Changed, invented, and revoked seals, in short: each bit of a cookie and of a session token once.

import { expect, it } from 'vitest';
import { attackSeals } from './session-seals.ts';

it('refuses changed, invented, or revoked seals', async () => {
  const { sent, problems } = await attackSeals({ flips: 7_000, inventions: 1_000, replays: 50 });
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThan(8_000);
});
