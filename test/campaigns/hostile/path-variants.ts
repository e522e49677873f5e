// Paths that middleware and router could read differently, sent unchanged over a real port.

import { once } from 'node:events';
import { request } from 'node:http';
import { listenApp } from '../../support/servers.ts';
import type { CampaignRow } from '../campaign.ts';
import { apiHeaders } from '../../../shared/api/paths.ts';
import table from './path-variants.json' with { type: 'json' };
import {
  beginSessions,
  behindOriginGate,
  contract,
  headerless,
  listedOrigin,
  probe,
  type ProbedApp,
  type RouteSweepOptions,
  startSweptBff,
  toRow,
} from './route-sweep.ts';

/**
 * In the variants, REST is the path after `/v1/`, and FIRST its first letter as an escape. `redirecting`: headers that some servers use
 * in place of the path, method, or host of the request.
 */
const { variants, methods, redirecting } = table;

function writeVariant(variant: string, rest: string): string {
  return variant
    .replace('REST', rest)
    .replace('FIRST', `%${rest.charCodeAt(0).toString(16)}${rest.slice(1)}`)
    .replace('CAPITALS', rest.toUpperCase());
}

export async function sweepPaths({ share, alter }: RouteSweepOptions): Promise<CampaignRow> {
  const bff = await startSweptBff();
  const probed = probe(alter ? alter(bff.app.routes) : bff.app.routes);
  const cookie = await beginSessions(bff);
  const { port, close } = await listenApp(probed.app.fetch);
  const honest = {
    cookie,
    origin: listedOrigin,
    'sec-fetch-site': 'same-site',
    [apiHeaders.request]: '1',
  };
  const senders = [
    { allowed: contract, headers: honest },
    { allowed: contract, headers: { ...honest, ...redirecting } },
    { allowed: [], headers: { ...honest, origin: 'https://evil.example' } },
    { allowed: headerless, headers: { ...honest, [apiHeaders.request]: '' } },
  ];
  const problems: string[] = [];
  let requests = 0;
  let answered = 0;
  for (const path of listPaths(share)) {
    for (const method of methods) {
      for (const { allowed, headers } of senders) {
        const status = await send(port, method, path, headers, probed);
        requests += 1;
        const problem = findProblem(allowed, status, probed.reached);
        if (problem) problems.push(`${method} ${path} ${problem}, and got ${status}`);
        if (probed.reached.has(behindOriginGate)) answered += 1;
      }
    }
  }
  await close();
  await bff.close();
  return toRow(requests, answered, problems);
}

/** Every spelling of the paths of all routes, or of a share of the routes. */
function listPaths(share: number): ReadonlySet<string> {
  const rests = [...new Set(contract.map((route) => route.split(' /v1/')[1] ?? ''))];
  const chosen = rests.slice(0, Math.ceil(rests.length * share));
  return new Set(chosen.flatMap((rest) => variants.map((variant) => writeVariant(variant, rest))));
}

/**
 * Requests of an allowed page may reach the allowed routes behind the origin gate. Other
 * requests must reach nothing below `/v1`.
 */
function findProblem(
  allowed: readonly string[],
  status: number,
  reached: ReadonlySet<string>,
): string | undefined {
  if (status >= 500) return 'failed';
  const handlers = [...reached].filter((name) => name.includes(' /v1'));
  const isBehindOriginGate = reached.has(behindOriginGate);
  const mayPass = allowed === contract || handlers.some((name) => allowed.includes(name));
  if (isBehindOriginGate && !mayPass) return 'passed the origin gate';
  if (handlers.length > 0 && !isBehindOriginGate) return `reached ${handlers.join()}`;
  return undefined;
}

async function send(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  { forget }: ProbedApp,
): Promise<number> {
  forget();
  const sent = request({ host: '127.0.0.1', port, method, path, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
