// Proves when the app is put together that no route stands beside the gates, by Hono's own table of routes.

import type { Hono, MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

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
export function assertGated(app: Hono<BffEnv>, { everywhere, gates, publicRoutes }: Gating): void {
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
