// Tests of one engine: one journey for each combination of mode and cookie policy.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { findObstacle } from './browser.ts';
import {
  allVariable,
  cookiePolicies,
  modes,
  toPages,
  type Combination,
  type Engine,
} from './combinations.ts';
import type { ReturnedCookies } from './cookie-control.ts';
import { listSessionCalls, type Journey } from './journey.ts';
import { startJourneys, type Journeys } from './journeys.ts';
import { blockedAddress } from './page-probes.ts';
import type { Exchange } from './recording-proxy.ts';

const areAll = process.env[allVariable] !== undefined;
/** `npm run test:campaigns -- --only=browsers` covers all combinations. */
const combinations: readonly Omit<Combination, 'engine'>[] = areAll
  ? cookiePolicies.flatMap((policy) => modes.map((mode) => ({ mode, policy })))
  : [
      { mode: 'same-origin', policy: 'default' },
      { mode: 'same-site', policy: 'default' },
      { mode: 'cross-site', policy: 'third-party-allowed' },
      { mode: 'cross-site', policy: 'third-party-blocked' },
    ];
/** Of a browser that does not return the cookie: the element asks for a session token. */
const callsForToken = 'POST 200, GET 401, POST 200';

export function describeEngine(engine: Engine): void {
  let journeys: Journeys;
  beforeAll(async () => {
    journeys = await startJourneys();
  });
  afterAll(() => journeys.stop());

  const possible = combinations
    // A SameSite=Strict cookie goes to the same site as to the same origin. One engine shows that the BFF agrees.
    .filter(({ mode }) => areAll || engine === 'chromium' || mode !== 'same-site')
    .map((combination): Combination => ({ engine, ...combination }))
    .filter((combination) => findObstacle(combination) === undefined);
  describe.each(possible)('the element in $engine, $mode, cookies: $policy', (combination) => {
    const { mode, policy } = combination;
    const pages = toPages(mode);
    let journey: Journey;
    /** The requests of the first partner's page. */
    let partnerExchanges: readonly Exchange[];
    /** The browser has returned a cookie with the same attributes. Otherwise, the session is a token in the page's memory. */
    let isCookie: boolean;

    beforeAll(async () => {
      journey = await journeys.run(combination);
      const { version, cookies, exchanges } = journey;
      partnerExchanges = exchanges.filter(({ page }) => page === pages.own);
      isCookie = mode === 'cross-site' ? cookies.partitioned : cookies.strict;
      const transport = isCookie ? 'cookie' : 'token';
      if (areAll) process.stdout.write(`${version}, ${mode}, ${policy}: ${transport}\n`);
    });

    it('has the cookies and the sites of the combination', () => {
      expect(new Set(partnerExchanges.map(({ fetchSite }) => fetchSite))).toEqual(new Set([mode]));
      expect(journey.cookies).toMatchObject(toExpectedCookies(combination));
    });

    it('submits an application with a document by one form of the session', () => {
      const { exchanges, marks, reference, documentOwner, leads } = journey;
      expect(describeCalls(exchanges.slice(0, marks.visited))).toBe(
        isCookie ? 'POST 200, GET 200' : callsForToken,
      );
      for (const sentPath of [apiPaths.application, apiPaths.documents]) {
        const sent = partnerExchanges.filter(
          ({ method, path }) => method === 'POST' && path === sentPath,
        );
        const transports = sent.map(({ hasCookie, hasToken }) => [hasCookie, hasToken]);
        expect(transports.length).toBeGreaterThan(0);
        expect(transports).toEqual(sent.map(() => [isCookie, !isCookie]));
      }
      expect(documentOwner).toBe(reference);
      expect(leads).toContain(reference);
      expect(partnerExchanges.some(({ tokens }) => tokens.length > 0)).toBe(!isCookie);
      // RFC 6265bis sections 4.1.3 and 5.7. Browsers refuse the prefix without the other attributes.
      const site = mode === 'cross-site' ? ['SameSite=None', 'Partitioned'] : ['SameSite=Strict'];
      for (const line of partnerExchanges.flatMap(({ setCookies }) => setCookies)) {
        const [pair, ...attributes] = line.split('; ');
        expect(pair).toMatch(/^__Host-Http-funding-/);
        expect(attributes.filter((text) => !text.startsWith('Max-Age=')).toSorted()).toEqual(
          ['HttpOnly', 'Path=/', 'Secure', ...site].toSorted(),
        );
      }
    });

    it('shows the record or an empty form after a reload', () => {
      const { reference, reloaded, kept, leads, marks, exchanges } = journey;
      expect(reloaded.reference).toBe(isCookie ? reference : undefined);
      expect(describeCalls(exchanges.slice(marks.reloads))).toBe(
        isCookie ? 'POST 200' : callsForToken,
      );
      const { ownReference } = journey.secondTab;
      const submitted = [reference, ownReference, journey.otherPartner.reference];
      expect(leads.toSorted()).toEqual(submitted.filter(Boolean).toSorted());
      // A script can read what is kept.
      expect(kept).toEqual([]);
    });

    it('shares a session cookie between tabs, but no session token', () => {
      const { reference, secondTab } = journey;
      expect(secondTab.ownReference !== undefined).toBe(!isCookie);
      expect(secondTab.ownReference).not.toBe(reference);
      expect(secondTab.shown.reference).toBe(secondTab.ownReference ?? reference);
    });

    it('shows no application of another partner', () => {
      const { reference, secondTab, otherPartner, exchanges } = journey;
      const others = exchanges.filter(({ page }) => page === pages.others);
      expect(otherPartner.first.reference).toBeUndefined();
      const secrets = [reference, ...(secondTab.ownReference ? [secondTab.ownReference] : [])];
      for (const { text } of others)
        for (const secret of secrets) expect(text).not.toContain(secret);
      for (const { text } of partnerExchanges) expect(text).not.toContain(otherPartner.reference);
      const [answer, ...withTokens] = otherPartner.answers;
      expect(answer).toMatch(/^200 .*"application":null|^401 /);
      for (const refusal of withTokens) expect(refusal).toMatch(/^401/);
    });

    it('follows the strictest page policy', () => {
      // The report of the blocked address proves that the browser reports violations.
      expect(new Set(journey.reports)).toEqual(new Set([`img-src ${blockedAddress}`]));
    });
  });
}

/** Only the values that the policy determines. Support for `Partitioned` depends on the engine. */
function toExpectedCookies({ mode, policy }: Combination): Partial<ReturnedCookies> {
  if (policy === 'all-blocked') return { strict: false, partitioned: false, plain: false };
  if (mode !== 'cross-site') return { strict: true, partitioned: true, plain: true };
  if (policy === 'third-party-blocked') return { strict: false, plain: false };
  if (policy === 'third-party-allowed') return { strict: false, partitioned: true, plain: true };
  return { strict: false };
}

/** The calls to `/v1/session`, without preflights: `POST 200, GET 401, POST 200`. */
function describeCalls(exchanges: readonly Exchange[]): string {
  const calls = listSessionCalls(exchanges);
  return calls.map(({ method, status }) => `${method} ${status}`).join(', ');
}
