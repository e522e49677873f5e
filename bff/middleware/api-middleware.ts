// The check that no route bypasses the API middleware, except the public ones.

import type { Hono, MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

/** Routes outside of `/v1`. Anybody may call them: none returns personal data, and `/metrics` requires its own token. */
const publicRoutes = new Set([
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /widget/*',
  'GET /apply',
  'GET /phone',
  'GET /page/:file',
]);

interface ExpectedMiddleware {
  /** Middleware for all paths. It answers no request by itself. */
  readonly globalMiddleware: readonly MiddlewareHandler<BffEnv>[];
  /** Middleware for all paths below `/v1`, in this order. */
  readonly apiMiddleware: readonly MiddlewareHandler<BffEnv>[];
}

/**
 * Throws unless each handler in Hono's route table is global middleware, a public route, or a route below `/v1` after the API
 * middleware: Hono would run a handler before it without that middleware. Afterwards the app accepts no more routes.
 */
export function assertRoutesProtected(
  app: Hono<BffEnv>,
  { globalMiddleware, apiMiddleware }: ExpectedMiddleware,
): void {
  let found = 0;
  for (const { method, path, handler } of app.routes) {
    if (globalMiddleware.includes(handler)) continue;
    if (publicRoutes.has(`${method} ${path}`)) continue;
    const isNext = handler === apiMiddleware[found] && method === 'ALL' && path === '/v1/*';
    if (isNext) found += 1;
    else if (found < apiMiddleware.length || !path.startsWith('/v1/')) {
      throw new Error(`The route ${method} ${path} bypasses the API middleware`);
    }
  }
  if (found < apiMiddleware.length) throw new Error('API middleware is missing');
  // The first match makes Hono build its router, which then rejects new routes.
  app.router.match('GET', '/');
}
