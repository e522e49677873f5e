// `/v1/handoff`: what the desktop and the phone see in each state, and which requests a phone session may send.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handoffLifetime } from '../../../shared/api/handoff.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { pageOrigin, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { isProblem, startBff, type TestBff, type TestBffOptions } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import {
  claim,
  confirm,
  connectPhone,
  createHandoff,
  openPhone,
  pickWrong,
} from '../../support/handoff.ts';

const pairingMs = handoffLifetime.pairingSeconds * 1000;
const idleMs = handoffLifetime.idleSeconds * 1000;

let bff: TestBff;
let desktop: Browser;
let phone: Browser;

beforeEach(() => start());

afterEach(() => bff.close());

/** Starts a BFF, and submits an application on the desktop. */
async function start(settings: TestBffOptions['settings'] = {}): Promise<void> {
  bff = await startBff({ settings });
  desktop = bff.openBrowser();
  await desktop.apply();
  phone = openPhone(bff);
}

const readState = async (browser = desktop) =>
  (await browser.send('GET', apiPaths.handoff)).json.state;
const listNames = async (browser: Browser) =>
  (await browser.send('GET', apiPaths.documents)).json.documents.map(
    ({ name }: { name: string }) => name,
  );
const at = (ms: number) => new Date(bff.time.clock() + ms).toISOString();

describe('POST /v1/handoff', () => {
  it('returns a link, a code, and a number', async () => {
    const { status, json } = await desktop.send('POST', apiPaths.handoff, '{}');
    expect(status).toBe(201);
    expect(json).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:8081\/phone#[\w-]{22}$/),
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
      number: expect.stringMatching(/^[1-9]\d$/),
      expiresAt: at(pairingMs),
    });
  });

  it('stores neither the token nor the code', async () => {
    const { token, code } = await createHandoff(desktop);
    const application = (await desktop.send('GET', apiPaths.application)).json;
    const stored = JSON.stringify(await bff.store.findLatestHandoff(application.reference));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(code.replace('-', ''));
  });

  it('needs an application', async () => {
    const other = bff.openBrowser();
    await other.send('POST', apiPaths.session);
    expect(isProblem(await other.send('POST', apiPaths.handoff, '{}'), 'application-missing')).toBe(
      true,
    );
  });

  it('revokes the earlier handoff', async () => {
    const first = await createHandoff(desktop);
    await createHandoff(desktop);
    expect(isProblem(await claim(phone, { token: first.token }), 'handoff-revoked')).toBe(true);
  });

  it.each([
    ['the BFF does not serve the element', { widget: undefined }],
    ['the settings turn it off', { settings: { page: { handoff: false } } }],
  ])('is off if %s', async (_reason, options) => {
    const other = await startBff(options);
    const browser = other.openBrowser();
    await browser.apply();
    expect((await browser.send('GET', apiPaths.configuration)).json.handoff).toBe(false);
    expect(isProblem(await browser.send('POST', apiPaths.handoff, '{}'), 'not-found')).toBe(true);
    await other.close();
  });
});

describe('GET /v1/handoff on the desktop', () => {
  it('follows the phone', async () => {
    expect((await desktop.send('GET', apiPaths.handoff)).json).toEqual({ state: 'none' });
    const { token, number } = await createHandoff(desktop);
    expect((await desktop.send('GET', apiPaths.handoff)).json).toEqual({
      state: 'waiting',
      expiresAt: at(pairingMs),
    });
    await claim(phone, { token });
    expect(await readState()).toBe('claimed');
    await confirm(phone, number);
    expect((await desktop.send('GET', apiPaths.handoff)).json).toEqual({
      state: 'connected',
      expiresAt: at(idleMs),
    });
    await phone.send('DELETE', apiPaths.handoff);
    expect((await desktop.send('GET', apiPaths.handoff)).json).toEqual({ state: 'ended' });
  });

  it('reports that nobody claimed it', async () => {
    await createHandoff(desktop);
    bff.time.advance(pairingMs);
    expect(await readState()).toBe('expired');
  });

  it('reports that the phone was idle for 30 minutes', async () => {
    await connectPhone(desktop, phone);
    bff.time.advance(idleMs - 1);
    expect(await readState()).toBe('connected');
    bff.time.advance(1);
    expect(await readState()).toBe('ended');
  });
});

describe('POST /v1/handoff/claim', () => {
  it('shows whose application it is', async () => {
    const { token, number } = await createHandoff(desktop);
    const { status, json } = await claim(phone, { token });
    const { reference } = (await desktop.send('GET', apiPaths.application)).json;
    expect(status).toBe(200);
    expect(json).toEqual({
      state: 'claimed',
      partnerName: 'Sandbox Partner',
      reference,
      businessName: expect.stringMatching(/^[^•]+•+( [^•]+•*)*$/),
      choices: expect.arrayContaining([number]),
      expiresAt: at(pairingMs),
    });
    expect(new Set(json.choices).size).toBe(3);
  });

  it.each([
    ['Sunrise Bakery', 'Sunr••• Ba••••'],
    ['A & B', 'A & B'],
    ['Müller 🍞🥖🥐 of Northern Vermont and Maine', 'Mül••• 🍞🥖• o• No••••••'],
    ['Supercalifragilistic', 'Supe••••••'],
  ])('masks the business name %s', async (name, masked) => {
    const browser = bff.openBrowser();
    const application = createApplication();
    await browser.apply({ ...application, business: { ...application.business, name } });
    const { token } = await createHandoff(browser);
    expect((await claim(phone, { token })).json.businessName).toBe(masked);
  });

  it.each([
    ['as it is shown', (code: string) => code],
    ['in lowercase without a hyphen', (code: string) => code.toLowerCase().replace('-', '')],
    ['with spaces', (code: string) => [...code].join(' ')],
    ['with a dash of a phone keyboard', (code: string) => code.replace('-', '–')],
    [
      'with letters that look like digits',
      (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
    ],
  ])('accepts a code %s', async (_how, type) => {
    const { code } = await createHandoff(desktop);
    expect((await claim(phone, { code: type(code) })).status).toBe(200);
  });

  it.each([
    ['an unknown token', { token: 'a'.repeat(22) }],
    ['a token of another form', { token: 'short' }],
    ['an unknown code', { code: 'ABCD-EFGH' }],
    ['a code that is too long', { code: 'ABCD-EFGH-J' }],
  ])('finds nothing for %s', async (_what, body) => {
    expect(isProblem(await claim(phone, body), 'handoff-not-found')).toBe(true);
  });

  it.each([
    ['neither', {}],
    ['both', { token: 'a'.repeat(22), code: 'ABCD-EFGH' }],
  ])('refuses %s of token and code', async (_which, body) => {
    expect(isProblem(await claim(phone, body), 'invalid-request')).toBe(true);
  });

  it('succeeds for one of two phones at the same time', async () => {
    const { token, code } = await createHandoff(desktop);
    const answers = await Promise.all([
      claim(phone, { token }),
      claim(openPhone(bff), { token }),
      claim(openPhone(bff), { code }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(answers.filter((answer) => isProblem(answer, 'handoff-claimed'))).toHaveLength(2);
  });

  it('fails after five minutes', async () => {
    const { token } = await createHandoff(desktop);
    bff.time.advance(pairingMs);
    expect(isProblem(await claim(phone, { token }), 'handoff-expired')).toBe(true);
  });

  it('fails after an end', async () => {
    const { token } = await connectPhone(desktop, phone);
    await phone.send('DELETE', apiPaths.handoff);
    expect(isProblem(await claim(openPhone(bff), { token }), 'handoff-claimed')).toBe(true);
  });

  it('leaves an application session of the same browser alone', async () => {
    const other = bff.openBrowser(bff.config.publicOrigin);
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
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
    const { token, number } = await createHandoff(desktop);
    const { json } = await claim(phone, { token, transport: 'handle' });
    expect(phone.cookies.size).toBe(0);
    const authorization = `Funding ${json.handle}`;
    const body = JSON.stringify({ number });
    const confirmed = await phone.send('POST', apiPaths.handoffConfirm, body, { authorization });
    expect(confirmed.status).toBe(204);
  });

  it.each([pageOrigin, 'http://other.localhost:8080'])(
    'is closed to the page %s',
    async (origin) => {
      const { token } = await createHandoff(desktop);
      const page = bff.openBrowser(origin);
      const answer = await page.send('POST', apiPaths.handoffClaim, JSON.stringify({ token }), {
        [apiHeaders.phone]: '1',
      });
      expect(isProblem(answer, 'forbidden-scope')).toBe(true);
    },
  );

  it('needs the header of phones', async () => {
    const { token } = await createHandoff(desktop);
    const answer = await phone.send('POST', apiPaths.handoffClaim, JSON.stringify({ token }), {
      [apiHeaders.phone]: undefined,
    });
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });
});

describe('POST /v1/handoff/confirm', () => {
  it('connects with the number of the desktop', async () => {
    await connectPhone(desktop, phone);
    const { json } = await phone.send('GET', apiPaths.handoff);
    expect(json).toMatchObject({ state: 'connected', expiresAt: at(idleMs) });
    expect(json).not.toHaveProperty('choices');
  });

  it('may be repeated after a lost response', async () => {
    const { number } = await connectPhone(desktop, phone);
    expect((await confirm(phone, number)).status).toBe(204);
  });

  it('ends the handoff with a wrong number', async () => {
    const { token, number } = await createHandoff(desktop);
    const { choices } = (await claim(phone, { token })).json;
    const wrong = pickWrong(choices, number);
    expect(isProblem(await confirm(phone, wrong), 'handoff-wrong-number')).toBe(true);
    expect(isProblem(await confirm(phone, number), 'handoff-wrong-number')).toBe(true);
    expect(await readState()).toBe('wrong-number');
    expect(bff.logLines.join('')).toContain('"handoff-suspicious"');
  });

  it('fails five minutes after the claim', async () => {
    const { token, number } = await createHandoff(desktop);
    await claim(phone, { token });
    bff.time.advance(pairingMs);
    expect(isProblem(await confirm(phone, number), 'handoff-expired')).toBe(true);
  });

  it('is closed to the desktop', async () => {
    const { number } = await createHandoff(desktop);
    expect(isProblem(await confirm(desktop, number), 'forbidden-scope')).toBe(true);
  });
});

describe('DELETE /v1/handoff', () => {
  it('disconnects the phone', async () => {
    await connectPhone(desktop, phone);
    expect((await desktop.send('DELETE', apiPaths.handoff)).status).toBe(204);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'handoff-revoked')).toBe(true);
  });

  it('declines before the number is picked', async () => {
    const { token } = await createHandoff(desktop);
    await claim(phone, { token });
    await phone.send('DELETE', apiPaths.handoff);
    expect(await readState()).toBe('declined');
    expect(isProblem(await phone.send('GET', apiPaths.handoff), 'handoff-declined')).toBe(true);
    expect(bff.logLines.join('')).toContain('"handoff-suspicious"');
  });

  it('changes nothing after an end', async () => {
    await connectPhone(desktop, phone);
    await phone.send('DELETE', apiPaths.handoff);
    await desktop.send('DELETE', apiPaths.handoff);
    expect(await readState()).toBe('ended');
  });

  it('does nothing without a handoff', async () => {
    expect((await desktop.send('DELETE', apiPaths.handoff)).status).toBe(204);
  });
});

describe('a phone session', () => {
  const pdf = createTextPdf('statement');

  it('uploads documents that the desktop sees', async () => {
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await connectPhone(desktop, phone);
    const { status, json } = await phone.upload(pdf, 'phone.pdf');
    expect([status, json.fromPhone]).toEqual([201, true]);
    const { documents } = (await desktop.send('GET', apiPaths.session)).json;
    expect(
      documents.map(({ name, fromPhone }: Record<string, unknown>) => [name, fromPhone]),
    ).toEqual([
      ['desktop.pdf', undefined],
      ['phone.pdf', true],
    ]);
  });

  it('sees its own documents only', async () => {
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await connectPhone(desktop, phone);
    await phone.upload(pdf, 'phone.pdf');
    const other = openPhone(bff);
    await connectPhone(desktop, other);
    await other.upload(createTextPdf('other'), 'other.pdf');
    expect(await listNames(other)).toEqual(['other.pdf']);
    expect(await listNames(desktop)).toEqual(['desktop.pdf', 'phone.pdf', 'other.pdf']);
  });

  it('changes and removes its own documents only', async () => {
    await bff.close();
    await start({ documents: { undoSeconds: 60 } });
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await connectPhone(desktop, phone);
    await phone.upload(pdf, 'phone.pdf');
    const change = (number: number) =>
      phone.send(
        'POST',
        apiPaths.documentCategory,
        JSON.stringify({ number, category: 'bank-statements-feb' }),
      );
    const remove = (number: number) =>
      phone.send('POST', apiPaths.documentRemoval, JSON.stringify({ number }));
    expect(isProblem(await change(1), 'document-missing')).toBe(true);
    expect((await change(2)).json.category).toBe('bank-statements-feb');
    expect((await remove(1)).status).toBe(204);
    expect((await remove(2)).status).toBe(204);
    expect(await listNames(desktop)).toEqual(['desktop.pdf']);
  });

  it('shares the limits of the application', async () => {
    await bff.close();
    await start({ documents: { maxFiles: 1 } });
    await desktop.upload(createTextPdf('desktop'), 'desktop.pdf');
    await connectPhone(desktop, phone);
    expect(isProblem(await phone.upload(pdf), 'document-limit-reached')).toBe(true);
  });

  it('uploads nothing before the number is picked', async () => {
    const { token } = await createHandoff(desktop);
    await claim(phone, { token });
    expect(isProblem(await phone.upload(pdf), 'forbidden-scope')).toBe(true);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'forbidden-scope')).toBe(true);
  });

  it('keeps nothing of an upload that the desktop interrupts', async () => {
    await connectPhone(desktop, phone);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const upload = phone.send('POST', apiPaths.documents, readable, {
      'content-type': 'application/octet-stream',
      'content-length': String(pdf.byteLength),
      [apiHeaders.documentName]: 'phone.pdf',
      [apiHeaders.documentCategory]: 'bank-statements-jan',
    });
    await writer.write(pdf.slice(0, 100));
    await desktop.send('DELETE', apiPaths.handoff);
    await writer.write(pdf.slice(100));
    await writer.close();
    expect(isProblem(await upload, 'handoff-revoked')).toBe(true);
    expect(await listNames(desktop)).toEqual([]);
  });

  it('ends 30 minutes after its last request', async () => {
    await connectPhone(desktop, phone);
    bff.time.advance(idleMs - 1);
    expect((await phone.send('GET', apiPaths.documents)).status).toBe(200);
    bff.time.advance(idleMs - 1);
    expect((await phone.send('GET', apiPaths.documents)).status).toBe(200);
    bff.time.advance(idleMs);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'handoff-ended')).toBe(true);
  });

  it('ends after two hours', async () => {
    await connectPhone(desktop, phone);
    const step = idleMs / 2;
    for (let ms = step; ms < handoffLifetime.maxSeconds * 1000; ms += step) {
      bff.time.advance(step);
      expect((await phone.send('GET', apiPaths.documents)).status).toBe(200);
    }
    bff.time.advance(step);
    expect((await phone.send('GET', apiPaths.documents)).status).not.toBe(200);
  });

  it('never outlives the session of the desktop', async () => {
    bff.time.advance(sessionLifetime.maxSeconds * 1000 - 60_000);
    await connectPhone(desktop, phone);
    bff.time.advance(60_000);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'handoff-ended')).toBe(true);
  });

  it('ends with the session of the desktop', async () => {
    await connectPhone(desktop, phone);
    await desktop.send('DELETE', apiPaths.session);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'handoff-revoked')).toBe(true);
  });

  it('ends with the erasure of the application', async () => {
    await connectPhone(desktop, phone);
    const { reference } = (await desktop.send('GET', apiPaths.application)).json;
    await bff.store.erase(reference);
    expect(isProblem(await phone.send('GET', apiPaths.documents), 'handoff-ended')).toBe(true);
  });

  it('counts for nothing without the header of phones', async () => {
    await connectPhone(desktop, phone);
    const [[name, value] = ['', '']] = phone.cookies;
    const cookie = `${name.replace('-phone', '')}=${value}`;
    const answer = await phone.send('GET', apiPaths.documents, undefined, {
      [apiHeaders.phone]: undefined,
      cookie,
    });
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  it('cannot be an application session', async () => {
    const own = bff.openBrowser(bff.config.publicOrigin);
    await own.send('POST', apiPaths.session, undefined, { 'sec-fetch-site': 'same-origin' });
    const [[name, value] = ['', '']] = own.cookies;
    const cookie = `${name.replace('session-', 'session-phone-')}=${value}`;
    const answer = await phone.send('GET', apiPaths.documents, undefined, { cookie });
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });
});

describe('the scope of a phone session', () => {
  const openToPhones = new Set([
    `GET ${apiPaths.configuration}`,
    `GET ${apiPaths.documents}`,
    `POST ${apiPaths.documents}`,
    `POST ${apiPaths.documentCategory}`,
    `POST ${apiPaths.documentRemoval}`,
    `GET ${apiPaths.handoff}`,
    `DELETE ${apiPaths.handoff}`,
    `POST ${apiPaths.handoffClaim}`,
    `POST ${apiPaths.handoffConfirm}`,
  ]);

  /** Every route of the app, so that a new one is closed to phones until it is listed above. */
  const listRoutes = () =>
    [...new Set(bff.app.routes.map(({ method, path }) => `${method} ${path}`))].filter((route) =>
      /^(GET|POST|DELETE) \/v1\//.test(route),
    );

  it('contains the listed routes and no other', async () => {
    await connectPhone(desktop, phone);
    const results = new Map<string, boolean>();
    for (const route of listRoutes()) {
      const [method = '', path = ''] = route.split(' ');
      const isUpload = route === `POST ${apiPaths.documents}`;
      const answer = await phone.send(
        method,
        path,
        method === 'POST' ? '{}' : undefined,
        isUpload ? { 'content-type': 'application/octet-stream' } : {},
      );
      results.set(route, !isProblem(answer, 'forbidden-scope'));
      // This route ends the handoff.
      if (route === `DELETE ${apiPaths.handoff}`) await connectPhone(desktop, phone);
    }
    const open = [...results].flatMap(([route, isOpen]) => (isOpen ? route : []));
    expect(open.toSorted()).toEqual([...openToPhones].toSorted());
    expect(results.size).toBeGreaterThan(openToPhones.size);
  });
});

describe('the rate limits', () => {
  const startLimited = async (limits: object, address = '203.0.113.7') => {
    await bff.close();
    bff = await startBff({ settings: { limits }, clientAddress: address });
    desktop = bff.openBrowser();
    await desktop.send('POST', apiPaths.session);
    bff.time.advance(10_000);
    await desktop.apply();
    phone = openPhone(bff, address);
  };

  it('allow five wrong codes per address', async () => {
    await startLimited({});
    const { code } = await createHandoff(desktop);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(isProblem(await claim(phone, { code: 'ABCD-EFGH' }), 'handoff-not-found')).toBe(true);
    }
    expect(isProblem(await claim(phone, { code }), 'too-many-requests')).toBe(true);
    expect((await claim(openPhone(bff, '203.0.113.8'), { code })).status).toBe(200);
  });

  it('do not count right codes as wrong ones', async () => {
    await startLimited({});
    for (let tries = 0; tries < 7; tries += 1) {
      const { code } = await createHandoff(desktop);
      expect((await claim(phone, { code })).status).toBe(200);
    }
  });

  it('count the claims of an address', async () => {
    await startLimited({ handoffClaimsPerHourPerAddress: 1 });
    const { token } = await createHandoff(desktop);
    await claim(phone, { token: 'a'.repeat(22) });
    expect(isProblem(await claim(phone, { token }), 'too-many-requests')).toBe(true);
  });

  it('count the handoffs of a session', async () => {
    await startLimited({ handoffsPerHourPerSession: 1 });
    await createHandoff(desktop);
    const answer = await desktop.send('POST', apiPaths.handoff, '{}');
    expect(isProblem(answer, 'too-many-requests')).toBe(true);
  });
});

it('logs and counts the states of a handoff without its secrets', async () => {
  const { token, code, number } = await connectPhone(desktop, phone);
  const log = bff.logLines.join('');
  for (const state of ['waiting', 'claimed', 'connected']) {
    expect(log).toContain(`"handoff-changed"`);
    expect(log).toContain(`"state":"${state}"`);
  }
  for (const secret of [token, code, `"${number}"`]) expect(log).not.toContain(secret);
  const { text } = await bff.openBrowser().send('GET', '/metrics');
  expect(text).toContain('funding_handoffs_total{state="connected"} 1');
});
