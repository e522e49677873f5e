// Checks of a journey, for every engine, mode, and cookie policy.

import { type Combination, toPages } from './combinations.ts';
import type { ReturnedCookies } from './cookie-control.ts';
import type { Exchange } from './recording-proxy.ts';
import { listSessionCalls, type Journey } from './journey.ts';
import { blockedAddress } from './page-probes.ts';

/** The checks, as sentences about the element. */
export const scenarios = {
  combination: 'has the cookies and the sites of the combination',
  submission: 'submits an application with a document by one form of the session',
  reload: 'shows the record or an empty form after a reload',
  tabs: 'shares a session cookie between tabs, but no session token',
  partners: 'shows no application of another partner',
  policy: 'follows the strictest page policy',
} as const;
export type Scenario = keyof typeof scenarios;

/** `cookie` when the browser returns the cookie; otherwise a session token in the page's memory. */
export type Transport = 'cookie' | 'token';

/** Returns the problems of each check; empty when the check passes. */
export function checkJourney(journey: Journey): Readonly<Record<Scenario, readonly string[]>> {
  return {
    combination: checkCombination(journey),
    submission: toUnique(checkSubmission(journey)),
    reload: checkReload(journey),
    tabs: checkTabs(journey),
    partners: checkPartners(journey),
    policy: toUnique(checkPolicy(journey)),
  };
}

/** The journey, the error that ended it, or the reason why this machine cannot run it. */
export type JourneyResult = Journey | Error | string;

/** Returns a description of every problem of a combination. */
export function listProblems(result: JourneyResult): readonly string[] {
  if (typeof result === 'string') return [];
  if (result instanceof Error) return [result.message.split('\n')[0] ?? ''];
  return Object.values(checkJourney(result)).flat();
}

/** Expected transport: `cookie` when the browser returned a control cookie with the same attributes. */
export function toTransport({
  combination,
  cookies,
}: Pick<Journey, 'combination' | 'cookies'>): Transport {
  const isReturned = combination.mode === 'cross-site' ? cookies.partitioned : cookies.strict;
  return isReturned ? 'cookie' : 'token';
}

/** Describes the calls of the first visit to `/v1/session`, without preflights: `POST 200, GET 401, POST 200`. */
export function describeFirstVisit({ exchanges, marks }: Journey): string {
  return describeCalls(exchanges.slice(0, marks.visited));
}

function describeCalls(exchanges: readonly Exchange[]): string {
  const calls = listSessionCalls(exchanges);
  return calls.map(({ method, status }) => `${method} ${status}`).join(', ');
}

/** Verifies that the browser really has the tested cookie policy and site relation. */
function checkCombination({ combination, cookies, exchanges }: Journey): readonly string[] {
  const sites = exchanges
    .filter(({ page }) => page === toPages(combination.mode).own)
    .map(({ fetchSite }) => fetchSite);
  return [
    ...differs('Sec-Fetch-Site', [...new Set(sites)].join(), combination.mode),
    ...Object.entries(toExpectedCookies(combination)).flatMap(([name, isReturned]) =>
      differs(`returns a ${name} cookie`, cookies[name as keyof ReturnedCookies], isReturned),
    ),
  ];
}

/** Only the values that the policy determines. Support for `Partitioned` depends on the engine. */
function toExpectedCookies({ mode, policy }: Combination): Partial<ReturnedCookies> {
  if (policy === 'all-blocked') return { strict: false, partitioned: false, plain: false };
  if (mode !== 'cross-site') return { strict: true, partitioned: true, plain: true };
  if (policy === 'third-party-blocked') return { strict: false, plain: false };
  if (policy === 'third-party-allowed') return { strict: false, partitioned: true, plain: true };
  return { strict: false };
}

function checkSubmission(journey: Journey): readonly string[] {
  const { combination, reference, documentOwner, exchanges } = journey;
  const transport = toTransport(journey);
  const own = exchanges.filter(({ page }) => page === toPages(combination.mode).own);
  const submission = own.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/application',
  );
  const upload = own.filter(({ method, path }) => method === 'POST' && path === '/v1/documents');
  return [
    ...differs(
      'calls of the first visit',
      describeFirstVisit(journey),
      transport === 'cookie' ? 'POST 200, GET 200' : 'POST 200, GET 401, POST 200',
    ),
    ...submission.flatMap((exchange) =>
      differs('application sent with', toUsedTransport(exchange), transport),
    ),
    ...upload.flatMap((exchange) =>
      differs('document sent with', toUsedTransport(exchange), transport),
    ),
    ...differs('lead of the document', documentOwner, reference),
    ...own.flatMap(({ setCookies }) =>
      setCookies.flatMap((line) => checkCookie(line, combination)),
    ),
    ...own.flatMap(({ tokens }) =>
      transport === 'cookie' && tokens.length > 0
        ? ['a session token was issued in addition to a cookie']
        : [],
    ),
    ...(journey.leads.includes(reference) ? [] : ['the lead is not at the funding service']),
  ];
}

function toUsedTransport({ hasCookie, hasToken }: Exchange): string {
  if (hasCookie && hasToken) return 'both';
  return hasCookie ? 'cookie' : hasToken ? 'token' : 'none';
}

/** RFC 6265bis sections 4.1.3 and 5.7. Browsers refuse the prefix without the other attributes. */
function checkCookie(line: string, { mode }: Combination): readonly string[] {
  const [pair = '', ...attributes] = line.split('; ');
  const site = mode === 'cross-site' ? ['SameSite=None', 'Partitioned'] : ['SameSite=Strict'];
  const expected = ['HttpOnly', 'Path=/', 'Secure', ...site].toSorted().join('; ');
  const found = attributes.filter((attribute) => !attribute.startsWith('Max-Age='));
  return [
    ...differs('attributes of the cookie', found.toSorted().join('; '), expected),
    ...(pair.startsWith('__Host-Http-funding-') ? [] : ['the cookie lacks its prefix']),
  ];
}

function checkReload(journey: Journey): readonly string[] {
  const { reference, reloaded, kept, leads, marks, exchanges, otherPartner } = journey;
  const isCookie = toTransport(journey) === 'cookie';
  const ownReference = journey.secondTab.ownReference;
  const filed = [reference, ownReference, otherPartner.reference].filter(Boolean);
  return [
    ...differs('shown after a reload', reloaded.reference, isCookie ? reference : undefined),
    ...differs(
      'calls of the reload',
      describeCalls(exchanges.slice(marks.reloads)),
      isCookie ? 'POST 200' : 'POST 200, GET 401, POST 200',
    ),
    ...differs('leads at the service', leads.toSorted().join(), filed.toSorted().join()),
    ...kept.map((place) => `a script can read ${place}`),
  ];
}

function checkTabs(journey: Journey): readonly string[] {
  const { reference, secondTab } = journey;
  const { ownReference, shown } = secondTab;
  if (toTransport(journey) === 'cookie') {
    return [
      ...differs('submitted by the second tab', ownReference, undefined),
      ...differs('shown in the second tab', shown.reference, reference),
    ];
  }
  return [
    ...(ownReference === undefined ? ['the second tab shared a session'] : []),
    ...(ownReference === reference ? ['both tabs submitted one application'] : []),
    ...differs('shown in the second tab', shown.reference, ownReference),
  ];
}

function checkPartners({
  combination,
  reference,
  secondTab,
  otherPartner,
  exchanges,
}: Journey): readonly string[] {
  const pages = toPages(combination.mode);
  const tells = (page: string, secrets: readonly (string | undefined)[]) =>
    exchanges.some(
      (exchange) =>
        exchange.page === page &&
        secrets.some((secret) => secret !== undefined && exchange.text.includes(secret)),
    );
  const [own = '', ...withTokens] = otherPartner.answers;
  return [
    ...differs('shown on the other partner’s page', otherPartner.first.reference, undefined),
    ...(tells(pages.others, [reference, secondTab.ownReference])
      ? ['a response to the other partner’s page contains the first partner’s application']
      : []),
    ...(tells(pages.own, [otherPartner.reference])
      ? ['a response to the first partner’s page contains the other partner’s application']
      : []),
    ...(/^200 .*"application":null|^401 /.test(own) ? [] : [`its script got the response ${own}`]),
    ...withTokens.flatMap((answer) =>
      differs('response to a session token of the first partner', answer.slice(0, 3), '401'),
    ),
  ];
}

function checkPolicy({ reports }: Journey): readonly string[] {
  const others = reports.filter((report) => report !== `img-src ${blockedAddress}`);
  return [
    ...others.map((report) => `refused: ${report}`),
    ...(others.length === reports.length ? ['the browser does not report violations'] : []),
  ];
}

/** Reports a repeated problem once. */
function toUnique(problems: readonly string[]): readonly string[] {
  return [...new Set(problems)];
}

function differs(description: string, found: unknown, expected: unknown): readonly string[] {
  return found === expected
    ? []
    : [`${description}: ${String(found)} instead of ${String(expected)}`];
}
