// `/v1/application` with a sandbox: each application becomes one lead, also while the funding service or the store fails.

import { describe, expect, it } from 'vitest';
import { applicationStatusSchema } from '../../../shared/api/application-status.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { firstKey, secondKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type OrderedFault, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { strongKey } from '../config/config-source.ts';
import {
  openApplied,
  openBff,
  passTime,
  readJson,
  startSession,
  toOutcome,
  type OpenBff,
} from '../open-bff.ts';

const another = createApplication({ annualRevenue: 1 });
const listLeads = ({ sandbox }: TestBff) => [...sandbox.context.state.leads.values()];
const readStatus = ({ browser }: OpenBff) => readJson(browser, apiPaths.application);
const becomes = (bff: OpenBff, status: string) =>
  until(async () => (await readStatus(bff)).status === status);

describe('POST /v1/application', () => {
  it('returns 201 if the funding service accepts in time', async () => {
    const bff = await openBff();
    const answer = await bff.browser.apply();
    const [lead] = listLeads(bff);
    expect(answer.status).toBe(201);
    expect(applicationStatusSchema.parse(answer.json)).toEqual({
      status: 'accepted',
      reference: lead?.referenceId,
      receivedAt: '2026-11-20T10:00:00.000Z',
      acceptedAt: '2026-11-20T10:00:00.000Z',
      delayed: false,
      trackingUrl: lead?.trackingUrl,
    });
  });

  it('sends every answer as a field of the lead', async () => {
    const bff = await openApplied({}, createApplication({}, { campaignId: 'spring-2026' }));
    expect(listLeads(bff)).toMatchObject([
      {
        lead: {
          LoanAmount: 75_000,
          Company: 'Harbor Bakery LLC',
          TaxId: '123456789',
          Ssn: '123456780',
          BirthDay: '1984-07-02',
          LeadSource: 'Sandbox Partner',
          CampaignID: 'spring-2026',
          TimeInBusinessMonths: 92,
          CreatedAt: '2026-11-20T10:00:00.000Z',
          SignatureTimestamp: '2026-11-20T10:00:00.000Z',
        },
      },
    ]);
  });

  it.each(['1', '2'])('encrypts with the first data key: %s', async (first) => {
    const keys = [`1:${strongKey(1)}`, `2:${strongKey(2)}`];
    const DATA_KEYS = (first === '1' ? keys : keys.toReversed()).join(',');
    const { browser, store } = await openBff({ variables: { DATA_KEYS } });
    const { json } = await browser.apply();
    expect((await store.findApplication(json.reference))?.key.keyId).toBe(first);
  });

  it('omits a tracking URL of another host', async () => {
    const bff = await openApplied({ settings: { trackingHosts: ['elsewhere.example'] } });
    expect((await readStatus(bff)).trackingUrl).toBeUndefined();
    expect(bff.logLines.filter((line) => line.includes('tracking-url-refused'))).toHaveLength(1);
  });

  const withoutTerms = createApplication().consents.filter(({ id }) => id !== 'terms');
  const inUnknownLanguage = createApplication().consents.map((one) => ({ ...one, locale: 'xx' }));

  it.each<[string, { key?: string | undefined; body?: object | string }, string, object?]>(
    // prettier-ignore
    [
      ['no key', { key: undefined }, '400 idempotency-key-missing'],
      ['a key that is not a UUID', { key: '1234' }, '400 idempotency-key-missing'],
      ['a body that is not JSON', { body: '{"a":' }, '400 invalid-request'],
      ['more than 64 KB', { body: { text: 'x'.repeat(64 * 1024) } }, '413 too-large'],
      [
        'invalid fields',
        { body: createApplication({ taxId: '12', annualRevenue: -1 }) },
        '400 invalid-request',
        [
          { pointer: '/business/annualRevenue', code: 'too-small' },
          { pointer: '/business/taxId', code: 'ein' },
        ],
      ],
      ['a field of the lead', { body: { ...createApplication(), LeadSource: 'x' } }, '400 invalid-request', [{ pointer: '', code: 'unknown-field' }]],
      [
        'a campaign that the partner does not allow',
        { body: createApplication({}, { campaignId: 'mine' }) },
        '400 invalid-request',
        [{ pointer: '/campaignId', code: 'not-in-list' }],
      ],
      ['a missing required consent', { body: createApplication({}, { consents: withoutTerms }) }, '422 consent-required', [{ pointer: '/consents', code: 'required' }]],
      [
        'a consent in a language that the form does not offer',
        { body: createApplication({}, { consents: inUnknownLanguage }) },
        '422 consent-required',
        [{ pointer: '/consents', code: 'required' }],
      ],
    ],
  )('rejects %s', async (_what, { body = '{}', ...given }, outcome, errors) => {
    const bff = await openBff();
    await startSession(bff.browser);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { [apiHeaders.idempotencyKey]: 'key' in given ? given.key : firstKey };
    const answer = await bff.browser.send('POST', apiPaths.application, text, headers);
    expect([toOutcome(answer), answer.json.errors]).toEqual([outcome, errors]);
    expect(listLeads(bff)).toEqual([]);
  });

  it('accepts an application without optional consents', async () => {
    const consents = createApplication().consents.filter(({ id }) => id !== 'contact');
    const { browser } = await openBff();
    expect(toOutcome(await browser.apply(createApplication({}, { consents })))).toBe('201');
  });

  it('returns no status before an application is submitted', async () => {
    const { browser } = await openBff();
    await startSession(browser);
    const answer = await browser.send('GET', apiPaths.application);
    expect(toOutcome(answer)).toBe('409 application-missing');
  });
});

describe('a repeated application', () => {
  const reversed = Object.fromEntries(Object.entries(createApplication()).toReversed());

  it.each([
    ['the same key and body', createApplication(), firstKey],
    ['the properties in another order', reversed, firstKey],
    ['another key', createApplication(), secondKey],
  ])('returns the same response for %s', async (_what, body, key) => {
    const bff = await openBff();
    const first = await bff.browser.apply();
    const again = await bff.browser.apply(body, key);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(listLeads(bff)).toHaveLength(1);
  });

  it.each([
    [firstKey, '422 idempotency-key-reused'],
    [secondKey, '409 application-exists'],
  ])('with another body and the key %s returns %s', async (key, outcome) => {
    const bff = await openApplied();
    expect(toOutcome(await bff.browser.apply(another, key))).toBe(outcome);
    expect(listLeads(bff)).toHaveLength(1);
  });

  it('moves to a new session', async () => {
    const bff = await openBff();
    const first = await bff.browser.apply();
    const again = bff.openBrowser();
    expect((await again.apply()).json).toEqual(first.json);
    expect(await readJson(again, apiPaths.application)).toEqual(first.json);
    expect((await readStatus(bff)).code).toBe('application-missing');
    expect(listLeads(bff)).toHaveLength(1);
  });

  it.each([
    ['one session with two keys', 1, [firstKey, secondKey]],
    ['twenty sessions with one key', 20, [firstKey]],
  ])('creates one lead for twenty requests at once of %s', async (_who, sessions, keys) => {
    const bff = await openBff();
    const browsers = Array.from({ length: sessions }, () => bff.openBrowser());
    await Promise.all(browsers.map(startSession));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        browsers[index % sessions]!.apply(createApplication(), keys[index % keys.length]),
      ),
    );
    expect(new Set(answers.map(({ json }) => json.reference)).size).toBe(1);
    expect(listLeads(bff)).toHaveLength(1);
  });

  it.each([
    ['another body in a new session', undefined, another],
    ['a page of another origin', 'http://other.localhost:8080', createApplication()],
  ])('is a new application with %s', async (_what, origin, body) => {
    const bff = await openApplied();
    expect((await bff.openBrowser(origin).apply(body)).status).toBe(201);
    expect(listLeads(bff)).toHaveLength(2);
  });

  it('is a new application if the data key of the first is missing', async () => {
    const { store, time } = await openApplied();
    const later = await startBff({ store, time, variables: { DATA_KEYS: `2:${strongKey(2)}` } });
    expect((await later.openBrowser().apply()).status).toBe(201);
    expect(listLeads(later)).toHaveLength(1);
  });
});

describe('an application while the funding service fails', () => {
  const lost = { kind: 'interrupted', failure: 'UND_ERR_SOCKET' } as const;
  const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
  const toFailure = (status: number, ResponseText: string) =>
    createResponse(status, { IsSuccessful: false, ResponseText });

  it.each<[string, Omit<OrderedFault, 'path'>, string]>(
    // prettier-ignore
    [
      ['is unreachable', { result: unreachable }, 'accepted'],
      ['does not get the request', { result: lost }, 'accepted'],
      ['loses its response', { result: lost, isProcessed: true }, 'confirming'],
      ['stores the lead and returns 500', { result: toFailure(500, 'An unexpected error occurred'), isProcessed: true }, 'confirming'],
      ['stores the lead and returns a failure text', { result: toFailure(200, 'An unexpected error occurred while saving Company'), isProcessed: true }, 'confirming'],
    ],
  )('creates one lead if the service %s', async (_how, fault, status) => {
    const bff = await openBff();
    bff.faults.push({ path: '/creditapp', ...fault });
    const answer = await bff.browser.apply();
    expect([answer.status, answer.json.status]).toEqual([202, 'received']);
    await passTime(bff);
    await becomes(bff, status);
    expect(toOutcome(await bff.browser.apply())).toBe(status === 'accepted' ? '201' : '202');
    expect(listLeads(bff)).toHaveLength(1);
    const isReported = bff.logLines.join('').includes('application-unconfirmed');
    expect(isReported).toBe(status === 'confirming');
  });

  it('is received without a delay while the service takes long', async () => {
    const bff = await openBff();
    const slow = Promise.withResolvers<void>();
    const operation = 'create-lead';
    bff.sandbox.context.state.faults.push({ kind: 'delay', operation, times: 1, delayMs: 1 });
    Object.assign(bff.sandbox.context, { delay: () => slow.promise });
    const pending = bff.browser.apply();
    await until(() => bff.calls.length === 2);
    await passTime(bff, 8_000);
    const answer = await pending;
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ status: 'received', delayed: false });
    slow.resolve();
    await becomes(bff, 'accepted');
  });

  it('is stored before anything is sent', async () => {
    const bff = await openBff();
    bff.faults.push({ path: '/services/oauth2/token', result: unreachable });
    const { json } = await bff.browser.apply();
    expect(json).toMatchObject({ status: 'received', delayed: true });
    expect(bff.calls).toEqual(['/services/oauth2/token']);
    expect((await bff.store.findApplication(json.reference))?.state).toBe('waiting');
  });

  it('can be corrected after a rejection that names the field', async () => {
    const bff = await openBff();
    const application = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    const errors = [{ pointer: '/business/name', code: 'rejected' }];
    for (let time = 0; time < 2; time += 1) {
      const answer = await bff.browser.apply(application);
      expect([toOutcome(answer), answer.json.errors]).toEqual(['422 application-rejected', errors]);
    }
    const refused = await readStatus(bff);
    expect(refused).toMatchObject({ status: 'rejected', errors });
    const corrected = await bff.browser.apply(createApplication(), secondKey);
    expect(corrected.status).toBe(201);
    expect(corrected.json.reference).not.toBe(refused.reference);
    expect(await readStatus(bff)).toEqual(corrected.json);
  });
});
