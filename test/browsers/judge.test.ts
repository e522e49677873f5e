// The judge finds what is wrong: each rule is broken once, in a journey that is right otherwise.

import { describe, expect, it } from 'vitest';
import { createExchange, createJourney } from './journey-builder.ts';
import type { Journey } from './journey.ts';
import { judge, type Scenario } from './judge.ts';

type Breach = readonly [rule: string, scenario: Scenario, change: Partial<Journey>];

const byCookie = createJourney('cookie');
const byHandle = createJourney('handle');

const cookieBreaches: readonly Breach[] = [
  ['cookies that the policy blocks', 'cell', { cell: { ...byCookie.cell, policy: 'all-blocked' } }],
  [
    'a page of another site',
    'cell',
    { exchanges: byCookie.exchanges.map((exchange) => ({ ...exchange, fetchSite: 'cross-site' })) },
  ],
  ['a first visit that asks nothing', 'filing', { marks: { ...byCookie.marks, visited: 0 } }],
  ['a lead that never arrived', 'filing', { leads: ['other-lead'] }],
  ['a document at another lead', 'filing', { documentOwner: 'other-lead' }],
  [
    'a handle beside a living cookie',
    'filing',
    { exchanges: [...byCookie.exchanges, createExchange({ handles: ['seal'] })] },
  ],
  [
    'a filing without cookie',
    'filing',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({ path: '/v1/application', method: 'POST' }),
      ],
    },
  ],
  [
    'an upload with both',
    'filing',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({
          path: '/v1/documents',
          method: 'POST',
          hasCookie: true,
          hasHandle: true,
        }),
      ],
    },
  ],
  ...[
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=None; Partitioned',
    '__Host-Http-funding-1=a; HttpOnly; Path=/; Secure; SameSite=Strict; Domain=example.com',
    '__Host-Http-funding-1=a; Path=/; Secure; SameSite=Strict',
    'funding-session-1=a; HttpOnly; Path=/; Secure; SameSite=Strict',
  ].map((line): Breach => [
    `the cookie ${line}`,
    'filing',
    { exchanges: [...byCookie.exchanges, createExchange({ setCookies: [line] })] },
  ]),
  ['an empty form after a reload', 'reload', { reloaded: { heading: 'a', reference: undefined } }],
  ['a lead twice', 'reload', { leads: [...byCookie.leads, 'third-lead'] }],
  ['something in storage', 'reload', { kept: ['localStorage: a'] }],
  [
    'a second tab that filed by itself',
    'tabs',
    { secondTab: { ...byCookie.secondTab, ownReference: 'own' } },
  ],
  [
    'a second tab that knows nothing',
    'tabs',
    { secondTab: { ownReference: undefined, shown: { heading: 'a', reference: undefined } } },
  ],
  [
    'the first application shown at the other partner',
    'partners',
    { otherPartner: { ...byCookie.otherPartner, first: byCookie.reloaded } },
  ],
  [
    'the first application told to the other partner',
    'partners',
    {
      exchanges: [
        ...byCookie.exchanges,
        createExchange({ page: 'https://www.example.org', text: byCookie.reference }),
      ],
    },
  ],
  [
    'the other application told to the first partner',
    'partners',
    { exchanges: [...byCookie.exchanges, createExchange({ text: 'other-lead' })] },
  ],
  [
    'an answer with an application to a script',
    'partners',
    { otherPartner: { ...byCookie.otherPartner, answers: ['200 {"application":{}}'] } },
  ],
  ['a style that was refused', 'policy', { reports: [...byCookie.reports, 'style-src inline'] }],
  ['a browser that reports nothing', 'policy', { reports: [] }],
];

const handleBreaches: readonly Breach[] = [
  ['a first visit without a handle', 'filing', { marks: { ...byHandle.marks, visited: 2 } }],
  ['an application after a reload', 'reload', { reloaded: byCookie.reloaded }],
  [
    'two tabs with one application',
    'tabs',
    { secondTab: { ...byHandle.secondTab, ownReference: byHandle.reference } },
  ],
  [
    'a second tab without a session of its own',
    'tabs',
    { secondTab: { ...byHandle.secondTab, ownReference: undefined } },
  ],
  [
    'a handle that opens at another partner',
    'partners',
    { otherPartner: { ...byHandle.otherPartner, answers: ['401 ', '200 {}'] } },
  ],
];

describe('judge', () => {
  it.each([byCookie, byHandle])('has nothing against a journey that is right', (journey) => {
    expect(Object.values(judge(journey)).flat()).toEqual([]);
  });

  it.each(cookieBreaches)('finds %s', (_rule, scenario, change) => {
    expect(judge({ ...byCookie, ...change })[scenario]).not.toEqual([]);
  });

  it.each(handleBreaches)('finds %s where handles carry the session', (_rule, scenario, change) => {
    expect(judge({ ...byHandle, ...change })[scenario]).not.toEqual([]);
  });
});
