// The contract version in the responses of the API.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiPaths, apiResponseHeaders, contractVersion } from '../../../shared/api/paths.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

describe('the contract version', () => {
  let bff: TestBff;

  beforeEach(async () => {
    bff = await startBff();
  });

  afterEach(() => bff.close());

  it.each([
    ['GET', apiPaths.configuration, 200],
    ['POST', apiPaths.session, 200],
    ['DELETE', apiPaths.session, 401],
    ['GET', apiPaths.offers, 401],
    ['GET', '/v1/nothing', 401],
    ['PUT', apiPaths.session, 405],
  ])('is in the response to %s %s', async (method, path, status) => {
    const { status: actual, headers } = await bff.openBrowser().send(method, path);
    expect(actual).toBe(status);
    expect(headers.get(apiResponseHeaders.contractVersion)).toBe(contractVersion);
  });

  it('is in a response without a body', async () => {
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session, '{}');
    const { status, headers } = await browser.send('DELETE', apiPaths.session);
    expect([status, headers.get(apiResponseHeaders.contractVersion)]).toEqual([
      204,
      contractVersion,
    ]);
  });

  it('is in the refusal of another origin', async () => {
    const headers = { origin: 'https://other.example' };
    const answer = await bff.openBrowser().send('GET', apiPaths.offers, undefined, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get(apiResponseHeaders.contractVersion)).toBe(contractVersion);
  });

  it('is readable for pages of another origin', async () => {
    const { headers } = await bff.openBrowser().send('GET', apiPaths.configuration);
    expect(headers.get('access-control-allow-origin')).toBe(pageOrigin);
    expect(headers.get('access-control-expose-headers')).toContain(
      apiResponseHeaders.contractVersion,
    );
  });

  it('is absent outside of the API', async () => {
    const { headers } = await bff.openBrowser().send('GET', '/livez');
    expect(headers.get(apiResponseHeaders.contractVersion)).toBeNull();
  });
});
