// `POST /v1/contact` before a sandbox: only with a consent given now.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createApplication, createRig, isProblem, type Browser, type Rig } from '../bff-rig.ts';

const current = { id: 'contact', version: 'placeholder-1' };

describe('POST /v1/contact', () => {
  let rig: Rig;
  let browser: Browser;

  beforeEach(async () => {
    rig = await createRig();
    browser = rig.openBrowser();
  });

  afterEach(() => rig.close());

  it('re-enables contact, as often as it is asked, and keeps each consent', async () => {
    const { json } = await browser.apply(createApplication({ name: 'Bakery [do not contact]' }));
    const [lead] = rig.sandbox.context.state.leads.values();
    expect(lead?.contactPreference).toBe('do-not-contact');
    const answers = [await ask(current), await ask(current)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.json).toEqual({ contact: 'enabled' });
    expect(lead?.contactPreference).toBe('contact-allowed');
    const consents = await rig.journal.listConsents(json.reference);
    expect(consents.filter(({ consentId }) => consentId === 'contact')).toHaveLength(3);
  });

  it.each([
    { id: 'contact', version: 'placeholder-0' },
    { id: 'terms', version: 'placeholder-1' },
  ])('refuses the consent %o', async (consent) => {
    await browser.apply();
    expect(isProblem(await ask(consent), 'consent-required')).toBe(true);
    expect(rig.calls.filter((path) => path.endsWith('/contactUser'))).toEqual([]);
  });

  it('refuses a request without a consent', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.contact, '{}');
    expect(isProblem(answer, 'invalid-request')).toBe(true);
  });

  it('needs an accepted application', async () => {
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await ask(current), 'application-missing')).toBe(true);
  });

  it.each([
    ['contact-user/application-not-found', 'contact-refused', 409],
    ['contact-user/partner-headers-missing', 'service-unavailable', 503],
    ['contact-user/authentication-invalid', 'service-unavailable', 503],
  ] as const)('answers the row %s with %s', async (row, code, status) => {
    await browser.apply(createApplication({ name: `Bakery [${row}]` }));
    const answer = await ask(current);
    expect(isProblem(answer, code)).toBe(true);
    expect(answer.status).toBe(status);
  });

  function ask(consent: object) {
    return browser.send('POST', apiPaths.contact, JSON.stringify({ consent }));
  }
});
