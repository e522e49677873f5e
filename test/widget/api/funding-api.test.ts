// The element's client with a complete BFF: sessions with a cookie or a session token, and how it reads responses.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiResponseHeaders, contractVersion } from '../../../shared/api/paths.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { createFundingApi, type FundingApi, type Upload } from '../../../widget/api/funding-api.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

const minute = 60_000;
const idleMs = sessionLifetime.idleSeconds.handle * 1000;
const bffOrigin = 'http://localhost:8081';

interface SentRequest {
  /** Method and path. */
  readonly request: string;
  readonly body: string;
  readonly authorization: string | null;
}

let bff: TestBff;
let sent: SentRequest[];
let jar: Map<string, string>;
let storesCookies: boolean;
let isInterrupted: (request: string) => boolean;
let delays: Map<string, Promise<void>>;
let api: FundingApi;

beforeEach(async () => {
  bff = await startBff();
  sent = [];
  jar = new Map();
  storesCookies = true;
  isInterrupted = () => false;
  delays = new Map();
  api = openPage();
});

afterEach(() => bff.close());

describe('in a browser that stores cookies', () => {
  it('uses the cookie if the browser returns it', async () => {
    await openApplied();
    expect(listRequests()).toEqual(['POST /v1/session', 'GET /v1/session', 'POST /v1/application']);
    expect(listTokens()).toEqual([]);
    expect(api.endsWithPage).toBe(false);
  });

  it('starts one session for concurrent calls', async () => {
    await Promise.all([api.openSession(), api.openSession()]);
    expect(listRequests()).toEqual(['POST /v1/session', 'GET /v1/session']);
    expect(await apply()).toMatchObject({ ok: true });
    expect(await api.openSession()).toMatchObject({ value: { application: {} } });
  });

  it('does not test the cookie of a resumed session', async () => {
    await openApplied();
    sent.length = 0;
    const again = await openPage().openSession();
    expect(again).toMatchObject({ value: { application: { status: 'accepted' } } });
    expect(listRequests()).toEqual(['POST /v1/session']);
  });

  it('delays only requests that need the session until the cookie is tested', async () => {
    const releaseProbe = hold('GET /v1/session');
    expect(await api.openSession()).toMatchObject({ ok: true });
    const submission = apply();
    expect(await api.getConfiguration()).toMatchObject({ ok: true });
    expect(listRequests()).not.toContain('POST /v1/application');
    releaseProbe();
    expect(await submission).toMatchObject({ ok: true });
  });

  it('uses the cookie if its test gets no response', async () => {
    isInterrupted = (request) => request === 'GET /v1/session';
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true });
    expect(listRequests()).toEqual(['POST /v1/session', 'GET /v1/session', 'POST /v1/application']);
  });

  it('ends the session at the BFF', async () => {
    await openApplied();
    const cookies = new Map(jar);
    expect(await api.endSession()).toEqual({ ok: true, value: undefined });
    expect(jar.size).toBe(0);
    for (const [name, value] of cookies) jar.set(name, value);
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
  });
});

describe('in a browser that stores no cookies', () => {
  beforeEach(() => {
    storesCookies = false;
  });

  it('starts another session with a session token', async () => {
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true, value: { status: 'accepted' } });
    expect(listRequests()).toEqual([
      'POST /v1/session',
      'GET /v1/session',
      'POST /v1/session',
      'POST /v1/application',
    ]);
    expect(sent[2]?.body).toBe('{"transport":"handle"}');
    expect(listTokens()).toHaveLength(1);
    expect(api.endsWithPage).toBe(true);
    expect(await api.getApplication()).toMatchObject({ value: { status: 'accepted' } });
  });

  it('resumes the session of its session token', async () => {
    await openApplied();
    sent.length = 0;
    const again = await api.openSession();
    expect(again).toMatchObject({ value: { isProven: true, application: { status: 'accepted' } } });
    expect(listRequests()).toEqual(['POST /v1/session']);
    expect(await openPage().openSession()).toMatchObject({ value: { application: null } });
  });

  it('replaces a renewed session token', async () => {
    await api.openSession();
    await api.getOffers();
    const [first] = listTokens();
    bff.time.advance(sessionLifetime.renewAfterSeconds * 1000);
    await api.getOffers();
    bff.time.advance(idleMs - 5 * minute);
    expect(await api.getOffers()).toMatchObject({ code: 'application-missing' });
    expect(listTokens().at(-1)).not.toBe(first);
  });

  it('gets another session token after the first expires', async () => {
    await api.openSession();
    await api.getOffers();
    bff.time.advance(idleMs);
    expect(await apply()).toMatchObject({ code: 'session-missing' });
    await api.openSession();
    expect(await apply()).toMatchObject({ ok: true });
    expect(new Set(listTokens()).size).toBe(2);
  });

  it('ignores a late rejection of an earlier session token', async () => {
    await api.openSession();
    await api.getOffers();
    bff.time.advance(idleMs);
    const endDelay = hold('GET /v1/offers');
    const late = api.getOffers();
    expect(await apply()).toMatchObject({ code: 'session-missing' });
    await api.openSession();
    expect(await api.getOffers()).toMatchObject({ code: 'application-missing' });
    endDelay();
    expect(await late).toMatchObject({ code: 'session-missing' });
    expect(await apply()).toMatchObject({ ok: true });
  });

  it('sends nothing in the session of another tab until it opens this session', async () => {
    await openApplied();
    storesCookies = true;
    const otherTab = openPage();
    await otherTab.openSession();
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
    sent.length = 0;
    expect(await api.getSession()).toMatchObject({ code: 'session-missing' });
    expect(await api.enableContact(consent)).toMatchObject({ code: 'session-missing' });
    expect(await api.uploadDocument(upload)).toMatchObject({ code: 'session-missing' });
    expect(await api.endSession()).toMatchObject({ code: 'session-missing' });
    expect(listRequests()).toEqual([]);
    expect(await otherTab.getSession()).toMatchObject({ ok: true });
    expect(await api.openSession()).toMatchObject({ value: { isProven: true } });
    expect(api.endsWithPage).toBe(false);
  });

  it('forgets the session token when the session ends', async () => {
    await openApplied();
    expect(await api.endSession()).toEqual({ ok: true, value: undefined });
    expect(api.endsWithPage).toBe(false);
    expect(await api.getApplication()).toMatchObject({ code: 'session-missing' });
    expect(sent.at(-1)?.authorization).toBeNull();
  });

  it('does not expose the session token', async () => {
    await openApplied();
    expect(JSON.stringify(api)).not.toContain('Fe26');
    expect(sent.filter(({ body }) => body.includes('Fe26'))).toEqual([]);
  });
});

describe('the configuration', () => {
  it('is requested as a page preloads it', async () => {
    const requests: Request[] = [];
    const { getConfiguration } = createFundingApi('https://bff.example', async (input, init) => {
      requests.push(new Request(input, init));
      throw new TypeError();
    });
    await getConfiguration('en');
    expect(requests.map(({ method, url, credentials }) => [method, url, credentials])).toEqual([
      ['GET', 'https://bff.example/v1/configuration?locale=en', 'same-origin'],
    ]);
    expect(requests.flatMap(({ headers }) => [...headers])).toEqual([]);
  });

  it('is in the requested language if the form offers it', async () => {
    const response = { ok: true, value: { locale: 'en' } };
    expect(await api.getConfiguration()).toMatchObject(response);
    expect(await api.getConfiguration('x&locale=es')).toMatchObject(response);
    expect(await api.getConfiguration('es')).toMatchObject({ value: { locale: 'es' } });
  });
});

describe('an application', () => {
  it('has the results of the bot checks in headers', async () => {
    await api.openSession();
    const body = JSON.stringify(createApplication());
    const proof = { isHoneypotFilled: true, challengeToken: 'token-1' };
    const result = await api.submitApplication(body, crypto.randomUUID(), proof);
    expect(result).toMatchObject({ ok: false, code: 'automation-suspected' });
  });
});

describe('a bank report', () => {
  it('is invalid if it is not JSON', async () => {
    await api.openSession();
    const result = await api.submitAssetReport({ report: 1n });
    expect(result).toMatchObject({ ok: false, code: 'asset-report-invalid' });
  });
});

describe('a response', () => {
  const status = { status: 'accepted', reference: 'r', receivedAt: '2026-11-20', delayed: false };
  const problem = { code: 'too-busy', errors: [{ pointer: '/business/name', code: 'required' }] };

  it('is the value of the result', async () => {
    expect(await read(JSON.stringify(status))).toEqual({ ok: true, value: status });
  });

  it('has no value if it has no body', async () => {
    const ended = await respond(null, { status: 204 }).endSession();
    expect(ended).toEqual({ ok: true, value: undefined });
  });

  it('has the code, errors, and delay of a problem', async () => {
    const headers = { 'retry-after': '7' };
    expect(await read(JSON.stringify(problem), { status: 503, headers })).toEqual({
      ok: false,
      ...problem,
      retryAfterMs: 7_000,
    });
  });

  it('is an internal failure without a code', async () => {
    const internal = { ok: false, code: 'internal', errors: [] };
    expect(await read('{"code":1,"errors":"none"}', { status: 409 })).toEqual(internal);
    expect(await read('{}', { status: 500 })).toEqual(internal);
  });

  it('keeps only readable field errors of a problem', async () => {
    const errors = [null, 'a', { pointer: 1, code: 'required' }, problem.errors[0]];
    const response = await read(JSON.stringify({ ...problem, errors }), { status: 400 });
    expect(response).toMatchObject({ errors: problem.errors });
  });

  it.each([
    ['2', 200, JSON.stringify(status)],
    ['2', 401, JSON.stringify({ code: 'session-missing' })],
    ['0', 500, 'Not JSON'],
    ['', 200, JSON.stringify(status)],
  ])('is an outdated page with contract version "%s" (%i)', async (version, code, body) => {
    const headers = { [apiResponseHeaders.contractVersion]: version };
    const failure = { ok: false, code: 'page-outdated', errors: [] };
    expect(await read(body, { status: code, headers })).toEqual(failure);
  });

  it.each([
    [200, JSON.stringify(status)],
    [200, '<html>Log in to this network</html>'],
    [502, '<html>Bad gateway</html>'],
    [503, JSON.stringify({ code: 'too-busy' })],
  ])('is a network failure without a contract version (%i %s)', async (code, body) => {
    const api = createFundingApi(bffOrigin, async () => new Response(body, { status: code }));
    expect(await api.getApplication()).toEqual(networkFailure);
  });

  it.each(['<html>', '', 'null', '[]', '"text"', '1'])(
    'is a network failure with the body %o',
    async (body) => {
      expect(await read(body)).toEqual(networkFailure);
      expect(await read(body, { status: 500 })).toEqual(networkFailure);
    },
  );
});

const networkFailure = { ok: false, code: 'network', errors: [] };

/** A client whose requests all get this response of a BFF. */
function respond(body: string | null, init: ResponseInit = {}): FundingApi {
  const headers = { [apiResponseHeaders.contractVersion]: contractVersion, ...init.headers };
  return createFundingApi(bffOrigin, async () => new Response(body, { ...init, headers }));
}

function read(body: string, init?: ResponseInit) {
  return respond(body, init).getApplication();
}

const consent = { id: 'contact', version: '1' };
const upload: Upload = {
  file: new File(['a'], 'a.txt'),
  category: 'other',
  onProgress: () => undefined,
  signal: new AbortController().signal,
};

function apply() {
  return api.submitApplication(JSON.stringify(createApplication()), crypto.randomUUID());
}

/** A session with an application. */
async function openApplied(): Promise<void> {
  await api.openSession();
  await apply();
}

/** A page of the partner. All pages are in one browser. */
function openPage(): FundingApi {
  return createFundingApi(bffOrigin, sendFromPage);
}

/** Delays the response to the next such request. Returns a function that ends the delay. */
function hold(request: string): () => void {
  let release = (): void => undefined;
  const responded = new Promise<void>((resolve) => {
    release = resolve;
  });
  delays.set(request, responded);
  return release;
}

const sendFromPage: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const name = `${request.method} ${pathname}`;
  const body = await request.clone().text();
  sent.push({ request: name, body, authorization: request.headers.get('authorization') });
  if (isInterrupted(name)) throw new TypeError('Failed to fetch');
  const responded = delays.get(name);
  delays.delete(name);
  request.headers.set('origin', pageOrigin);
  request.headers.set('sec-fetch-site', 'same-site');
  request.headers.set('sec-fetch-mode', 'cors');
  if (body !== '') request.headers.set('content-length', String(Buffer.byteLength(body)));
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  if (cookie !== '') request.headers.set('cookie', cookie);
  const response = await bff.app.request(pathname + search, request);
  if (storesCookies) for (const line of response.headers.getSetCookie()) keep(line);
  await responded;
  return response;
};

function keep(line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') jar.delete(name);
  else jar.set(name, value);
}

function listRequests(): string[] {
  return sent.map(({ request }) => request);
}

function listTokens(): string[] {
  const values = sent.map(({ authorization }) => authorization);
  return values.filter((text) => text !== null);
}
