// Tests of the BFF's origin in the npm package.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toBffOrigin } from '../../../widget/package/bff-origin.ts';
import { FakeFundingApi } from '../../support/fake-funding-api.ts';

describe('the origin of the BFF in the npm package', () => {
  const error = vi.spyOn(console, 'error');

  beforeEach(() => void error.mockReset().mockReturnValue());
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['https://apply.partner.example', 'https://apply.partner.example'],
    ['https://apply.partner.example/', 'https://apply.partner.example'],
    ['http://localhost:8081', 'http://localhost:8081'],
    ['/funding/', '/funding'],
  ])('is bff-url %s', (bffUrl, origin) => {
    expect(toBffOrigin({ bffUrl, api: undefined })).toBe(origin);
    expect(error).not.toHaveBeenCalled();
  });

  it.each([
    ['', 'bff-url is missing. Set it to'],
    [undefined, 'bff-url is missing. Set it to'],
    ['apply.partner.example', 'bff-url is not a URL: "apply.partner.example". Set it to'],
  ])('is never the origin of the page if bff-url is %j', (bffUrl, message) => {
    expect(toBffOrigin({ bffUrl, api: undefined })).toBe('bff-url-is-missing:');
    expect(error.mock.calls.flat()).toEqual([expect.stringContaining(message)]);
  });

  it('is not needed with a custom transport', () => {
    vi.stubGlobal('location', { origin: 'https://partner.example' });
    const api = new FakeFundingApi();
    expect(toBffOrigin({ bffUrl: '', api })).toBe('https://partner.example');
    expect(error).not.toHaveBeenCalled();
  });
});
