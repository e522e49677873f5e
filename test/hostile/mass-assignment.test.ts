import { describe, expect, it } from 'vitest';
import { names, tryUrlsAndHeaders, tryExtraKeys } from './mass-assignment.ts';

describe('an unknown name', () => {
  it('is refused as a key of an application', async () => {
    const { problems, requests } = await tryExtraKeys();
    expect(problems).toEqual([]);
    expect(requests).toBe(8 * names.length);
  });

  it('has no effect in URLs and headers', async () => {
    const { problems, requests } = await tryUrlsAndHeaders(4);
    expect(problems).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(6 * names.length);
  });
});
