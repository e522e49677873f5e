// What has to be true of a journey, in every engine and mode and whatever becomes of the cookies.

import type { Cell } from './cells.ts';
import type { ReturnedCookies } from './cookie-control.ts';
import type { Exchange } from './front.ts';
import { listSessionCalls, type Journey } from './journey.ts';
import { blockedAddress } from './page-probes.ts';
import { toPages } from './hosts.ts';

/** What a journey has to show, as sentences about the widget. */
export const scenarios = {
  cell: 'meets the cookies and the sites that the cell asks for',
  filing: 'files an application and a document, and gives the session no more than it needs',
  reload: 'comes back after a reload, or begins anew, and keeps nothing for scripts',
  tabs: 'keeps two tabs together by cookie, and apart by handle',
  partners: 'shows no partner what was filed at another',
  policy: 'breaks no rule of the strictest page',
} as const;
export type Scenario = keyof typeof scenarios;

/** `cookie` while the browser gives it back, or else a handle in the page's memory. */
export type Transport = 'cookie' | 'handle';

/** Everything that is not as it should be, in sentences; nothing when the cell holds. */
export function judge(journey: Journey): Readonly<Record<Scenario, readonly string[]>> {
  return {
    cell: judgeCell(journey),
    filing: toUnique(judgeFiling(journey)),
    reload: judgeReload(journey),
    tabs: judgeTabs(journey),
    partners: judgePartners(journey),
    policy: toUnique(judgePolicy(journey)),
  };
}

/** What this browser leaves the widget, by the cookie of the same attributes that was tried without it. */
export function toTransport({ cell, cookies }: Pick<Journey, 'cell' | 'cookies'>): Transport {
  const comesBack = cell.mode === 'cross-site' ? cookies.partitioned : cookies.strict;
  return comesBack ? 'cookie' : 'handle';
}

/** What the first visit asked of `/v1/session`, without preflights: `POST 200, GET 401, POST 200`. */
export function describeFirstVisit({ exchanges, marks }: Journey): string {
  return describeCalls(exchanges.slice(0, marks.visited));
}

function describeCalls(exchanges: readonly Exchange[]): string {
  const calls = listSessionCalls(exchanges);
  return calls.map(({ method, status }) => `${method} ${status}`).join(', ');
}

/** Otherwise a passed cell would say nothing. */
function judgeCell({ cell, cookies, exchanges }: Journey): readonly string[] {
  const sites = exchanges
    .filter(({ page }) => page === toPages(cell.mode).own)
    .map(({ fetchSite }) => fetchSite);
  return [
    ...differs('sites that the browser names', [...new Set(sites)].join(), cell.mode),
    ...Object.entries(toExpectedCookies(cell)).flatMap(([name, isReturned]) =>
      differs(`a ${name} cookie comes back`, cookies[name as keyof ReturnedCookies], isReturned),
    ),
  ];
}

/** As far as it is the policy's to say; what `Partitioned` does is the engine's. */
function toExpectedCookies({ mode, policy }: Cell): Partial<ReturnedCookies> {
  if (policy === 'all-blocked') return { strict: false, partitioned: false, plain: false };
  if (mode !== 'cross-site') return { strict: true, partitioned: true, plain: true };
  if (policy === 'third-party-blocked') return { strict: false, plain: false };
  if (policy === 'third-party-allowed') return { strict: false, partitioned: true, plain: true };
  return { strict: false };
}

function judgeFiling(journey: Journey): readonly string[] {
  const { cell, reference, documentOwner, exchanges } = journey;
  const transport = toTransport(journey);
  const own = exchanges.filter(({ page }) => page === toPages(cell.mode).own);
  const filing = own.filter(({ method, path }) => method === 'POST' && path === '/v1/application');
  const upload = own.filter(({ method, path }) => method === 'POST' && path === '/v1/documents');
  return [
    ...differs(
      'calls of the first visit',
      describeFirstVisit(journey),
      transport === 'cookie' ? 'POST 200, GET 200' : 'POST 200, GET 401, POST 200',
    ),
    ...filing.flatMap((exchange) => differs('filed by', toCarrier(exchange), transport)),
    ...upload.flatMap((exchange) => differs('uploaded by', toCarrier(exchange), transport)),
    ...differs('the document belongs to', documentOwner, reference),
    ...own.flatMap(({ setCookies }) => setCookies.flatMap((line) => judgeCookie(line, cell))),
    ...own.flatMap(({ handles }) =>
      transport === 'cookie' && handles.length > 0 ? ['a handle was given beside a cookie'] : [],
    ),
    ...(journey.leads.includes(reference) ? [] : ['the service has not received it']),
  ];
}

function toCarrier({ hasCookie, hasHandle }: Exchange): string {
  if (hasCookie && hasHandle) return 'both';
  return hasCookie ? 'cookie' : hasHandle ? 'handle' : 'nothing';
}

/** RFC 6265bis sections 4.1.3 and 5.7; the prefix is refused by browsers without the rest. */
function judgeCookie(line: string, { mode }: Cell): readonly string[] {
  const [pair = '', ...attributes] = line.split('; ');
  const site = mode === 'cross-site' ? ['SameSite=None', 'Partitioned'] : ['SameSite=Strict'];
  const expected = ['HttpOnly', 'Path=/', 'Secure', ...site].toSorted().join('; ');
  const found = attributes.filter((attribute) => !attribute.startsWith('Max-Age='));
  return [
    ...differs('attributes of the cookie', found.toSorted().join('; '), expected),
    ...(pair.startsWith('__Host-Http-funding-') ? [] : ['the cookie lacks its prefix']),
  ];
}

function judgeReload(journey: Journey): readonly string[] {
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
    ...kept.map((place) => `script can read ${place}`),
  ];
}

function judgeTabs(journey: Journey): readonly string[] {
  const { reference, secondTab } = journey;
  const { ownReference, shown } = secondTab;
  if (toTransport(journey) === 'cookie') {
    return [
      ...differs('filed by the second tab', ownReference, undefined),
      ...differs('shown in the second tab', shown.reference, reference),
    ];
  }
  return [
    ...(ownReference === undefined ? ['the second tab shared a session'] : []),
    ...(ownReference === reference ? ['both tabs filed one application'] : []),
    ...differs('shown in the second tab', shown.reference, ownReference),
  ];
}

function judgePartners({
  cell,
  reference,
  secondTab,
  otherPartner,
  exchanges,
}: Journey): readonly string[] {
  const pages = toPages(cell.mode);
  const tells = (page: string, secrets: readonly (string | undefined)[]) =>
    exchanges.some(
      (exchange) =>
        exchange.page === page &&
        secrets.some((secret) => secret !== undefined && exchange.text.includes(secret)),
    );
  const [own = '', ...withHandles] = otherPartner.answers;
  return [
    ...differs('shown at the other partner', otherPartner.first.reference, undefined),
    ...(tells(pages.others, [reference, secondTab.ownReference])
      ? ['the other partner’s page was told of the first one’s application']
      : []),
    ...(tells(pages.own, [otherPartner.reference])
      ? ['the first partner’s page was told of the other one’s application']
      : []),
    ...(/^200 .*"application":null|^401 /.test(own) ? [] : [`its script was answered ${own}`]),
    ...withHandles.flatMap((answer) =>
      differs('answered to a handle of the other', answer.slice(0, 3), '401'),
    ),
  ];
}

function judgePolicy({ reports }: Journey): readonly string[] {
  const others = reports.filter((report) => report !== `img-src ${blockedAddress}`);
  return [
    ...others.map((report) => `refused: ${report}`),
    ...(others.length === reports.length ? ['no violation is reported at all'] : []),
  ];
}

/** What every request or every page does wrong is said once. */
function toUnique(problems: readonly string[]): readonly string[] {
  return [...new Set(problems)];
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  return found === expected ? [] : [`${what}: ${String(found)} instead of ${String(expected)}`];
}
