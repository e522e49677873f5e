// Tests of the checks: each rule is broken once, in a journey that otherwise passes.

import { describe, expect, it } from 'vitest';
import { checkJourney, listProblems, type Scenario, type Transport } from './check-journey.ts';
import { bffOrigin, hosts, toOrigin } from './combinations.ts';
import type { Journey } from './journey.ts';
import { blockedAddress } from './page-probes.ts';
import type { Exchange } from './recording-proxy.ts';

type Change = Partial<Journey>;

const byCookie = createJourney('cookie');
const byToken = createJourney('token');
const { combination, secondTab, otherPartner, marks, leads, exchanges, reference } = byCookie;
const empty = { heading: 'a', reference: undefined };
const add = (change: Partial<Exchange>): Change => ({
  exchanges: [...exchanges, createExchange(change)],
});
const toCrossSite = (exchange: Exchange) => ({ ...exchange, fetchSite: 'cross-site' });
const toPost = (path: string, change = {}) =>
  add({ path: `/v1/${path}`, method: 'POST', ...change });
const both = { hasCookie: true, hasToken: true };

// prettier-ignore
const brokenCookieRules: readonly (readonly [Scenario, rule: string, Change])[] = [
  ['combination', 'cookies that the policy blocks', { combination: { ...combination, policy: 'all-blocked' } }],
  ['combination', 'a page of another site', { exchanges: exchanges.map(toCrossSite) }],
  ['submission', 'a first visit without calls', { marks: { ...marks, visited: 0 } }],
  ['submission', 'a missing lead', { leads: ['other-lead'] }],
  ['submission', 'a document of another lead', { documentOwner: 'other-lead' }],
  ['submission', 'a session token in addition to a cookie', add({ tokens: ['seal'] })],
  ['submission', 'a submission without a cookie', toPost('application')],
  ['submission', 'an upload with both', toPost('documents', both)],
  ...[
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=None; Partitioned',
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=Strict; Domain=example.com',
    '__Host-Http-funding-1=a; Path=/; Secure; SameSite=Strict',
    'funding-session-1=a; HttpOnly; Path=/; Secure; SameSite=Strict',
  ].map((line) => ['submission', `the cookie ${line}`, add({ setCookies: [line] })] as const),
  ['reload', 'an empty form after a reload', { reloaded: empty }],
  ['reload', 'an additional lead', { leads: [...leads, 'third-lead'] }],
  ['reload', 'data in storage', { kept: ['localStorage: a'] }],
  ['tabs', 'a second tab with its own application', { secondTab: { ...secondTab, ownReference: 'own' } }],
  ['tabs', 'a second tab without the application', { secondTab: { ownReference: undefined, shown: empty } }],
  ['partners', 'the first application shown at the other partner', { otherPartner: { ...otherPartner, first: byCookie.reloaded } }],
  ['partners', 'the first application in a response to the other partner', add({ page: toOrigin(hosts.crossSite), text: reference })],
  ['partners', 'the other application in a response to the first partner', add({ text: 'other-lead' })],
  ['partners', 'an application in a response to a script', { otherPartner: { ...otherPartner, answers: ['200 {"application":{}}'] } }],
  ['policy', 'a refused style', { reports: [...byCookie.reports, 'style-src inline'] }],
  ['policy', 'a browser without reports', { reports: [] }],
];

// prettier-ignore
const brokenTokenRules: readonly (readonly [Scenario, rule: string, Change])[] = [
  ['submission', 'a first visit without a session token', { marks: { ...byToken.marks, visited: 2 } }],
  ['reload', 'an application after a reload', { reloaded: byCookie.reloaded }],
  ['tabs', 'two tabs with one application', { secondTab: { ...byToken.secondTab, ownReference: byToken.reference } }],
  ['tabs', 'a second tab without its own session', { secondTab: { ...byToken.secondTab, ownReference: undefined } }],
  ['partners', 'a session token that works for another partner', { otherPartner: { ...byToken.otherPartner, answers: ['401 ', '200 {}'] } }],
];

describe('checkJourney', () => {
  it.each([byCookie, byToken])('finds no problem in a correct journey', (journey) => {
    expect(listProblems(journey)).toEqual([]);
  });

  it.each(brokenCookieRules)('in %s, finds %s', (scenario, _rule, change) => {
    expect(checkJourney({ ...byCookie, ...change })[scenario]).not.toEqual([]);
  });

  it.each(brokenTokenRules)('in %s, finds %s with session tokens', (scenario, _rule, change) => {
    expect(checkJourney({ ...byToken, ...change })[scenario]).not.toEqual([]);
  });

  it('counts a journey that threw as a problem', () => {
    expect(listProblems(new Error('no'))).toEqual(['no']);
  });
});

/** A GET request of the first partner's page with an empty response. */
function createExchange(change: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    path: '/v1/offers',
    page: bffOrigin,
    fetchSite: 'same-origin',
    hasCookie: false,
    hasToken: false,
    status: 200,
    setCookies: [],
    tokens: [],
    text: '',
    ...change,
  };
}

/** A journey on the BFF's own origin, where cookies are returned or blocked. */
function createJourney(transport: Transport): Journey {
  const isCookie = transport === 'cookie';
  const transported = { hasCookie: isCookie, hasToken: !isCookie };
  const session = (method: string, status = 200) =>
    createExchange({ method, status, path: '/v1/session' });
  const visit = isCookie
    ? [session('POST'), session('GET')]
    : [session('POST'), session('GET', 401), session('POST')];
  const submission = ['/v1/application', '/v1/documents'].map((path) =>
    createExchange({ method: 'POST', path, ...transported }),
  );
  const others = createExchange({
    page: toOrigin(hosts.crossSite),
    fetchSite: 'cross-site',
    text: 'other-lead',
  });
  return {
    combination: {
      engine: 'chromium',
      mode: 'same-origin',
      policy: isCookie ? 'default' : 'all-blocked',
    },
    version: 'Chromium 1',
    cookies: { strict: isCookie, partitioned: isCookie, plain: isCookie },
    reference: 'first-lead',
    secondTab: {
      ownReference: isCookie ? undefined : 'second-lead',
      shown: { heading: 'Sent', reference: isCookie ? 'first-lead' : 'second-lead' },
    },
    otherPartner: {
      first: { heading: 'Form', reference: undefined },
      answers: isCookie ? ['200 {"application":null}'] : ['401 {}', '401 {}'],
      reference: 'other-lead',
    },
    documentOwner: 'first-lead',
    kept: [],
    reloaded: { heading: 'Sent', reference: isCookie ? 'first-lead' : undefined },
    leads: isCookie ? ['first-lead', 'other-lead'] : ['first-lead', 'second-lead', 'other-lead'],
    exchanges: [...visit, ...submission, others, ...(isCookie ? [session('POST')] : visit)],
    marks: { visited: visit.length, reloads: visit.length + submission.length + 1 },
    reports: [`img-src ${blockedAddress}`],
  };
}
