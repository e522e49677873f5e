// Rebuilds an app from its route table, with handlers that only record that they ran.

import { Hono, type MiddlewareHandler } from 'hono';
import type { RouterRoute } from 'hono/types';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { toProblemResponse } from '../../bff/middleware/errors.ts';
import { AppError } from '../../bff/runtime/app-error.ts';

export interface ProbedApp {
  readonly app: Hono<BffEnv>;
  /** Routes that requests reached since the last `forget`, for example `GET /v1/offers`, and `behind the origin gate`. */
  readonly reached: ReadonlySet<string>;
  forget(): void;
}

export const behindOriginGate = 'behind the origin gate';

/** The middleware runs as usual. The handlers only record that they ran, so that no request changes the next. */
export function probe(routes: readonly RouterRoute[]): ProbedApp {
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
