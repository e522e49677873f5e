// Tests of the checks: each rule is broken once, in a journey that otherwise passes.

import { describe, expect, it } from 'vitest';
import { createExchange, createJourney } from './journey-builder.ts';
import type { Journey } from './journey.ts';
import { checkJourney, type Scenario } from './check-journey.ts';

type BrokenRule = readonly [rule: string, scenario: Scenario, change: Partial<Journey>];

const byCookie = createJourney('cookie');
const byToken = createJourney('token');

const brokenCookieRules: readonly BrokenRule[] = [
  [
    'cookies that the policy blocks',
    'combination',
    { combination: { ...byCookie.combination, policy: 'all-blocked' } },
  ],
  [
    'a page of another site',
    'combination',
    { exchanges: byCookie.exchanges.map((exchange) => ({ ...exchange, fetchSite: 'cross-site' })) },
  ],
  ['a first visit without calls', 'submission', { marks: { ...byCookie.marks, visited: 0 } }],
  ['a missing lead', 'submission', { leads: ['other-lead'] }],
  ['a document of another lead', 'submission', { documentOwner: 'other-lead' }],
  [
    'a session token in addition to a cookie',
    'submission',
    { exchanges: [...byCookie.exchanges, createExchange({ tokens: ['seal'] })] },
  ],
  [
    'a submission without a cookie',
    'submission',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({ path: '/v1/application', method: 'POST' }),
      ],
    },
  ],
  [
    'an upload with both',
    'submission',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({
          path: '/v1/documents',
          method: 'POST',
          hasCookie: true,
          hasToken: true,
        }),
      ],
    },
  ],
  ...[
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=None; Partitioned',
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=Strict; Domain=example.com',
    '__Host-Http-funding-1=a; Path=/; Secure; SameSite=Strict',
    'funding-session-1=a; HttpOnly; Path=/; Secure; SameSite=Strict',
  ].map((line): BrokenRule => [
    `the cookie ${line}`,
    'submission',
    { exchanges: [...byCookie.exchanges, createExchange({ setCookies: [line] })] },
  ]),
  ['an empty form after a reload', 'reload', { reloaded: { heading: 'a', reference: undefined } }],
  ['an additional lead', 'reload', { leads: [...byCookie.leads, 'third-lead'] }],
  ['data in storage', 'reload', { kept: ['localStorage: a'] }],
  [
    'a second tab with its own application',
    'tabs',
    { secondTab: { ...byCookie.secondTab, ownReference: 'own' } },
  ],
  [
    'a second tab without the application',
    'tabs',
    { secondTab: { ownReference: undefined, shown: { heading: 'a', reference: undefined } } },
  ],
  [
    'the first application shown at the other partner',
    'partners',
    { otherPartner: { ...byCookie.otherPartner, first: byCookie.reloaded } },
  ],
  [
    'the first application in a response to the other partner',
    'partners',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({ page: 'https://www.example.org', text: byCookie.reference }),
      ],
    },
  ],
  [
    'the other application in a response to the first partner',
    'partners',
    { exchanges: [...byCookie.exchanges, createExchange({ text: 'other-lead' })] },
  ],
  [
    'an application in a response to a script',
    'partners',
    { otherPartner: { ...byCookie.otherPartner, answers: ['200 {"application":{}}'] } },
  ],
  ['a refused style', 'policy', { reports: [...byCookie.reports, 'style-src inline'] }],
  ['a browser without reports', 'policy', { reports: [] }],
];

const brokenTokenRules: readonly BrokenRule[] = [
  [
    'a first visit without a session token',
    'submission',
    { marks: { ...byToken.marks, visited: 2 } },
  ],
  ['an application after a reload', 'reload', { reloaded: byCookie.reloaded }],
  [
    'two tabs with one application',
    'tabs',
    { secondTab: { ...byToken.secondTab, ownReference: byToken.reference } },
  ],
  [
    'a second tab without its own session',
    'tabs',
    { secondTab: { ...byToken.secondTab, ownReference: undefined } },
  ],
  [
    'a session token that works for another partner',
    'partners',
    { otherPartner: { ...byToken.otherPartner, answers: ['401 ', '200 {}'] } },
  ],
];

describe('checkJourney', () => {
  it.each([byCookie, byToken])('finds no problem in a correct journey', (journey) => {
    expect(Object.values(checkJourney(journey)).flat()).toEqual([]);
  });

  it.each(brokenCookieRules)('finds %s', (_rule, scenario, change) => {
    expect(checkJourney({ ...byCookie, ...change })[scenario]).not.toEqual([]);
  });

  it.each(brokenTokenRules)('finds %s with session tokens', (_rule, scenario, change) => {
    expect(checkJourney({ ...byToken, ...change })[scenario]).not.toEqual([]);
  });
});
