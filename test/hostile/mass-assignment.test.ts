import { describe, expect, it } from 'vitest';
import { names, tryUrlsAndHeaders, tryExtraKeys } from './mass-assignment.ts';

describe('an unknown name', () => {
  it.each([
    ['as a key of an application', tryExtraKeys, 8 * names.length],
    ['in URLs and headers', tryUrlsAndHeaders, 24 * names.length],
  ])('is refused or has no effect: %s', async (_name, run, least) => {
    const { problems, requests } = await run();
    expect(problems).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(least);
  });
});
