// The order of the middleware below `/v1`, and the check that no route bypasses it.

import type { Hono, MiddlewareHandler } from 'hono';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../logging/log.ts';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import {
  type ClientAddresses,
  type ClientAddressEvent,
  logAddressProblems,
} from './client-address.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { BffEnv } from './context.ts';
import type { Counters } from './counters.ts';
import { originGate, type OriginGateEvent } from './origin-gate.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Sessions } from './session.ts';

/** Routes outside of `/v1`. Anybody may call them: none returns personal data, and `/metrics` requires its own token. */
export const publicRoutes = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /widget/*',
];

/** Routes below `/v1` that need no session: the public configuration, and the start of a session. */
const sessionlessRoutes = new Set([`GET ${apiPaths.configuration}`, `POST ${apiPaths.session}`]);

export interface ApiMiddlewareOptions {
  readonly app: Hono<BffEnv>;
  readonly config: Config;
  readonly addresses: ClientAddresses;
  readonly concurrency: ConcurrencyLimit;
  readonly rateLimits: RateLimits;
  readonly sessions: Sessions;
  readonly counters: Counters;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Log<ClientAddressEvent>;
  readonly logRateLimited: RateLimitedLog<OriginGateEvent>;
}

/**
 * The middleware that every request below `/v1` passes, in this order. The origin gate comes first, so that an allowed page can
 * read the later refusals. The session costs a query, so the limits by address come before it.
 */
export function createApiMiddleware(
  options: ApiMiddlewareOptions,
): readonly MiddlewareHandler<BffEnv>[] {
  const { app, config, counters, clock, log, logRateLimited } = options;
  const { addresses, concurrency, rateLimits, sessions } = options;
  const { allowedOrigins, crossSiteOrigins, publicOrigin } = config;
  return [
    originGate({ app, allowedOrigins, crossSiteOrigins, publicOrigin, counters, logRateLimited }),
    logAddressProblems(addresses, log, clock),
    concurrency.middleware,
    rateLimits.byAddress,
    requireSession(sessions),
    rateLimits.bySession,
  ];
}

function requireSession(sessions: Sessions): MiddlewareHandler<BffEnv> {
  return async function requireSession(c, next) {
    const isSessionless = sessionlessRoutes.has(`${c.req.method} ${c.req.path}`);
    return isSessionless ? next() : sessions.middleware(c, next);
  };
}

export interface ExpectedRoutes {
  /** Middleware for all paths. It answers no request by itself. */
  readonly globalMiddleware: readonly MiddlewareHandler<BffEnv>[];
  /** Middleware for all paths below `/v1`, in this order. */
  readonly apiMiddleware: readonly MiddlewareHandler<BffEnv>[];
  /** For example `GET /livez`. */
  readonly publicRoutes: readonly string[];
}

const apiPattern = '/v1/*';

/**
 * Throws unless each handler in Hono's route table is global middleware, a public route, or a route below `/v1` after the API
 * middleware: Hono would run a handler before it without that middleware. Afterwards the app accepts no more routes.
 */
export function assertRoutesProtected(
  app: Hono<BffEnv>,
  { globalMiddleware, apiMiddleware, publicRoutes }: ExpectedRoutes,
): void {
  let found = 0;
  for (const { method, path, handler } of app.routes) {
    if (globalMiddleware.some((known) => known === handler)) continue;
    if (publicRoutes.includes(`${method} ${path}`)) continue;
    const isNext = handler === apiMiddleware[found] && method === 'ALL' && path === apiPattern;
    if (isNext) found += 1;
    else if (found < apiMiddleware.length || !path.startsWith('/v1/')) {
      throw new Error(`The route ${method} ${path} bypasses the API middleware`);
    }
  }
  if (found < apiMiddleware.length) throw new Error('API middleware is missing');
  // The first match makes Hono build its router, which then rejects new routes.
  app.router.match('GET', '/');
}
