// Sends each route every combination of header, origin, Fetch Metadata, content type, and method. Only allowed combinations may
// run a handler. They are derived from the API's contract, not from the code of the origin gate.

import { Hono, type MiddlewareHandler } from 'hono';
import type { RouterRoute } from 'hono/types';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { toProblemResponse } from '../../../bff/middleware/errors.ts';
import { AppError } from '../../../bff/runtime/app-error.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import type { CampaignRow } from '../campaign.ts';
import table from './route-sweep.json' with { type: 'json' };

const ownOrigin = 'http://localhost:8081';
export const listedOrigin = 'http://localhost:8080';
const crossSiteOrigin = 'http://partner.example';

/** `null`: the header is missing. */
interface Cell {
  readonly path: string;
  readonly method: string;
  readonly requestHeader: string | null;
  readonly origin: string | null;
  readonly site: string | null;
  readonly mode: string | null;
  readonly body: string;
  /** If true, the browser has a session on each of the three origins. */
  readonly hasSession: boolean;
}

/**
 * Every route below `/v1`: add new routes to the table. Pages preload the `headerless` ones, and a preload has no header. Only
 * requests with the header of phones reach the `phoneOnly` ones, and the sweep sends none: test/bff/routes/handoff.test.ts does.
 */
export const contract: readonly string[] = table.contract;
export const headerless: readonly string[] = table.headerless;
const contentTypes: Readonly<Record<string, string | null>> = table.contentTypes;

/** The accepted values of `Sec-Fetch-Site` for each `Origin`. */
const allowedSites = new Map<string | null, readonly (string | null)[]>([
  [ownOrigin, ['same-origin', null]],
  [listedOrigin, ['same-origin', 'same-site', null]],
  [crossSiteOrigin, ['same-origin', 'same-site', 'cross-site', null]],
  [null, ['same-origin']],
]);

const values: { readonly [Name in keyof Cell]: readonly Cell[Name][] } = {
  path: [...new Set(contract.map((route) => route.split(' ')[1] ?? ''))],
  ...table.values,
  body: Object.keys(contentTypes),
  hasSession: [true, false],
};

const names = Object.keys(values) as readonly (keyof Cell)[];

const cellCount = names.reduce((count, name) => count * values[name].length, 1);

/** @param index from 0 to below `cellCount`. */
function toCell(index: number): Cell {
  let rest = index;
  const entries = names.map((name) => {
    const { length } = values[name];
    const value = values[name][rest % length];
    rest = Math.floor(rest / length);
    return [name, value] as const;
  });
  // Each name got a value of its own list.
  return Object.fromEntries(entries) as unknown as Cell;
}

/** The cells that differ from a cell in one value. */
function listNeighbors(index: number): readonly number[] {
  const neighbors: number[] = [];
  let weight = 1;
  for (const name of names) {
    const { length } = values[name];
    const place = Math.floor(index / weight) % length;
    for (let other = 0; other < length; other += 1) {
      if (other !== place) neighbors.push(index + (other - place) * weight);
    }
    weight *= length;
  }
  return neighbors;
}

/** True if an allowed page can have sent the request, and the path accepts its method. */
function mayPassOriginGate(cell: Cell): boolean {
  const accepted = cell.path === '/v1/documents' ? 'bytes' : 'json';
  return (
    contract.includes(`${cell.method} ${cell.path}`) &&
    (cell.requestHeader === '1' || headerless.includes(`${cell.method} ${cell.path}`)) &&
    (allowedSites.get(cell.origin)?.includes(cell.site) ?? false) &&
    ['cors', 'same-origin', null].includes(cell.mode) &&
    ['none', accepted].includes(cell.body)
  );
}

/** The route whose handler has to run; `undefined` if none may run. */
function findHandler(cell: Cell): string | undefined {
  const route = `${cell.method} ${cell.path}`;
  if (!mayPassOriginGate(cell) || table.phoneOnly.includes(route)) return undefined;
  return cell.hasSession || table.sessionless.includes(route) ? route : undefined;
}

/** The origin whose page may read the response. */
function findReader(cell: Cell): string | null {
  const isListed = cell.origin === listedOrigin || cell.origin === crossSiteOrigin;
  const isConsistent =
    (allowedSites.get(cell.origin)?.includes(cell.site) ?? false) &&
    ['cors', 'same-origin', null].includes(cell.mode);
  return isListed && isConsistent && cell.method !== 'OPTIONS' ? cell.origin : null;
}

/** The cells that have to reach a handler. */
const answeredCells: readonly number[] = Array.from(
  { length: cellCount },
  (_none, index) => index,
).filter((index) => findHandler(toCell(index)) !== undefined);

export const behindOriginGate = 'behind the origin gate';

export type ProbedApp = ReturnType<typeof probe>;

/** The middleware runs as usual. The handlers only record that they ran, so that no request changes the next. */
export function probe(routes: readonly RouterRoute[]) {
  // Routes that requests reached since the last `forget`, for example `GET /v1/offers`, and `behind the origin gate`.
  const reached = new Set<string>();
  const app = new Hono<BffEnv>();
  const originGateIndex = routes.findIndex(({ handler }) => handler.name === 'originGate');

  function watch({ method, path, handler }: RouterRoute, index: number): MiddlewareHandler<BffEnv> {
    const isMiddleware = method === 'ALL';
    return (c, next) => {
      if (index > originGateIndex && path.startsWith('/v1')) reached.add(behindOriginGate);
      if (isMiddleware) return handler(c, next);
      reached.add(`${method} ${path}`);
      return Promise.resolve(c.body(null, 204));
    };
  }

  for (const [index, route] of routes.entries()) {
    app.on(route.method, route.path, watch(route, index));
  }
  app.notFound((c) => toProblemResponse(c, new AppError('not-found')));
  app.onError((error, c) => toProblemResponse(c, error));
  return { app, reached, forget: () => reached.clear() };
}

export interface RouteSweepOptions {
  /** Share of the cells that differ from every allowed cell in more than one value. */
  readonly share: number;
  /** Share of the cells that differ from an allowed cell in one value. Default: 1. */
  readonly neighborShare?: number;
  /** Breaks the protection on purpose, to test the sweep itself. */
  readonly alter?: (routes: readonly RouterRoute[]) => readonly RouterRoute[];
}

export async function sweepRoutes(options: RouteSweepOptions): Promise<CampaignRow> {
  const { share, neighborShare = 1, alter } = options;
  const bff = await startSweptBff();
  const probed = probe(alter ? alter(bff.app.routes) : bff.app.routes);
  const cookies = await beginSessions(bff);
  const problems: string[] = [];
  const cells = [...chooseCells(share, neighborShare)].map(toCell);
  for (const cell of cells) {
    const problem = await tryCell(cell, cookies, probed);
    if (problem !== undefined && problems.length < 20) problems.push(problem);
  }
  await bff.close();
  const answered = cells.filter((cell) => findHandler(cell) !== undefined).length;
  return toRow(cells.length, answered, problems);
}

/** @param answered requests that reached a handler. Without any, the sweep proves nothing. */
export function toRow(runs: number, answered: number, problems: readonly string[]): CampaignRow {
  const nothing = answered < 300 ? [`only ${answered} requests were answered`] : [];
  return {
    runs,
    unit: 'requests',
    notes: `${answered} answered`,
    problems: [...problems, ...nothing],
  };
}

/** A BFF with an origin of each site relation. */
export function startSweptBff(): Promise<TestBff> {
  return startBff({
    delivers: false,
    variables: { ALLOWED_ORIGINS: listedOrigin, CROSS_SITE_ORIGINS: crossSiteOrigin },
  });
}

/** Cookies of a session on each of the three origins. Without them, the missing session would hide a fault of the origin gate. */
export async function beginSessions(bff: TestBff): Promise<string> {
  const pairs: string[] = [];
  for (const origin of [listedOrigin, crossSiteOrigin, ownOrigin]) {
    const browser = bff.openBrowser(origin);
    await browser.send('POST', apiPaths.session, undefined, { 'sec-fetch-site': 'same-origin' });
    pairs.push(...[...browser.cookies].map(([name, value]) => `${name}=${value}`));
  }
  return pairs.join('; ');
}

/** All allowed cells, and shares of the others. A fault is most likely in a neighbor of an allowed cell. */
function chooseCells(share: number, neighborShare: number): ReadonlySet<number> {
  const chosen = new Set(answeredCells);
  for (let index = 0; index < cellCount * share; index += 1) chosen.add(Math.floor(index / share));
  const neighbors = [...new Set(answeredCells.flatMap(listNeighbors))];
  const step = Math.round(1 / neighborShare);
  for (const [place, index] of neighbors.entries()) if (place % step === 0) chosen.add(index);
  return chosen;
}

async function tryCell(
  cell: Cell,
  cookies: string,
  { app, reached, forget }: ProbedApp,
): Promise<string | undefined> {
  forget();
  const { status, headers } = await app.fetch(toRequest(cell, cookies));
  const handler = findHandler(cell);
  const expected = [
    ...(mayPassOriginGate(cell) ? [behindOriginGate] : []),
    ...(handler ? [handler] : []),
  ];
  const isReached = expected.length === reached.size && expected.every((name) => reached.has(name));
  const isStatus = handler === undefined ? status >= 400 && status < 500 : status === 204;
  const isReader = headers.get('access-control-allow-origin') === findReader(cell);
  if (isReached && isStatus && isReader) return undefined;
  const found = [...reached].join(', ') || 'nothing';
  return `${JSON.stringify(cell)} reached ${found} and got ${status}`;
}

function toRequest(cell: Cell, cookies: string): Request {
  const { method, body } = cell;
  const headers = {
    [apiHeaders.request]: cell.requestHeader,
    origin: cell.origin,
    'sec-fetch-site': cell.site,
    'sec-fetch-mode': cell.mode,
    'content-type': contentTypes[body],
    'content-length': body === 'none' ? null : '1',
    cookie: cell.hasSession ? cookies : null,
  };
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Request(`${ownOrigin}${cell.path}`, { method, headers: sent });
}
