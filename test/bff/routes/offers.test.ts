// `GET /v1/offers` with a sandbox, and the short cache that its applicants share.

import { describe, expect, it } from 'vitest';
import { createShortCache } from '../../../bff/routes/short-cache.ts';
import { offersSchema } from '../../../shared/api/offers.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { openApplied, openBff, startSession, toOutcome } from '../open-bff.ts';

const path = '/getPreApprovalOffer';
const ask = (browser: Browser) => browser.send('GET', apiPaths.offers);
const openNamed = (name: string) => openApplied({}, createApplication({ name }));
const toResponse = (status: number, headers = {}) =>
  ({ kind: 'response', status, headers, text: '<html>' }) as const;

describe('GET /v1/offers', () => {
  it('returns "pending" until a qualified lead has offers', async () => {
    const { browser, time } = await openApplied();
    expect((await ask(browser)).json).toMatchObject({ decision: 'pending', offers: [] });
    time.advance(10_000);
    const { json } = await ask(browser);
    const offers = offersSchema.parse(json);
    expect(offers).toEqual(json);
    expect(offers).toMatchObject({
      decision: 'qualified',
      checkedAt: '2026-11-20T10:00:10.000Z',
      trackingUrl: expect.stringMatching(/^http:\/\/localhost:8082\//),
    });
    expect(offers.offers).toHaveLength(3);
    expect(offers.offers[0]?.aprLow).toBeGreaterThan(0);
  });

  it('returns "not-qualified"', async () => {
    const { browser } = await openNamed('Bakery [not qualified]');
    expect((await ask(browser)).json).toMatchObject({ decision: 'not-qualified', offers: [] });
  });

  it('returns null for values that the funding service did not send', async () => {
    const { browser } = await openNamed('Bakery [untidy offers]');
    const { offers } = offersSchema.parse((await ask(browser)).json);
    expect(offers.some((offer) => Object.values(offer).includes(null))).toBe(true);
  });

  it('shares a response for three seconds', async () => {
    const { browser, time, calls } = await openApplied();
    const countCalls = () => calls.filter((called) => called.endsWith(path)).length;
    await Promise.all([ask(browser), ask(browser), ask(browser)]);
    time.advance(2_999);
    await ask(browser);
    expect(countCalls()).toBe(1);
    time.advance(1);
    await ask(browser);
    expect(countCalls()).toBe(2);
  });

  it.each([
    ['an unreachable service', { kind: 'interrupted', failure: 'X' }],
    ['a wrong base URL', toResponse(404)],
  ] as const)('returns 503 once for %s', async (_what, result) => {
    const bff = await openApplied();
    bff.faults.push({ path, result });
    expect(toOutcome(await ask(bff.browser))).toBe('503 service-unavailable');
    // A failure is not cached.
    expect(toOutcome(await ask(bff.browser))).toBe('200');
  });

  it('forwards the Retry-After of the funding service', async () => {
    const bff = await openApplied();
    bff.faults.push({ path, result: toResponse(429, { 'retry-after': '7' }) });
    const answer = await ask(bff.browser);
    expect(toOutcome(answer)).toBe('503 service-unavailable');
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it('rejects a request without an accepted application', async () => {
    const bff = await openBff();
    await startSession(bff.browser);
    expect(toOutcome(await ask(bff.browser))).toBe('409 application-missing');
    bff.faults.push({ path: '/creditapp', result: { kind: 'not-sent', failure: 'X' } });
    await bff.browser.apply();
    expect(toOutcome(await ask(bff.browser))).toBe('409 application-pending');
  });

  it('rejects the offers of another lead', async () => {
    const { browser, sandbox, logLines } = await openApplied();
    const [lead] = sandbox.context.state.leads.values();
    Object.assign(lead ?? {}, { referenceId: 'another' });
    expect(toOutcome(await ask(browser))).toBe('502 service-refused');
    expect(logLines.join('')).toContain('reference-mismatch');
  });
});

it('caches nothing longer while an earlier request of another key is pending', async () => {
  let now = 0;
  const results = [new Promise<string>(() => undefined), 'first', 'second'];
  const get = createShortCache(
    3_000,
    () => now,
    async (_key: string) => results.shift() ?? '',
  );
  void get('slow');
  expect(await get('a')).toBe('first');
  now = 3_000;
  expect(await get('a')).toBe('second');
});
