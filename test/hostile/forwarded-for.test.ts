// No header makes an applicant somebody else, neither in the lead nor before a limit.

import { expect, it } from 'vitest';
import { runForwardedFor } from './forwarded-for.ts';

it('no form of a header is believed, in any set-up of proxies', async () => {
  const { cells, problems } = await runForwardedFor();
  expect(problems).toEqual([]);
  expect(cells).toBeGreaterThanOrEqual(240);
});
