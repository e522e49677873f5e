// The widget's client before a whole BFF: a session by cookie where cookies come back, and by handle where they do not.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { createFundingApi, type FundingApi, type Upload } from '../../../widget/api/funding-api.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

const minute = 60_000;
const idleMs = sessionLifetime.idleSeconds.handle * 1000;
const bffOrigin = 'http://localhost:8081';

interface Asked {
  /** Method and path. */
  readonly what: string;
  readonly body: string;
  readonly authorization: string | null;
}

let bff: TestBff;
let asked: Asked[];
let jar: Map<string, string>;
let keepsCookies: boolean;
let breaks: (what: string) => boolean;
let held: Map<string, Promise<void>>;
let api: FundingApi;

beforeEach(async () => {
  bff = await startBff();
  asked = [];
  jar = new Map();
  keepsCookies = true;
  breaks = () => false;
  held = new Map();
  api = openPage();
});

afterEach(() => bff.close());

describe('in a browser that keeps cookies', () => {
  it('opens a session, looks whether it comes back, and stays with the cookie', async () => {
    await api.openSession();
    await apply();
    expect(listAsked()).toEqual(['POST /v1/session', 'GET /v1/session', 'POST /v1/application']);
    expect(listHandles()).toEqual([]);
    expect(api.endsWithPage).toBe(false);
  });

  it('begins one session, however often one is asked for at the same time', async () => {
    await Promise.all([api.openSession(), api.openSession()]);
    expect(listAsked()).toEqual(['POST /v1/session', 'GET /v1/session']);
    expect(await apply()).toMatchObject({ ok: true });
    expect(await api.openSession()).toMatchObject({ value: { application: {} } });
  });

  it('does not look again for a session that came back already', async () => {
    await api.openSession();
    await apply();
    asked.length = 0;
    const again = await openPage().openSession();
    expect(again).toMatchObject({ value: { application: { status: 'accepted' } } });
    expect(listAsked()).toEqual(['POST /v1/session']);
  });

  it('keeps nobody waiting for the look but those who need the session', async () => {
    const letLook = hold('GET /v1/session');
    expect(await api.openSession()).toMatchObject({ ok: true });
    const filed = apply();
    expect(await api.getConfiguration()).toMatchObject({ ok: true });
    expect(listAsked()).not.toContain('POST /v1/application');
    letLook();
    expect(await filed).toMatchObject({ ok: true });
  });

  it('takes the cookie to work when the look is not answered', async () => {
    breaks = (what) => what === 'GET /v1/session';
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true });
    expect(listAsked()).toEqual(['POST /v1/session', 'GET /v1/session', 'POST /v1/application']);
  });

  it('ends the session on the BFF and in the browser', async () => {
    await api.openSession();
    await apply();
    const kept = new Map(jar);
    expect(await api.endSession()).toEqual({ ok: true, value: undefined });
    expect(jar.size).toBe(0);
    for (const [name, value] of kept) jar.set(name, value);
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
  });
});

describe('in a browser that keeps no cookie', () => {
  beforeEach(() => {
    keepsCookies = false;
  });

  it('goes on by handle, one question more than the look', async () => {
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true, value: { status: 'accepted' } });
    expect(listAsked()).toEqual([
      'POST /v1/session',
      'GET /v1/session',
      'POST /v1/session',
      'POST /v1/application',
    ]);
    expect(asked[2]?.body).toBe('{"transport":"handle"}');
    expect(listHandles()).toHaveLength(1);
    expect(api.endsWithPage).toBe(true);
    expect(await api.getApplication()).toMatchObject({ value: { status: 'accepted' } });
  });

  it('resumes by the handle for as long as the page is there', async () => {
    await api.openSession();
    await apply();
    asked.length = 0;
    const again = await api.openSession();
    expect(again).toMatchObject({ value: { isProven: true, application: { status: 'accepted' } } });
    expect(listAsked()).toEqual(['POST /v1/session']);
    expect(await openPage().openSession()).toMatchObject({ value: { application: null } });
  });

  it('takes over a renewed handle', async () => {
    await api.openSession();
    await api.getOffers();
    const [first] = listHandles();
    bff.time.advance(sessionLifetime.renewAfterSeconds * 1000);
    await api.getOffers();
    bff.time.advance(idleMs - 5 * minute);
    expect(await api.getOffers()).toMatchObject({ code: 'application-missing' });
    expect(listHandles().at(-1)).not.toBe(first);
  });

  it('asks for another handle after the first has run out', async () => {
    await api.openSession();
    await api.getOffers();
    bff.time.advance(idleMs);
    expect(await apply()).toMatchObject({ code: 'session-missing' });
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true });
    expect(new Set(listHandles()).size).toBe(2);
  });

  it('is not thrown back by a late answer about an earlier handle', async () => {
    await api.openSession();
    await api.getOffers();
    bff.time.advance(idleMs);
    const letAnswer = hold('GET /v1/offers');
    const late = api.getOffers();
    expect(await apply()).toMatchObject({ code: 'session-missing' });
    await api.openSession();
    expect(await api.getOffers()).toMatchObject({ code: 'application-missing' });
    letAnswer();
    expect(await late).toMatchObject({ code: 'session-missing' });
    expect(await apply()).toMatchObject({ ok: true });
  });

  it('goes back to the cookie when one lives all of a sudden', async () => {
    await api.openSession();
    await apply();
    keepsCookies = true;
    const otherTab = openPage();
    await otherTab.openSession();
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
    expect(await api.openSession()).toMatchObject({ value: { isProven: true } });
    expect(api.endsWithPage).toBe(false);
  });

  it('does nothing under the session of another tab once its handle is lost', async () => {
    await api.openSession();
    await apply();
    keepsCookies = true;
    const otherTab = openPage();
    await otherTab.openSession();
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
    asked.length = 0;
    expect(await api.getSession()).toMatchObject({ code: 'session-missing' });
    expect(await api.enableContact(consent)).toMatchObject({ code: 'session-missing' });
    expect(await api.uploadDocument(upload)).toMatchObject({ code: 'session-missing' });
    expect(await api.endSession()).toMatchObject({ code: 'session-missing' });
    expect(listAsked()).toEqual([]);
    expect(await otherTab.getSession()).toMatchObject({ ok: true });
  });

  it('forgets the handle with the session', async () => {
    await api.openSession();
    await apply();
    expect(await api.endSession()).toEqual({ ok: true, value: undefined });
    expect(api.endsWithPage).toBe(false);
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
    expect(asked.at(-1)?.authorization).toBeNull();
  });

  it('holds the handle in memory and nowhere else', async () => {
    await api.openSession();
    await apply();
    expect(JSON.stringify(api)).not.toContain('Fe26');
    expect(asked.filter(({ body }) => body.includes('Fe26'))).toEqual([]);
  });
});

describe('the configuration', () => {
  it('comes in the language that is asked for, where there is such a one', async () => {
    const answer = { ok: true, value: { locale: 'en' } };
    expect(await api.getConfiguration()).toMatchObject(answer);
    expect(await api.getConfiguration('x&locale=es')).toMatchObject(answer);
    expect(await api.getConfiguration('es')).toMatchObject({ value: { locale: 'es' } });
  });
});

describe('a session', () => {
  it.each([true, false])('lasts longer for being asked about (cookies: %s)', async (keeps) => {
    keepsCookies = keeps;
    const begun = await api.openSession().then(askEnd);
    bff.time.advance(sessionLifetime.renewAfterSeconds * 1000);
    expect(await askEnd()).toBe(begun + 10 * minute);
  });
});

describe('an application', () => {
  it('goes with what shows that a person sends it, in headers that the BFF knows', async () => {
    await api.openSession();
    const body = JSON.stringify(createApplication());
    const proof = { isHoneypotFilled: true, challengeToken: 'token-1' };
    const result = await api.submitApplication(body, crypto.randomUUID(), proof);
    expect(result).toMatchObject({ ok: false, code: 'automation-suspected' });
  });
});

const consent = { id: 'contact', version: '1' };
const upload: Upload = {
  file: new File(['a'], 'a.txt'),
  category: 'other',
  onProgress: () => undefined,
  signal: new AbortController().signal,
};

/** When the session ends, as the BFF tells it. */
async function askEnd(): Promise<number> {
  const session = await api.getSession();
  return session.ok ? Date.parse(session.value.expiresAt) : Number.NaN;
}

function apply() {
  return api.submitApplication(JSON.stringify(createApplication()), crypto.randomUUID());
}

/** A page of the partner in the one browser. */
function openPage(): FundingApi {
  return createFundingApi(bffOrigin, sendFromPage);
}

/** Holds back the answer to the next question of this kind, until what it returns is called. */
function hold(what: string): () => void {
  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    release = resolve;
  });
  held.set(what, answered);
  return release;
}

const sendFromPage: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const what = `${request.method} ${pathname}`;
  const body = await request.clone().text();
  asked.push({ what, body, authorization: request.headers.get('authorization') });
  if (breaks(what)) throw new TypeError('Failed to fetch');
  const answered = held.get(what);
  held.delete(what);
  request.headers.set('origin', pageOrigin);
  request.headers.set('sec-fetch-site', 'same-site');
  request.headers.set('sec-fetch-mode', 'cors');
  if (body !== '') request.headers.set('content-length', String(Buffer.byteLength(body)));
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  if (cookie !== '') request.headers.set('cookie', cookie);
  const response = await bff.app.request(pathname + search, request);
  if (keepsCookies) for (const line of response.headers.getSetCookie()) keep(line);
  await answered;
  return response;
};

function keep(line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') jar.delete(name);
  else jar.set(name, value);
}

function listAsked(): string[] {
  return asked.map(({ what }) => what);
}

function listHandles(): string[] {
  const carried = asked.map(({ authorization }) => authorization);
  return carried.filter((text) => text !== null);
}
