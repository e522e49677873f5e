// Paths that middleware and router could read differently, sent unchanged over a real port.

import { once } from 'node:events';
import { request } from 'node:http';
import { listenApp } from '../../support/servers.ts';
import { apiHeaders } from '../../../shared/api/paths.ts';
import {
  beginSessions,
  behindOriginGate,
  contract,
  headerless,
  listedOrigin,
  probe,
  type ProbedApp,
  type RouteSweep,
  type RouteSweepOptions,
  startSweptBff,
} from './route-sweep.ts';

/** `rest` is the path after `/v1/`. */
const variants: readonly ((rest: string) => string)[] = [
  (rest) => `/v1/${rest}`,
  (rest) => `//v1/${rest}`,
  (rest) => `/v1//${rest}`,
  (rest) => `///v1///${rest}`,
  (rest) => `/V1/${rest}`,
  (rest) => `/v1/${rest.toUpperCase()}`,
  (rest) => `/v1/${rest}/`,
  (rest) => `/v1/${rest}//`,
  (rest) => `/v1/./${rest}`,
  (rest) => `/./v1/${rest}`,
  (rest) => `/v1/x/../${rest}`,
  (rest) => `/livez/../v1/${rest}`,
  (rest) => `/widget/../v1/${rest}`,
  (rest) => `/widget/..%2fv1/${rest}`,
  (rest) => `/widget/%2e%2e/v1/${rest}`,
  (rest) => `/%2e/v1/${rest}`,
  (rest) => `/v1/%2e/${rest}`,
  (rest) => `/v1/%2e%2e/v1/${rest}`,
  (rest) => `/%76%31/${rest}`,
  (rest) => `/v1%2f${rest}`,
  (rest) => `/v1%252f${rest}`,
  (rest) => `/v1/%${rest.charCodeAt(0).toString(16)}${rest.slice(1)}`,
  (rest) => `/v1;x=1/${rest}`,
  (rest) => `/v1/${rest};x=1`,
  (rest) => `/v1/${rest}?/livez`,
  (rest) => `/v1/${rest}?_method=POST`,
  (rest) => `/v1/${rest}#/livez`,
  (rest) => `/v1/${rest}%00`,
  (rest) => `/v1/${rest}%20`,
  (rest) => `/v1/${rest}.json`,
  (rest) => `/v1\\${rest}`,
  (rest) => `\\v1\\${rest}`,
  (rest) => `http://localhost:8081/v1/${rest}`,
  (rest) => `http://evil.example/v1/${rest}`,
  (rest) => `http://localhost:8081@evil.example/v1/${rest}`,
  (rest) => `/http://localhost:8081/v1/${rest}`,
  (rest) => `/livez?/v1/${rest}`,
];

const methods = ['GET', 'POST', 'DELETE', 'TRACE', 'LOCK', 'M-SEARCH'];

/** Headers that some servers use in place of the path, method, or host of the request. */
const redirecting = {
  'x-original-url': '/livez',
  'x-rewrite-url': '/livez',
  'x-http-method-override': 'GET',
  'x-forwarded-host': 'localhost:8081',
  'x-forwarded-prefix': '/livez',
};

export async function sweepPaths({
  share = 1,
  alter,
}: Pick<RouteSweepOptions, 'share' | 'alter'> = {}): Promise<RouteSweep> {
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
  return { requests, answered, problems };
}

/** Every spelling of the paths of all routes, or of a share of the routes. */
function listPaths(share: number): ReadonlySet<string> {
  const rests = [...new Set(contract.map((route) => route.split(' /v1/')[1] ?? ''))];
  const chosen = rests.slice(0, Math.ceil(rests.length * share));
  return new Set(chosen.flatMap((rest) => variants.map((write) => write(rest))));
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
