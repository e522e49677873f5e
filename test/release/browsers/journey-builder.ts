// Builds journeys that pass every check.

import type { Exchange } from './recording-proxy.ts';
import { bffOrigin, hosts, toOrigin } from './combinations.ts';
import type { Journey } from './journey.ts';
import type { Transport } from './check-journey.ts';
import { blockedAddress } from './page-probes.ts';

/** A GET request of the first partner's page with an empty response. */
export function createExchange(change: Partial<Exchange> = {}): Exchange {
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
export function createJourney(transport: Transport): Journey {
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
