// `/v1/session`: begin or resume, look at, end.

import { type Context, Hono } from 'hono';
import { sessionRequestSchema } from '../../shared/api/session.ts';
import type { BffEnv } from '../middleware/context.ts';
import { hasBody } from '../middleware/close-connection.ts';
import type { Sessions } from '../middleware/session.ts';
import { readJson, type TimeOptions, toFormPace } from './request-body.ts';
import { viewSession, type ViewOptions } from './views.ts';

const maxBytes = 256;

export interface SessionRoutesOptions extends ViewOptions, TimeOptions {
  readonly sessions: Sessions;
}

export function sessionRoutes(options: SessionRoutesOptions): Hono<BffEnv> {
  const { sessions } = options;
  const limits = { maxBytes, pace: toFormPace(options) };

  async function readTransport(c: Context<BffEnv>) {
    if (!hasBody(c)) return 'cookie';
    return (await readJson(c, sessionRequestSchema, limits)).transport ?? 'cookie';
  }

  return new Hono<BffEnv>()
    .post('/', async (c) => {
      const begun = await sessions.begin(c, await readTransport(c));
      return c.json(await viewSession(begun, options));
    })
    .get('/', async (c) => {
      const session = c.get('session');
      return c.json(await viewSession({ session, isProven: true }, options));
    })
    .delete('/', async (c) => {
      await sessions.end(c);
      return c.body(null, 204);
    });
}
