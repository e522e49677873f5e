// An app rebuilt from another one's table of routes, in which every handler notes that it was reached.

import { Hono, type MiddlewareHandler } from 'hono';
import type { RouterRoute } from 'hono/types';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { toProblemResponse } from '../../bff/middleware/errors.ts';
import { AppError } from '../../bff/runtime/app-error.ts';

export interface ProbedApp {
  readonly app: Hono<BffEnv>;
  /** What the requests since the last `forget` have reached: routes as `GET /v1/offers`, and `behind the gate`. */
  readonly reached: ReadonlySet<string>;
  forget(): void;
}

export const behindGate = 'behind the gate';

/** Middleware does its work; what would answer only notes that it was asked, so that nothing changes between two requests. */
export function probe(routes: readonly RouterRoute[]): ProbedApp {
  const reached = new Set<string>();
  const app = new Hono<BffEnv>();
  const gate = routes.findIndex(({ handler }) => handler.name === 'originGate');

  function watch({ method, path, handler }: RouterRoute, index: number): MiddlewareHandler<BffEnv> {
    const isMiddleware = method === 'ALL';
    return (c, next) => {
      if (index > gate && path.startsWith('/v1')) reached.add(behindGate);
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
