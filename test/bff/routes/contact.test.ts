// `POST /v1/contact` with a sandbox.

import { describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { secondKey, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBff, TestBffOptions } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';
import { createResponse } from '../../support/scripted-transport.ts';
import { openBff, passTime, post, readJson, startSession, toOutcome } from '../open-bff.ts';

const consent = { id: 'contact', version: 'placeholder-1' };
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const unknownFailure = createResponse(200, {
  IsSuccessful: false,
  ResponseText: 'Contact is closed',
});

const ask = (browser: Browser, body: object = { consent }) => post(browser, apiPaths.contact, body);
const readContact = async (browser: Browser) => (await readJson(browser, apiPaths.session)).contact;
const countCalls = ({ calls }: TestBff) =>
  calls.filter((path) => path.endsWith('/contactUser')).length;
const readPreference = ({ sandbox }: TestBff) =>
  [...sandbox.context.state.leads.values()].at(-1)?.contactPreference;

/** An application whose applicant does not want to be called. */
async function open(options?: TestBffOptions) {
  const bff = await openBff(options);
  const { json } = await bff.browser.apply(createApplication({ name: 'Bakery [do not contact]' }));
  const listConsents = async () =>
    (await bff.store.listConsents(json.reference)).filter(
      ({ consentId }) => consentId === 'contact',
    );
  return { ...bff, reference: json.reference as string, listConsents };
}

describe('POST /v1/contact', () => {
  it('enables contact, and stores the consent of each request in its language', async () => {
    const bff = await open();
    expect(readPreference(bff)).toBe('do-not-contact');
    for (const locale of ['en', 'es']) {
      const answer = await ask(bff.browser, { consent: { ...consent, locale } });
      expect([answer.status, answer.json]).toEqual([200, { contact: 'enabled' }]);
    }
    expect(readPreference(bff)).toBe('contact-allowed');
    expect(await readContact(bff.browser)).toEqual({ status: 'enabled' });
    const consents = await bff.listConsents();
    expect(consents).toHaveLength(3);
    expect(consents.at(-1)?.text).toContain('Los prestamistas pueden llamarme');
  });

  it.each([
    ['the funding service is unavailable', '/contactUser', unreachable, 1],
    ['an unknown failure text passes', '/contactUser', unknownFailure, 1],
    ['the application is not accepted', '/creditapp', unreachable, 0],
  ])('returns "received" while %s', async (_what, path, result, calls) => {
    const bff = await openBff();
    bff.faults.push({ path, result });
    await bff.browser.apply(createApplication({ name: 'Bakery [do not contact]' }));
    const answer = await ask(bff.browser);
    expect([answer.status, answer.json]).toEqual([202, { contact: 'received' }]);
    expect(await readContact(bff.browser)).toEqual({ status: 'received' });
    expect(countCalls(bff)).toBe(calls);
    await passTime(bff);
    await until(async () => (await readContact(bff.browser)).status === 'enabled');
    expect(readPreference(bff)).toBe('contact-allowed');
    expect(countCalls(bff)).toBe(calls + 1);
  });

  it('joins twenty concurrent requests, and stores every consent', async () => {
    const bff = await open();
    bff.faults.push({ path: '/contactUser', result: unreachable });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(bff.browser)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    await passTime(bff);
    await until(async () => (await readContact(bff.browser)).status === 'enabled');
    expect(countCalls(bff)).toBe(2);
    expect(await bff.store.listAttachments(bff.reference, 'contact')).toHaveLength(1);
    expect(await bff.listConsents()).toHaveLength(21);
  });

  it.each([
    [{ consent: { ...consent, version: 'placeholder-0' } }, '422 consent-required'],
    [{ consent: { ...consent, id: 'terms' } }, '422 consent-required'],
    [{ consent: { ...consent, locale: 'xx' } }, '422 consent-required'],
    [{}, '400 invalid-request'],
  ])('rejects %j', async (body, outcome) => {
    const bff = await open();
    expect(toOutcome(await ask(bff.browser, body))).toBe(outcome);
    expect(countCalls(bff)).toBe(0);
    expect(await readContact(bff.browser)).toBeNull();
  });

  it('rejects a request without an active application', async () => {
    const { browser } = await openBff();
    await startSession(browser);
    expect(toOutcome(await ask(browser))).toBe('409 application-missing');
    await browser.apply(createApplication({ name: 'B [create-lead/invalid-field-value]' }));
    expect(toOutcome(await ask(browser))).toBe('422 application-rejected');
    await browser.apply(createApplication(), secondKey);
    expect((await ask(browser)).status).toBe(200);
  });

  it('stores nothing if the application was erased meanwhile', async () => {
    const store = await openStore('file::memory:');
    const addContactRequest: typeof store.addContactRequest = async (contact, evidence) => {
      await store.erase(contact.applicationId);
      return store.addContactRequest(contact, evidence);
    };
    const bff = await open({ store: { ...store, addContactRequest } });
    expect(toOutcome(await ask(bff.browser))).toBe('409 application-missing');
    expect(await bff.listConsents()).toHaveLength(1);
    expect(await readContact(bff.browser)).toBeNull();
  });
});
