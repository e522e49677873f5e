// `/v1/session`: begin or resume, look at, end.

import { type Context, Hono } from 'hono';
import { sessionRequestSchema } from '../../shared/api/session.ts';
import type { BffEnv } from '../middleware/context.ts';
import { hasBody } from '../middleware/close-connection.ts';
import type { RouteDependencies } from './dependencies.ts';
import { readJson, toFormPace } from './request-body.ts';
import { viewSession } from './views.ts';

const maxBytes = 256;

export function sessionRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { sessions } = dependencies;
  const limits = { maxBytes, pace: toFormPace(dependencies) };

  async function readTransport(c: Context<BffEnv>) {
    if (!hasBody(c)) return 'cookie';
    return (await readJson(c, sessionRequestSchema, limits)).transport ?? 'cookie';
  }

  return new Hono<BffEnv>()
    .post('/', async (c) => {
      const begun = await sessions.begin(c, await readTransport(c));
      return c.json(await viewSession(begun, dependencies));
    })
    .get('/', async (c) => {
      const session = c.get('session');
      return c.json(await viewSession({ session, isProven: true }, dependencies));
    })
    .delete('/', async (c) => {
      await sessions.end(c);
      return c.body(null, 204);
    });
}
