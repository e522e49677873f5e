// `POST /v1/contact` with a sandbox.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { secondKey, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

const current = { id: 'contact', version: 'placeholder-1' };
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;

describe('POST /v1/contact', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('enables contact for each request, and stores each consent', async () => {
    const { json } = await browser.apply(createApplication({ name: 'Bakery [do not contact]' }));
    const [lead] = bff.sandbox.context.state.leads.values();
    expect(lead?.contactPreference).toBe('do-not-contact');
    const answers = [await ask(current), await ask(current)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.json).toEqual({ contact: 'enabled' });
    expect(lead?.contactPreference).toBe('contact-allowed');
    expect(await countConsents(json.reference)).toBe(3);
    expect(await told()).toEqual({ status: 'enabled' });
  });

  it('stores the consent in the language of the form', async () => {
    const { json } = await browser.apply();
    await ask({ ...current, locale: 'es' });
    const texts = (await bff.store.listConsents(json.reference)).map(({ text }) => text);
    expect(texts.at(-1)).toContain('Los prestamistas pueden llamarme');
  });

  it('returns "received" while the funding service is unavailable', async () => {
    await browser.apply(createApplication({ name: 'Bakery [do not contact]' }));
    const [lead] = bff.sandbox.context.state.leads.values();
    bff.faults.push({ path: '/contactUser', result: unreachable });
    const answer = await ask(current);
    expect([answer.status, answer.json]).toEqual([202, { contact: 'received' }]);
    expect(await told()).toEqual({ status: 'received' });
    expect(lead?.contactPreference).toBe('do-not-contact');
    await passTime(2_000);
    await until(async () => (await told()).status === 'enabled');
    expect(lead?.contactPreference).toBe('contact-allowed');
  });

  it('keeps the request after an unknown failure text', async () => {
    await browser.apply();
    const text = JSON.stringify({ IsSuccessful: false, ResponseText: 'Contact is closed' });
    const result = { kind: 'response', status: 200, headers: {}, text } as const;
    bff.faults.push({ path: '/contactUser', result });
    const answer = await ask(current);
    expect([answer.status, answer.json]).toEqual([202, { contact: 'received' }]);
    expect(await told()).toEqual({ status: 'received' });
    await passTime(2_000);
    await until(async () => (await told()).status === 'enabled');
  });

  it('waits until the application is accepted', async () => {
    bff.faults.push({ path: '/creditapp', result: unreachable });
    await browser.apply();
    const answer = await ask(current);
    expect([answer.status, answer.json]).toEqual([202, { contact: 'received' }]);
    expect(contactCalls()).toBe(0);
    await passTime(2_000);
    await until(async () => (await told()).status === 'enabled');
    expect(contactCalls()).toBe(1);
  });

  it('joins twenty concurrent requests, and stores every consent', async () => {
    const { json } = await browser.apply();
    bff.faults.push({ path: '/contactUser', result: unreachable });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(current)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    await passTime(2_000);
    await until(async () => (await told()).status === 'enabled');
    expect(contactCalls()).toBe(2);
    expect(await bff.store.listAttachments(json.reference, 'contact')).toHaveLength(1);
    expect(await countConsents(json.reference)).toBe(21);
  });

  it.each([
    { id: 'contact', version: 'placeholder-0' },
    { id: 'terms', version: 'placeholder-1' },
    { ...current, locale: 'xx' },
  ])('rejects the consent %o', async (consent) => {
    await browser.apply();
    expect(isProblem(await ask(consent), 'consent-required')).toBe(true);
    expect(contactCalls()).toBe(0);
    expect(await told()).toBeNull();
  });

  it('rejects a request without a consent', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.contact, '{}');
    expect(isProblem(answer, 'invalid-request')).toBe(true);
  });

  it('rejects a request without an active application', async () => {
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await ask(current), 'application-missing')).toBe(true);
    await browser.apply(createApplication({ name: 'B [create-lead/invalid-field-value]' }));
    expect(isProblem(await ask(current), 'application-rejected')).toBe(true);
    await browser.apply(createApplication(), secondKey);
    expect((await ask(current)).status).toBe(200);
  });

  it('stores nothing if the application was erased meanwhile', async () => {
    await bff.close();
    const store = await openStore('file::memory:');
    bff = await startBff({
      store: {
        ...store,
        addContactRequest: async (contact, consent) => {
          await store.erase(contact.applicationId);
          return store.addContactRequest(contact, consent);
        },
      },
    });
    browser = bff.openBrowser();
    const { json } = await browser.apply();
    expect(isProblem(await ask(current), 'application-missing')).toBe(true);
    expect(await countConsents(json.reference)).toBe(1);
    expect(await told()).toBeNull();
  });

  function ask(consent: object) {
    return browser.send('POST', apiPaths.contact, JSON.stringify({ consent }));
  }

  async function told() {
    return (await browser.send('GET', apiPaths.session)).json.contact;
  }

  function contactCalls(): number {
    return bff.calls.filter((path) => path.endsWith('/contactUser')).length;
  }

  async function countConsents(reference: string): Promise<number> {
    const consents = await bff.store.listConsents(reference);
    return consents.filter(({ consentId }) => consentId === 'contact').length;
  }

  /** Waits until the delivery worker has set its timer, and advances the time. */
  async function passTime(ms: number): Promise<void> {
    // The only timer is that of the next attempt, once the worker has recorded the result.
    await until(() => bff.time.listTimers().join() === String(ms));
    bff.time.advance(ms);
  }
});
