// Sends each route every combination of header, origin, Fetch Metadata, content type, and method. Only allowed cells may run a handler.

import type { RouterRoute } from 'hono/types';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { behindOriginGate, probe, type ProbedApp } from './probed-app.ts';
import {
  answeredCells,
  cellCount,
  contentTypes,
  crossSiteOrigin,
  findHandler,
  findReader,
  listedOrigin,
  listNeighbors,
  mayPassOriginGate,
  ownOrigin,
  toCell,
  type Cell,
} from './sweep-cells.ts';

export interface RouteSweepOptions {
  /** Share of the cells that differ from every allowed cell in more than one value. Defaults to 1. */
  readonly share?: number;
  /** Share of the cells that differ from an allowed cell in one value. Defaults to 1. */
  readonly neighborShare?: number;
  /** Breaks the protection on purpose, to test the sweep itself. */
  readonly alter?: (routes: readonly RouterRoute[]) => readonly RouterRoute[];
}

export interface RouteSweep {
  readonly requests: number;
  /** Number of requests that reached a handler. */
  readonly answered: number;
  readonly problems: readonly string[];
}

const maxProblems = 20;

export async function sweepRoutes(options: RouteSweepOptions = {}): Promise<RouteSweep> {
  const { share = 1, neighborShare = 1, alter } = options;
  const bff = await startSweptBff();
  const probed = probe(alter ? alter(bff.app.routes) : bff.app.routes);
  const cookies = await beginSessions(bff);
  const problems: string[] = [];
  let requests = 0;
  let answered = 0;
  for (const index of chooseCells(share, neighborShare)) {
    const cell = toCell(index);
    const problem = await tryCell(cell, cookies, probed);
    requests += 1;
    if (findHandler(cell) !== undefined) answered += 1;
    if (problem !== undefined && problems.length < maxProblems) problems.push(problem);
  }
  await bff.close();
  return { requests, answered, problems };
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
  const isReader = headers.get('access-control-allow-origin') === (findReader(cell) ?? null);
  if (isReached && isStatus && isReader) return undefined;
  const found = [...reached].join(', ') || 'nothing';
  return `${JSON.stringify(cell)} reached ${found} and got ${status}`;
}

function toRequest(cell: Cell, cookies: string): Request {
  const { method, body } = cell;
  const type = body === 'none' || body === 'untyped' ? undefined : contentTypes[body];
  const headers = {
    [apiHeaders.request]: cell.requestHeader,
    origin: cell.origin,
    'sec-fetch-site': cell.site,
    'sec-fetch-mode': cell.mode,
    'content-type': type,
    'content-length': body === 'none' ? undefined : '1',
    cookie: cell.hasSession ? cookies : undefined,
  };
  return new Request(`${ownOrigin}${cell.path}`, { method, headers: onlySent(headers) });
}

function onlySent(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
}
