// What stands between a request and the routes: which gates, in which order, and for which addresses there are none.

import type { Hono, MiddlewareHandler } from 'hono';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Config } from '../config/config.ts';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import type { BffEnv } from './context.ts';
import type { Counters, RefusalEvent } from './counters.ts';
import { originGate } from './origin-gate.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Sessions } from './session.ts';

/** Answer anybody, without gate or session: nothing in them is an applicant's. `/metrics` asks for a token of its own. */
export const publicRoutes = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /widget/*',
];

/** Ask for no session: what everybody may know, and where sessions begin. */
const sessionlessRoutes = new Set([`GET ${apiPaths.configuration}`, `POST ${apiPaths.session}`]);

export interface ApiMiddlewareOptions {
  /** The middleware reads the app's routes at the first request. */
  readonly app: Hono<BffEnv>;
  readonly config: Config;
  readonly sessions: Sessions;
  readonly rateLimits: RateLimits;
  readonly counters: Counters;
  readonly logRateLimited: RateLimitedLog<RefusalEvent>;
}

/** The middleware that every request below `/v1` passes, in this order. */
export function createApiMiddleware(
  options: ApiMiddlewareOptions,
): readonly MiddlewareHandler<BffEnv>[] {
  const { app, config, sessions, rateLimits, counters, logRateLimited } = options;
  return [
    originGate({
      allowedOrigins: config.allowedOrigins,
      crossSiteOrigins: config.crossSiteOrigins,
      publicOrigin: config.publicOrigin,
      listMethods: createMethodList(app),
      onRefusal: (requestId, reason) => {
        counters.countGateRefusal(reason);
        logRateLimited(`gate-refused ${reason}`, (refused) => ({
          event: 'gate-refused',
          requestId,
          reason,
          refused,
        }));
      },
    }),
    ...rateLimits.beforeSession,
    async function sessionWhereNeeded(c, next) {
      const isOpen = sessionlessRoutes.has(`${c.req.method} ${c.req.path}`);
      return isOpen ? next() : sessions.middleware(c, next);
    },
    rateLimits.bySession,
  ];
}

/** Returns the methods that the routes at a path accept. No path below `/v1` has a parameter. */
function createMethodList(app: Hono<BffEnv>): (path: string) => readonly string[] {
  let methodsByPath: Map<string, string[]> | undefined;
  return function listMethods(path) {
    methodsByPath ??= groupMethods(app);
    return methodsByPath.get(path) ?? [];
  };
}

function groupMethods({ routes }: Hono<BffEnv>): Map<string, string[]> {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = methodsByPath.get(path) ?? [];
    if (method !== 'ALL' && !methods.includes(method)) {
      methodsByPath.set(path, [...methods, method]);
    }
  }
  return methodsByPath;
}

export interface Gating {
  /** Runs for every request and answers none of its own accord. */
  readonly everywhere: readonly MiddlewareHandler<BffEnv>[];
  /** What every request below `/v1` has to pass, in this order. */
  readonly gates: readonly MiddlewareHandler<BffEnv>[];
  /** What anybody may ask, as `GET /livez`. */
  readonly publicRoutes: readonly string[];
}

const gatedPath = '/v1/*';

/**
 * Throws unless every handler is one of `everywhere`, one of `publicRoutes`, or stands below `/v1` and behind all gates; a
 * handler that Hono reaches before a gate answers without it. Afterwards the table is closed: to add a route throws.
 */
export function assertProtected(
  app: Hono<BffEnv>,
  { everywhere, gates, publicRoutes }: Gating,
): void {
  let passed = 0;
  for (const { method, path, handler } of app.routes) {
    if (everywhere.some((known) => known === handler)) continue;
    if (publicRoutes.includes(`${method} ${path}`)) continue;
    const isNextGate = handler === gates[passed] && method === 'ALL' && path === gatedPath;
    if (isNextGate) passed += 1;
    else if (passed < gates.length || !path.startsWith('/v1/')) {
      throw new Error(`The route ${method} ${path} does not stand behind the gates`);
    }
  }
  if (passed < gates.length) throw new Error('A gate is missing');
  // Hono fixes its table with the first look at it.
  app.router.match('GET', '/');
}
