// `/v1/session`: begin or resume, look at, end.

import { Hono } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import type { RouteDependencies } from './dependencies.ts';
import { viewSession } from './views.ts';

export function sessionRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { sessions } = dependencies;
  return new Hono<BffEnv>()
    .post('/', async (c) => c.json(await viewSession(await sessions.begin(c), dependencies)))
    .get('/', async (c) => c.json(await viewSession(c.get('session'), dependencies)))
    .delete('/', async (c) => {
      await sessions.end(c);
      return c.body(null, 204);
    });
}
