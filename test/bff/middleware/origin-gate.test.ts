// The origin gate: which requests it accepts, and how it refuses the others.

import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { originGate } from '../../../bff/middleware/origin-gate.ts';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { pageOrigin, type Answer, type Browser } from '../../support/applicant.ts';
import { openBff, toOutcome, type OpenBff } from '../open-bff.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const ownOrigin = 'http://localhost:8081';
const crossSiteOrigin = 'http://partner.example';

describe('the origin gate', () => {
  let bff: OpenBff;
  /** Asks as a browser without cookies. */
  let ask: Browser['send'];

  beforeEach(async () => {
    bff = await openBff({ variables: { CROSS_SITE_ORIGINS: crossSiteOrigin } });
    ask = (...request) => bff.openBrowser().send(...request);
  });

  const accepted: [string, Headers][] = [
    ['a listed origin on the same site', {}],
    [
      'a listed origin without Fetch Metadata',
      { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined },
    ],
    ['the BFF’s own origin', { origin: ownOrigin, 'sec-fetch-site': 'same-origin' }],
    ['a same-origin GET without Origin', { origin: undefined, 'sec-fetch-site': 'same-origin' }],
    ['a listed origin that the browser calls same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['the fetch mode same-origin', { 'sec-fetch-mode': 'same-origin' }],
    ['a cross-site origin', { origin: crossSiteOrigin, 'sec-fetch-site': 'cross-site' }],
    ['a cross-site origin that the browser calls same-site', { origin: crossSiteOrigin }],
    [
      'a cross-site origin that the browser calls same-origin',
      { origin: crossSiteOrigin, 'sec-fetch-site': 'same-origin' },
    ],
  ];

  it.each(accepted)('accepts %s', async (_name, headers) => {
    expect((await ask('GET', apiPaths.configuration, undefined, headers)).status).toBe(200);
  });

  const refused: [string, Headers][] = [
    ['an unlisted origin', { origin: 'https://evil.example' }],
    ['a suffix of a listed origin', { origin: 'http://localhost:8080.evil.example' }],
    ['another port', { origin: 'http://localhost:8088' }],
    ['another scheme', { origin: 'https://localhost:8080' }],
    ['another case', { origin: 'http://LOCALHOST:8080' }],
    ['the opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['no origin and no Fetch Metadata', { origin: undefined, 'sec-fetch-site': undefined }],
    ['no origin from the same site', { origin: undefined }],
    ['a listed origin from another site', { 'sec-fetch-site': 'cross-site' }],
    ['a request from the address bar', { 'sec-fetch-site': 'none' }],
    [
      'the BFF’s own origin from the same site',
      { origin: ownOrigin, 'sec-fetch-site': 'same-site' },
    ],
    [
      'a cross-site origin from the address bar',
      { origin: crossSiteOrigin, 'sec-fetch-site': 'none' },
    ],
    [
      'a navigation from a cross-site page',
      { origin: crossSiteOrigin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ],
    ['a navigation', { 'sec-fetch-mode': 'navigate' }],
    ['a request without CORS', { 'sec-fetch-mode': 'no-cors' }],
  ];

  it.each(refused)('refuses %s, with and without the request header', async (_name, headers) => {
    for (const value of ['1', undefined]) {
      const sent = { [apiHeaders.request]: value, ...headers };
      const answer = await ask('GET', apiPaths.configuration, undefined, sent);
      expect(toOutcome(answer)).toBe('403 origin-refused');
      expect(listAccessHeaders(answer)).toEqual([]);
    }
  });

  it.each([undefined, '', '0', 'true'])('refuses the request header %j', async (value) => {
    const headers = { [apiHeaders.request]: value };
    const answer = await ask('POST', apiPaths.session, undefined, headers);
    expect(toOutcome(answer)).toBe('403 header-missing');
    expect(answer.headers.get('access-control-allow-origin')).toBe(pageOrigin);
  });

  it('requires the request header on every route except the configuration', async () => {
    const open = new Set<string>();
    for (const { path, method } of bff.app.routes) {
      if (!path.startsWith('/v1') || method === 'ALL') continue;
      const headers = { [apiHeaders.request]: undefined };
      const answer = await ask(method, path, undefined, headers);
      if (answer.json?.code !== 'header-missing') open.add(`${method} ${path}`);
    }
    expect([...open]).toEqual(['GET /v1/configuration']);
  });

  it.each([
    ['text/plain', apiPaths.session, '415 unsupported-media-type'],
    ['application/x-www-form-urlencoded', apiPaths.session, '415 unsupported-media-type'],
    [undefined, apiPaths.session, '415 unsupported-media-type'],
    ['multipart/form-data; boundary=x', apiPaths.documents, '415 unsupported-media-type'],
    ['application/json', apiPaths.documents, '415 unsupported-media-type'],
    ['application/octet-stream', apiPaths.application, '415 unsupported-media-type'],
    ['application/jsonp', apiPaths.application, '415 unsupported-media-type'],
    ['Application/JSON; charset=utf-8', apiPaths.session, '200'],
    ['application/json ; charset=utf-8', apiPaths.session, '200'],
    // The origin gate accepted the request.
    ['application/octet-stream', apiPaths.documents, '401 session-missing'],
  ])('answers the content type %s on %s with %s', async (type, path, outcome) => {
    const headers = { 'content-type': type, 'content-length': '2' };
    expect(toOutcome(await ask('POST', path, Buffer.from('{}'), headers))).toBe(outcome);
  });

  it('answers the preflight of a listed origin', async () => {
    const answer = await preflight(pageOrigin);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(pageOrigin);
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
    expect(listNames(answer, 'access-control-allow-headers')).toEqual([
      'authorization',
      'content-type',
      ...Object.values(apiHeaders),
    ]);
    expect(listNames(answer, 'access-control-expose-headers')).toEqual([
      'retry-after',
      'x-request-id',
      ...Object.values(apiResponseHeaders),
    ]);
    expect(answer.headers.get('access-control-max-age')).toBe('600');
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it.each([
    ['https://evil.example', 'POST', 'content-type'],
    [pageOrigin, 'PUT', 'content-type'],
    [pageOrigin, 'HEAD', 'content-type'],
    [pageOrigin, 'post', 'content-type'],
    [pageOrigin, 'POST', 'content-type,x-requested-with'],
    [pageOrigin, 'POST', 'cookie'],
  ])('refuses the preflight of %s for %s with %s', async (origin, method, headers) => {
    const answer = await preflight(origin, method, headers);
    expect([answer.status, listAccessHeaders(answer)]).toEqual([403, []]);
  });

  it.each(['', 'Content-Type, X-Funding-Request,\tIdempotency-Key'])(
    'accepts a preflight with the headers %j',
    async (headers) => {
      expect((await preflight(pageOrigin, 'POST', headers)).status).toBe(204);
    },
  );

  it('sends no CORS headers to its own origin', async () => {
    const headers = { origin: ownOrigin, 'sec-fetch-site': 'same-origin' };
    const answer = await ask('GET', apiPaths.configuration, undefined, headers);
    expect([answer.status, listAccessHeaders(answer)]).toEqual([200, []]);
  });

  it('refuses OPTIONS without preflight headers', async () => {
    const answer = await ask('OPTIONS', apiPaths.application);
    expect([answer.status, listAccessHeaders(answer)]).toEqual([403, []]);
  });

  it.each(['HEAD', 'PUT', 'PATCH', 'QUERY', 'PROPFIND'])(
    'refuses the method %s',
    async (method) => {
      const answer = await ask(method, apiPaths.configuration);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET');
    },
  );

  it('lists the methods of the route in Allow', async () => {
    const browser = bff.openBrowser();
    const allowed = Object.values(apiPaths).map(async (path) => {
      const answer = await browser.send('PUT', path);
      return [path, answer.headers.get('allow')];
    });
    expect(Object.fromEntries(await Promise.all(allowed))).toEqual({
      [apiPaths.configuration]: 'GET',
      [apiPaths.session]: 'POST, GET, DELETE',
      [apiPaths.draftKey]: 'GET, POST, DELETE',
      [apiPaths.handoff]: 'POST, GET, DELETE',
      [apiPaths.handoffClaim]: 'POST',
      [apiPaths.handoffConfirm]: 'POST',
      [apiPaths.application]: 'POST, GET',
      [apiPaths.places]: 'GET',
      [apiPaths.offers]: 'GET',
      [apiPaths.contact]: 'POST',
      [apiPaths.documents]: 'POST, GET',
      [apiPaths.documentCategory]: 'POST',
      [apiPaths.documentRemoval]: 'POST',
      [apiPaths.assetReport]: 'POST',
    });
  });

  it.each([
    ['DELETE', apiPaths.offers, '405 method-not-allowed', 'GET'],
    ['PUT', '/v1/leads', '404 not-found', null],
    ['GET', '/', '404 not-found', null],
  ])('answers %s %s with %s', async (method, path, outcome, allowed) => {
    const answer = await ask(method, path);
    expect([toOutcome(answer), answer.headers.get('allow')]).toEqual([outcome, allowed]);
  });

  it.each([
    [ownOrigin, 'same-origin'],
    [pageOrigin, 'same-site'],
    [crossSiteOrigin, 'cross-site'],
  ])('tells the routes that %s is %s', async (origin, siteRelation) => {
    const app = new Hono<BffEnv>();
    app.use(
      originGate({
        app,
        config: {
          publicOrigin: ownOrigin,
          allowedOrigins: [pageOrigin, ownOrigin],
          crossSiteOrigins: [crossSiteOrigin],
        },
        counters: { countOriginRefusal: () => undefined },
        logRateLimited: () => undefined,
      }),
    );
    app.get('/', (c) => c.json([c.get('origin'), c.get('siteRelation')]));
    const answer = await app.request('/', { headers: { origin, [apiHeaders.request]: '1' } });
    expect(await answer.json()).toEqual([origin, siteRelation]);
  });

  it('lets a listed origin read a later refusal', async () => {
    const answer = await ask('GET', apiPaths.offers);
    expect(toOutcome(answer)).toBe('401 session-missing');
    expect(answer.headers.get('access-control-allow-origin')).toBe(pageOrigin);
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('requires a session on every route except the listed ones', async () => {
    const open = new Set<string>();
    for (const { path, method } of bff.app.routes) {
      if (!path.startsWith('/v1') || method === 'ALL') continue;
      const answer = await ask(method, path);
      if (answer.status !== 401) open.add(`${method} ${path}`);
    }
    expect([...open]).toEqual([
      'GET /v1/configuration',
      'POST /v1/session',
      'GET /v1/draft-key',
      'POST /v1/draft-key',
      'DELETE /v1/draft-key',
    ]);
  });

  function preflight(
    origin: string,
    method = 'POST',
    headers = 'content-type,x-funding-request,idempotency-key',
  ) {
    return bff.openBrowser(origin).send('OPTIONS', apiPaths.application, undefined, {
      [apiHeaders.request]: undefined,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    });
  }
});

function listNames({ headers }: Answer, name: string): readonly string[] | undefined {
  return headers.get(name)?.split(', ');
}

function listAccessHeaders({ headers }: Answer): readonly string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-'));
}
