// `/v1/application` with a sandbox: each application becomes one lead.

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicationStatusSchema } from '../../../shared/api/application-status.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { firstKey, secondKey, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { strongKey } from '../config/config-source.ts';

describe('POST /v1/application', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('returns 201 if the funding service accepts in time', async () => {
    const answer = await browser.apply();
    expect(answer.status).toBe(201);
    const lead = onlyLead();
    expect(applicationStatusSchema.parse(answer.json)).toEqual({
      status: 'accepted',
      reference: lead.referenceId,
      receivedAt: '2026-11-20T10:00:00.000Z',
      acceptedAt: '2026-11-20T10:00:00.000Z',
      delayed: false,
      trackingUrl: lead.trackingUrl,
    });
  });

  it('sends every answer as a field of the lead', async () => {
    await browser.apply({ ...createApplication(), campaignId: 'spring-2026' });
    expect(onlyLead().lead).toMatchObject({
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
    });
  });

  it('stores the consents as evidence, with label and text', async () => {
    const answer = await browser.apply();
    const consents = await bff.store.listConsents(answer.json.reference);
    expect(consents.map(({ consentId }) => consentId)).toEqual([
      'credit-authorization',
      'electronic-records',
      'terms',
      'contact',
    ]);
    const { label, text } = bff.config.settings.consents[2]!;
    expect(consents[2]).toMatchObject({
      version: 'placeholder-1',
      text: `${label.en}\n\n${text.en}`,
      textHash: createHash('sha256').update(`${label.en}\n\n${text.en}`).digest('hex'),
      givenAt: bff.time.clock(),
    });
  });

  it('stores each consent in the language of the form', async () => {
    const application = createApplication();
    const [first, ...others] = application.consents;
    const consents = [{ ...first, locale: 'es' }, ...others];
    const { json } = await browser.apply({ ...application, consents });
    const [spanish, english] = await bff.store.listConsents(json.reference);
    expect(spanish).toMatchObject({ locale: 'es', text: expect.stringMatching(/^Autorizo la/) });
    expect(english).toMatchObject({ locale: 'en', text: expect.stringMatching(/^I agree to/) });
  });

  it('rejects a consent in a language that the form does not offer', async () => {
    const application = createApplication();
    const consents = application.consents.map((consent) => ({ ...consent, locale: 'xx' }));
    const answer = await browser.apply({ ...application, consents });
    expect(isProblem(answer, 'consent-required')).toBe(true);
  });

  describe('with a repeated application', () => {
    it('returns the same response for the same key and body', async () => {
      const first = await browser.apply();
      const again = await browser.apply();
      expect([again.status, again.json]).toEqual([first.status, first.json]);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    });

    it('ignores the order of properties', async () => {
      await browser.apply();
      const reversed = Object.fromEntries(Object.entries(createApplication()).toReversed());
      expect((await browser.apply(reversed)).status).toBe(201);
    });

    it('rejects another body with the same key', async () => {
      await browser.apply();
      const answer = await browser.apply(createApplication({ annualRevenue: 1 }));
      expect(isProblem(answer, 'idempotency-key-reused')).toBe(true);
    });

    it('returns the same response for the same body with another key', async () => {
      const first = await browser.apply();
      const again = await browser.apply(createApplication(), secondKey);
      expect(again.json.reference).toBe(first.json.reference);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    });

    it('rejects a second application of the session', async () => {
      await browser.apply();
      const answer = await browser.apply(createApplication({ annualRevenue: 1 }), secondKey);
      expect(isProblem(answer, 'application-exists')).toBe(true);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    });

    it('creates one lead for twenty concurrent requests', async () => {
      await browser.send('POST', apiPaths.session);
      const body = JSON.stringify(createApplication());
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_none, index) =>
          browser.send('POST', apiPaths.application, body, {
            [apiHeaders.idempotencyKey]:
              index % 2 === 0 ? firstKey : `${secondKey.slice(0, -2)}${10 + index}`,
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ json }) => json.reference)).size).toBe(1);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    });

    it('moves the application to a new session', async () => {
      const first = await browser.apply();
      const again = bff.openBrowser();
      expect((await again.apply()).json).toEqual(first.json);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
      expect((await again.send('GET', apiPaths.application)).json).toEqual(first.json);
      expect(isProblem(await status(), 'application-missing')).toBe(true);
    });

    it('creates one lead for twenty concurrent sessions', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => bff.openBrowser().apply()),
      );
      expect(new Set(answers.map(({ json }) => json.reference)).size).toBe(1);
      expect(bff.sandbox.context.state.leads.size).toBe(1);
    });

    it('accepts another body in a new session', async () => {
      await browser.apply();
      const other = await bff.openBrowser().apply(createApplication({ annualRevenue: 1 }));
      expect(other.status).toBe(201);
      expect(bff.sandbox.context.state.leads.size).toBe(2);
    });

    it('ignores an earlier application whose data key is missing', async () => {
      await browser.apply();
      const { store, time } = bff;
      const dataKey = Buffer.from('abcdefghijklmnopqrstuvwxyz012345').toString('base64');
      const later = await startBff({ store, time, variables: { DATA_KEYS: `2:${dataKey}` } });
      expect((await later.openBrowser().apply()).status).toBe(201);
      expect(later.sandbox.context.state.leads.size).toBe(1);
    });

    it.each(['1', '2'])('encrypts with the first data key: %s', async (first) => {
      const keys = [`1:${strongKey(1)}`, `2:${strongKey(2)}`];
      const DATA_KEYS = (first === '1' ? keys : keys.toReversed()).join(',');
      const { store, time } = bff;
      const other = await startBff({ store, time, variables: { DATA_KEYS } });
      const { json } = await other.openBrowser().apply();
      expect((await store.findApplication(json.reference))?.key.keyId).toBe(first);
    });

    it('does not move applications between origins', async () => {
      await browser.apply();
      const other = bff.openBrowser('http://other.localhost:8080');
      expect((await other.apply()).status).toBe(201);
      expect(bff.sandbox.context.state.leads.size).toBe(2);
    });
  });

  describe('rejects', () => {
    it('a request without a key', async () => {
      await browser.send('POST', apiPaths.session);
      const answer = await browser.send('POST', apiPaths.application, '{}');
      expect(isProblem(answer, 'idempotency-key-missing')).toBe(true);
    });

    it('a key that is not a UUID', async () => {
      expect(
        isProblem(await browser.apply(createApplication(), '1234'), 'idempotency-key-missing'),
      ).toBe(true);
    });

    it('a body that is not JSON', async () => {
      await browser.send('POST', apiPaths.session);
      const headers = { [apiHeaders.idempotencyKey]: firstKey };
      const answer = await browser.send('POST', apiPaths.application, '{"a":', headers);
      expect(isProblem(answer, 'invalid-request')).toBe(true);
      expect(answer.json.errors).toBeUndefined();
    });

    it('a body of more than 64 KB', async () => {
      const answer = await browser.apply({ text: 'x'.repeat(64 * 1024) });
      expect(isProblem(answer, 'too-large')).toBe(true);
      expect(answer.status).toBe(413);
    });

    it('invalid fields, with their pointers', async () => {
      const application = createApplication({ taxId: '12', annualRevenue: -1 });
      const answer = await browser.apply(application);
      expect(isProblem(answer, 'invalid-request')).toBe(true);
      expect(answer.json.errors).toEqual([
        { pointer: '/business/annualRevenue', code: 'too-small' },
        { pointer: '/business/taxId', code: 'ein' },
      ]);
    });

    it.each(['ID', 'LeadSource', 'SignatureIp', '__proto', 'applicationId'])(
      'the unknown field %s',
      async (name) => {
        const answer = await browser.apply({ ...createApplication(), [name]: 'x' });
        expect(answer.json.errors).toEqual([{ pointer: '', code: 'unknown-field' }]);
      },
    );

    it('a campaign id that the partner does not allow', async () => {
      const answer = await browser.apply({ ...createApplication(), campaignId: 'mine' });
      expect(answer.json.errors).toEqual([{ pointer: '/campaignId', code: 'not-in-list' }]);
    });

    const withoutTerms = createApplication().consents.filter(({ id }) => id !== 'terms');
    it.each([
      ['a missing required consent', withoutTerms],
      ['an outdated consent', [...withoutTerms, { id: 'terms', version: 'placeholder-0' }]],
      ['an unknown consent', [...createApplication().consents, { id: 'x', version: '1' }]],
    ])('%s', async (_name, consents) => {
      const answer = await browser.apply({ ...createApplication(), consents });
      expect(isProblem(answer, 'consent-required')).toBe(true);
      expect(bff.sandbox.context.state.leads.size).toBe(0);
    });
  });

  it('accepts an application without optional consents', async () => {
    const consents = createApplication().consents.filter(({ id }) => id !== 'contact');
    expect((await browser.apply({ ...createApplication(), consents })).status).toBe(201);
  });

  it('omits a tracking URL of another host', async () => {
    await bff.close();
    bff = await startBff({ settings: { trackingHosts: ['elsewhere.example'] } });
    browser = bff.openBrowser();
    expect((await browser.apply()).json.trackingUrl).toBeUndefined();
    expect((await status()).json.trackingUrl).toBeUndefined();
    const lines = bff.logLines.filter((line) => line.includes('tracking-url-refused'));
    expect(lines).toHaveLength(1);
  });

  it('returns no status before an application is submitted', async () => {
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await status(), 'application-missing')).toBe(true);
  });

  function status() {
    return browser.send('GET', apiPaths.application);
  }

  function onlyLead() {
    const [lead, ...others] = bff.sandbox.context.state.leads.values();
    if (!lead || others.length > 0) throw new Error('There is not exactly one lead');
    return lead;
  }
});
