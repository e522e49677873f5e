import { describe, expect, it } from 'vitest';
import { names, tryAddressesAndHeaders, tryExtraKeys } from './mass-assignment.ts';

describe('a name that is not asked for', () => {
  it.each([
    ['as a key anywhere in an application', tryExtraKeys, 8 * names.length],
    ['in addresses and headers', tryAddressesAndHeaders, 24 * names.length],
  ])('is refused, or nothing comes of it: %s', async (_name, run, least) => {
    const { problems, requests } = await run();
    expect(problems).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(least);
  });
});
