// `GET /v1/offers` with a sandbox.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offersSchema } from '../../../shared/api/offers.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

const operation = '/getPreApprovalOffer';

describe('GET /v1/offers', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('returns "pending" until a qualified lead has offers', async () => {
    await browser.apply();
    expect((await ask()).json).toMatchObject({ decision: 'pending', offers: [] });
    bff.time.advance(10_000);
    const answer = await ask();
    const offers = offersSchema.parse(answer.json);
    expect(offers).toEqual(answer.json);
    expect(offers.decision).toBe('qualified');
    expect(offers.offers).toHaveLength(3);
    expect(offers.offers[0]?.aprLow).toBeGreaterThan(0);
    expect(offers.checkedAt).toBe('2026-11-20T10:00:10.000Z');
    expect(offers.trackingUrl).toMatch(/^http:\/\/localhost:8082\//);
  });

  it('returns "not-qualified"', async () => {
    await browser.apply(createApplication({ name: 'Bakery [not qualified]' }));
    expect((await ask()).json).toMatchObject({ decision: 'not-qualified', offers: [] });
  });

  it('returns null for values that the funding service did not send', async () => {
    await browser.apply(createApplication({ name: 'Bakery [untidy offers]' }));
    const { offers } = offersSchema.parse((await ask()).json);
    expect(offers.some((offer) => Object.values(offer).includes(null))).toBe(true);
  });

  it('shares a response for three seconds', async () => {
    await browser.apply();
    await Promise.all([ask(), ask(), ask()]);
    bff.time.advance(2_999);
    await ask();
    expect(countCalls()).toBe(1);
    bff.time.advance(1);
    await ask();
    expect(countCalls()).toBe(2);
  });

  it('returns service-unavailable if the base URL is wrong', async () => {
    await browser.apply();
    const result = { kind: 'response', status: 404, headers: {}, text: '<html>' } as const;
    bff.faults.push({ path: operation, result });
    expect(isProblem(await ask(), 'service-unavailable')).toBe(true);
  });

  it('does not cache a failure', async () => {
    await browser.apply();
    bff.faults.push({ path: operation, result: { kind: 'interrupted', failure: 'X' } });
    expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(200);
  });

  it('rejects a request without an application', async () => {
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await ask(), 'application-missing')).toBe(true);
  });

  it('rejects a request before the application is accepted', async () => {
    bff.faults.push({ path: '/creditapp', result: { kind: 'not-sent', failure: 'X' } });
    await browser.apply();
    const answer = await ask();
    expect(isProblem(answer, 'application-pending')).toBe(true);
    expect(answer.status).toBe(409);
  });

  it('rejects the offers of another lead', async () => {
    await browser.apply();
    const [lead] = bff.sandbox.context.state.leads.values();
    Object.assign(lead ?? {}, { referenceId: 'another' });
    expect(isProblem(await ask(), 'service-refused')).toBe(true);
    expect(bff.logLines.join('')).toContain('reference-mismatch');
  });

  it('forwards the Retry-After of the funding service', async () => {
    await browser.apply();
    const headers = { 'retry-after': '7' };
    bff.faults.push({
      path: operation,
      result: { kind: 'response', status: 429, headers, text: '' },
    });
    const answer = await ask();
    expect(isProblem(answer, 'service-unavailable')).toBe(true);
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it.each([
    ['pre-approval-offer/application-not-found', 'service-refused', 502],
    ['pre-approval-offer/application-id-invalid', 'service-refused', 502],
    ['pre-approval-offer/partner-headers-missing', 'service-unavailable', 503],
    ['pre-approval-offer/authentication-invalid', 'service-unavailable', 503],
  ] as const)('maps %s to %s', async (row, code, status) => {
    await browser.apply(createApplication({ name: `Bakery [${row}]` }));
    const answer = await ask();
    expect(isProblem(answer, code)).toBe(true);
    expect(answer.status).toBe(status);
  });

  it('returns no offers of another session', async () => {
    await browser.apply();
    const other = bff.openBrowser();
    await other.send('POST', apiPaths.session);
    expect(isProblem(await other.send('GET', apiPaths.offers), 'application-missing')).toBe(true);
    expect(countCalls()).toBe(0);
  });

  function ask() {
    return browser.send('GET', apiPaths.offers);
  }

  function countCalls(): number {
    return bff.calls.filter((path) => path.endsWith(operation)).length;
  }
});
