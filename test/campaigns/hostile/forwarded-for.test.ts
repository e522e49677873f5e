// Forged proxy headers, in short.

import { expect, it } from 'vitest';
import { runForwardedFor } from './forwarded-for.ts';

it('the BFF ignores forged addresses in every proxy setup', async () => {
  const { cells, problems } = await runForwardedFor();
  expect(problems).toEqual([]);
  expect(cells).toBeGreaterThanOrEqual(240);
});
