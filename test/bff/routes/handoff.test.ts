// `/v1/handoff`: what the desktop and the phone see in each state, and which requests a phone session may send.

import { describe, expect, it } from 'vitest';
import { handoffLifetime } from '../../../shared/api/handoff.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBffOptions } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import {
  claim,
  confirm,
  connectPhone,
  type CreatedHandoff,
  createHandoff,
  openPhone,
  pickWrong,
} from '../../support/handoff.ts';
import {
  listEvents,
  openApplied,
  openBff,
  post,
  readJson,
  readMetrics,
  startSession,
  toOutcome,
} from '../open-bff.ts';

const pairingMs = handoffLifetime.pairingSeconds * 1000;
const idleMs = handoffLifetime.idleSeconds * 1000;
const unknownToken = 'a'.repeat(22);
const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const pdf = createTextPdf('statement');

/** A desktop with an application, and a phone. */
async function open(options: TestBffOptions = {}) {
  const bff = await openApplied(options);
  const at = (ms: number) => new Date(bff.time.clock() + ms).toISOString();
  return { ...bff, at, desktop: bff.browser, phone: openPhone(bff, options.clientAddress) };
}

type Rig = Awaited<ReturnType<typeof open>>;

async function openClaimed() {
  const rig = await open();
  const handoff = await createHandoff(rig.desktop);
  return { ...rig, ...handoff, claimed: await claim(rig.phone, { token: handoff.token }) };
}

async function openConnected(options: TestBffOptions = {}) {
  const rig = await open(options);
  return { ...rig, ...(await connectPhone(rig.desktop, rig.phone)) };
}

const readState = async (browser: Browser) => (await readJson(browser, apiPaths.handoff)).state;
const listDocuments = (browser: Browser) => browser.send('GET', apiPaths.documents);
const listNames = async (browser: Browser) =>
  (await readJson(browser, apiPaths.documents)).documents.map(({ name }: { name: string }) => name);
const disconnect = (browser: Browser) => browser.send('DELETE', apiPaths.handoff);
const createAnother = (desktop: Browser) => desktop.send('POST', apiPaths.handoff, '{}');

describe('POST /v1/handoff', () => {
  it('returns a link, a code, and a number', async () => {
    const { desktop, at } = await open();
    const { status, json } = await createAnother(desktop);
    expect(status).toBe(201);
    expect(json).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:8081\/phone#[\w-]{22}$/),
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
      number: expect.stringMatching(/^[1-9]\d$/),
      expiresAt: at(pairingMs),
    });
  });

  it('stores neither the token nor the code', async () => {
    const { desktop, store } = await open();
    const { token, code } = await createHandoff(desktop);
    const { reference } = await readJson(desktop, apiPaths.application);
    const stored = JSON.stringify(await store.findLatestHandoff(reference));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(code.replace('-', ''));
  });

  it('needs an application', async () => {
    const { openBrowser } = await open();
    const other = openBrowser();
    await startSession(other);
    expect(toOutcome(await createAnother(other))).toBe('409 application-missing');
  });

  it.each([
    ['the BFF does not serve the element', { widget: undefined }],
    ['the settings turn it off', { settings: { page: { handoff: false } } }],
  ])('is off if %s', async (_reason, options) => {
    const { desktop } = await open(options);
    expect((await readJson(desktop, apiPaths.configuration)).handoff).toBe(false);
    expect(toOutcome(await createAnother(desktop))).toBe('404 not-found');
  });
});

describe('GET /v1/handoff on the desktop', () => {
  it('follows the phone', async () => {
    const { desktop, phone, at } = await open();
    const read = () => readJson(desktop, apiPaths.handoff);
    expect(await read()).toEqual({ state: 'none' });
    const { token, number } = await createHandoff(desktop);
    expect(await read()).toEqual({ state: 'waiting', expiresAt: at(pairingMs) });
    await claim(phone, { token });
    expect(await readState(desktop)).toBe('claimed');
    await confirm(phone, number);
    expect(await read()).toEqual({ state: 'connected', expiresAt: at(idleMs) });
    await disconnect(phone);
    expect(await read()).toEqual({ state: 'ended' });
    // Nothing changes after an end.
    await disconnect(desktop);
    expect(await readState(desktop)).toBe('ended');
  });
});

it('an expired handoff stays expired when the desktop ends it', async () => {
  const { desktop, time } = await open();
  await createHandoff(desktop);
  time.advance(pairingMs);
  await disconnect(desktop);
  expect(await readState(desktop)).toBe('expired');
});

describe('POST /v1/handoff/claim', () => {
  it('shows whose application it is', async () => {
    const { claimed, desktop, number, at } = await openClaimed();
    const { reference } = await readJson(desktop, apiPaths.application);
    expect(claimed.status).toBe(200);
    expect(claimed.json).toEqual({
      state: 'claimed',
      partnerName: 'Sandbox Partner',
      reference,
      businessName: expect.stringMatching(/^[^•]+•+( [^•]+•*)*$/),
      choices: expect.arrayContaining([number]),
      expiresAt: at(pairingMs),
    });
    expect(new Set(claimed.json.choices).size).toBe(3);
  });

  it.each([
    ['Sunrise Bakery', 'Sunr••• Ba••••'],
    ['A & B', 'A & B'],
    ['Müller 🍞🥖🥐 of Northern Vermont and Maine', 'Mül••• 🍞🥖• o• No••••••'],
    ['Supercalifragilistic', 'Supe••••••'],
  ])('masks the business name %s', async (name, masked) => {
    const { openBrowser, phone } = await open();
    const browser = openBrowser();
    await browser.apply(createApplication({ name }));
    const { token } = await createHandoff(browser);
    expect((await claim(phone, { token })).json.businessName).toBe(masked);
  });

  it.each<[string, (code: string) => string]>([
    ['as it is shown', (code) => code],
    ['in lowercase without a hyphen', (code) => code.toLowerCase().replace('-', '')],
    ['with spaces', (code) => [...code].join(' ')],
    ['with a dash of a phone keyboard', (code) => code.replace('-', '–')],
    ['with letters like digits', (code) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
  ])('accepts a code %s', async (_how, type) => {
    const { desktop, phone } = await open();
    const { code } = await createHandoff(desktop);
    expect((await claim(phone, { code: type(code) })).status).toBe(200);
  });

  it.each([
    ['an unknown token', { token: unknownToken }, '404 handoff-not-found'],
    ['a token of another form', { token: 'short' }, '404 handoff-not-found'],
    ['an unknown code', { code: 'ABCD-EFGH' }, '404 handoff-not-found'],
    ['a code that is too long', { code: 'ABCD-EFGH-J' }, '404 handoff-not-found'],
    ['neither token nor code', {}, '400 invalid-request'],
    ['both token and code', { token: unknownToken, code: 'ABCD-EFGH' }, '400 invalid-request'],
  ])('refuses %s', async (_what, body, outcome) => {
    const { phone } = await open();
    expect(toOutcome(await claim(phone, body))).toBe(outcome);
  });

  it.each<[string, (rig: Rig, handoff: CreatedHandoff) => unknown, string, string]>([
    ['five minutes', ({ time }) => time.advance(pairingMs), '410 handoff-expired', 'expired'],
    ['another handoff', ({ desktop }) => createHandoff(desktop), '410 handoff-revoked', 'waiting'],
    [
      'an end',
      async (rig, { token, number }) => {
        const other = openPhone(rig);
        await claim(other, { token });
        await confirm(other, number);
        await disconnect(other);
      },
      '409 handoff-claimed',
      'ended',
    ],
  ])('fails after %s', async (_what, happen, outcome, state) => {
    const rig = await open();
    const handoff = await createHandoff(rig.desktop);
    await happen(rig, handoff);
    expect(toOutcome(await claim(rig.phone, { token: handoff.token }))).toBe(outcome);
    expect(await readState(rig.desktop)).toBe(state);
  });

  it('leaves an application session of the same browser alone', async () => {
    const { openBrowser, config, desktop, phone } = await open();
    const other = openBrowser(config.publicOrigin);
    await other.send('POST', apiPaths.session, undefined, sameOrigin);
    await other.apply(createApplication(), undefined, sameOrigin);
    for (const [name, value] of other.cookies) phone.cookies.set(name, value);
    const { token } = await createHandoff(desktop);
    await claim(phone, { token });
    expect(phone.cookies.size).toBe(2);
    for (const [name, value] of phone.cookies) other.cookies.set(name, value);
    expect((await other.send('GET', apiPaths.application, undefined, sameOrigin)).status).toBe(200);
  });

  it('returns a session token on request', async () => {
    const { desktop, phone } = await open();
    const { token, number } = await createHandoff(desktop);
    const { json } = await claim(phone, { token, transport: 'handle' });
    expect(phone.cookies.size).toBe(0);
    const headers = { authorization: `Funding ${json.handle}` };
    expect((await post(phone, apiPaths.handoffConfirm, { number }, headers)).status).toBe(204);
  });

  it('is closed to the host page', async () => {
    const { desktop, openBrowser } = await open();
    const { token } = await createHandoff(desktop);
    const headers = { [apiHeaders.phone]: '1' };
    const answer = await post(openBrowser(), apiPaths.handoffClaim, { token }, headers);
    expect(toOutcome(answer)).toBe('403 forbidden-scope');
  });

  it('needs the header of phones', async () => {
    const { desktop, phone } = await open();
    const { token } = await createHandoff(desktop);
    const headers = { [apiHeaders.phone]: undefined };
    const answer = await post(phone, apiPaths.handoffClaim, { token }, headers);
    expect(toOutcome(answer)).toBe('401 session-missing');
  });
});

describe('POST /v1/handoff/confirm', () => {
  it('is closed to the desktop', async () => {
    const { desktop, number } = await openClaimed();
    expect(toOutcome(await confirm(desktop, number))).toBe('403 forbidden-scope');
  });

  it('connects with the number of the desktop', async () => {
    const { phone, at, number } = await openConnected();
    const json = await readJson(phone, apiPaths.handoff);
    expect(json).toMatchObject({ state: 'connected', expiresAt: at(idleMs) });
    expect(json).not.toHaveProperty('choices');
    // The phone may repeat the request after a lost response.
    expect((await confirm(phone, number)).status).toBe(204);
  });

  it('ends the handoff with a wrong number', async () => {
    const { phone, desktop, number, claimed, logLines } = await openClaimed();
    for (const picked of [pickWrong(claimed.json.choices, number), number]) {
      expect(toOutcome(await confirm(phone, picked))).toBe('403 handoff-wrong-number');
    }
    expect(await readState(desktop)).toBe('wrong-number');
    expect(logLines.join('')).toContain('"handoff-suspicious"');
  });
});

describe('DELETE /v1/handoff', () => {
  it('declines before the number is picked', async () => {
    const { phone, desktop, logLines } = await openClaimed();
    await disconnect(phone);
    expect(await readState(desktop)).toBe('declined');
    expect(toOutcome(await phone.send('GET', apiPaths.handoff))).toBe('410 handoff-declined');
    expect(logLines.join('')).toContain('"handoff-suspicious"');
  });

  it('does nothing without a handoff', async () => {
    const { desktop } = await open();
    expect((await disconnect(desktop)).status).toBe(204);
  });
});

describe('a phone session', () => {
  it('uploads documents that the desktop sees', async () => {
    const { desktop, phone } = await openConnected();
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    const { status, json } = await phone.upload(pdf, 'phone.pdf');
    expect([status, json.fromPhone]).toEqual([201, true]);
    const { documents } = await readJson(desktop, apiPaths.session);
    expect(documents).toMatchObject([
      { name: 'desktop.pdf' },
      { name: 'phone.pdf', fromPhone: true },
    ]);
    expect(documents[0]).not.toHaveProperty('fromPhone');
  });

  it('sees its own documents only', async () => {
    const rig = await openConnected();
    const other = openPhone(rig);
    await rig.desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await rig.phone.upload(pdf, 'phone.pdf');
    await connectPhone(rig.desktop, other);
    await other.upload(createTextPdf('other'), 'other.pdf');
    expect(await listNames(other)).toEqual(['other.pdf']);
    expect(await listNames(rig.desktop)).toEqual(['desktop.pdf', 'phone.pdf', 'other.pdf']);
  });

  it('changes and removes its own documents only', async () => {
    const settings = { documents: { undoSeconds: 60 } };
    const { desktop, phone } = await openConnected({ settings });
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await phone.upload(pdf, 'phone.pdf');
    const change = (number: number) =>
      post(phone, apiPaths.documentCategory, { number, category: 'bank-statements-feb' });
    expect(toOutcome(await change(1))).toBe('404 document-missing');
    expect((await change(2)).json.category).toBe('bank-statements-feb');
    for (const number of [1, 2]) {
      expect((await post(phone, apiPaths.documentRemoval, { number })).status).toBe(204);
    }
    expect(await listNames(desktop)).toEqual(['desktop.pdf']);
  });

  it('shares the limits of the application', async () => {
    const { desktop, phone } = await openConnected({ settings: { documents: { maxFiles: 1 } } });
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    expect(toOutcome(await phone.upload(pdf))).toBe('409 document-limit-reached');
  });

  it('uploads nothing before the number is picked', async () => {
    const { phone } = await openClaimed();
    expect(toOutcome(await phone.upload(pdf))).toBe('403 forbidden-scope');
    expect(toOutcome(await listDocuments(phone))).toBe('403 forbidden-scope');
  });

  it('keeps nothing of an upload that the desktop interrupts', async () => {
    const { desktop, phone } = await openConnected();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const headers = toUploadHeaders('phone.pdf', pdf.byteLength);
    const upload = phone.send('POST', apiPaths.documents, readable, headers);
    await writer.write(pdf.slice(0, 100));
    await disconnect(desktop);
    await writer.write(pdf.slice(100));
    await writer.close();
    expect(toOutcome(await upload)).toBe('410 handoff-revoked');
    expect(await listNames(desktop)).toEqual([]);
  });

  it.each<[string, (rig: Rig) => unknown, string]>([
    ['the desktop disconnects it', ({ desktop }) => disconnect(desktop), '410 handoff-revoked'],
    [
      'the session of the desktop ends',
      ({ desktop }) => desktop.send('DELETE', apiPaths.session),
      '410 handoff-revoked',
    ],
    [
      'the application is erased',
      async ({ desktop, store }) =>
        store.erase((await readJson(desktop, apiPaths.application)).reference),
      '410 handoff-ended',
    ],
  ])('ends when %s', async (_event, happen, outcome) => {
    const rig = await openConnected();
    await happen(rig);
    expect(toOutcome(await listDocuments(rig.phone))).toBe(outcome);
  });

  it('counts for nothing without the header of phones', async () => {
    const { phone } = await openConnected();
    const [[name, value] = ['', '']] = phone.cookies;
    const answer = await phone.send('GET', apiPaths.documents, undefined, {
      [apiHeaders.phone]: undefined,
      cookie: `${name.replace('-phone', '')}=${value}`,
    });
    expect(toOutcome(answer)).toBe('401 session-missing');
  });

  it('cannot be an application session', async () => {
    const { openBrowser, config, phone } = await open();
    const browser = openBrowser(config.publicOrigin);
    await browser.send('POST', apiPaths.session, undefined, sameOrigin);
    const [[name, value] = ['', '']] = browser.cookies;
    const cookie = `${name.replace('session-', 'session-phone-')}=${value}`;
    const answer = await phone.send('GET', apiPaths.documents, undefined, { cookie });
    expect(toOutcome(answer)).toBe('401 session-missing');
  });

  it('may send the listed requests and no other', async () => {
    const { app, desktop, phone } = await openConnected();
    // Every route of the app, so that a new one is closed to phones until it is listed below.
    const routes = new Set(
      app.routes
        .map(({ method, path }) => `${method} ${path}`)
        .filter((route) => /^(GET|POST|DELETE) \/v1\//.test(route)),
    );
    const open: string[] = [];
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const type = path === apiPaths.documents ? 'application/octet-stream' : 'application/json';
      const body = method === 'POST' ? '{}' : undefined;
      const answer = await phone.send(method, path, body, { 'content-type': type });
      if (answer.json?.code !== 'forbidden-scope') open.push(route);
      // This request ends the handoff.
      if (route === `DELETE ${apiPaths.handoff}`) await connectPhone(desktop, phone);
    }
    expect(open.toSorted()).toEqual(
      [
        `GET ${apiPaths.configuration}`,
        `GET ${apiPaths.documents}`,
        `POST ${apiPaths.documents}`,
        `POST ${apiPaths.documentCategory}`,
        `POST ${apiPaths.documentRemoval}`,
        `GET ${apiPaths.handoff}`,
        `DELETE ${apiPaths.handoff}`,
        `POST ${apiPaths.handoffClaim}`,
        `POST ${apiPaths.handoffConfirm}`,
      ].toSorted(),
    );
    expect(routes.size).toBeGreaterThan(open.length);
  });
});

describe('the rate limits', () => {
  /** The applicant needs longer for the form than a bot. */
  async function openLimited(limits: object = {}) {
    const clientAddress = '203.0.113.7';
    const bff = await openBff({ settings: { limits }, clientAddress });
    await startSession(bff.browser);
    bff.time.advance(10_000);
    await bff.browser.apply();
    return { ...bff, desktop: bff.browser, phone: openPhone(bff, clientAddress) };
  }

  it('allow five wrong codes per address', async () => {
    const rig = await openLimited();
    const { code } = await createHandoff(rig.desktop);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(toOutcome(await claim(rig.phone, { code: 'ABCD-EFGH' }))).toBe(
        '404 handoff-not-found',
      );
    }
    expect(toOutcome(await claim(rig.phone, { code }))).toBe('429 too-many-requests');
    expect((await claim(openPhone(rig, '203.0.113.8'), { code })).status).toBe(200);
  });

  it('do not count right codes as wrong ones', async () => {
    const { desktop, phone } = await openLimited();
    for (let tries = 0; tries < 7; tries += 1) {
      const { code } = await createHandoff(desktop);
      expect((await claim(phone, { code })).status).toBe(200);
    }
  });

  it('count the claims of an address', async () => {
    const { desktop, phone } = await openLimited({ handoffClaimsPerHourPerAddress: 1 });
    const { token } = await createHandoff(desktop);
    await claim(phone, { token: unknownToken });
    expect(toOutcome(await claim(phone, { token }))).toBe('429 too-many-requests');
  });

  it('count the handoffs of a session', async () => {
    const { desktop } = await openLimited({ handoffsPerHourPerSession: 1 });
    await createHandoff(desktop);
    expect(toOutcome(await createAnother(desktop))).toBe('429 too-many-requests');
  });
});

it('logs and counts the states of a handoff without its secrets', async () => {
  const rig = await openConnected();
  const states = listEvents(rig, 'handoff-changed').map(({ state }) => state);
  expect(states).toEqual(['waiting', 'claimed', 'connected']);
  const log = rig.logLines.join('');
  for (const secret of [rig.token, rig.code, `"${rig.number}"`]) expect(log).not.toContain(secret);
  expect(await readMetrics(rig)).toContain('funding_handoffs_total{state="connected"} 1');
});
