// `/v1/session`: begin or resume, look at, end.

import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { sessionRequestSchema, sessionSchema } from '../../shared/api/session.ts';
import type { BffEnv } from '../middleware/context.ts';
import { hasBody } from '../middleware/close-connection.ts';
import type { Sessions } from '../middleware/session.ts';
import { describeSchema, json } from './openapi.ts';
import { readJson, type TimeOptions, toFormTimeouts } from './request-body.ts';
import { viewSession, type ViewOptions } from './views.ts';

const maxBytes = 256;

describeSchema('SessionRequest', sessionRequestSchema, {
  transport:
    '`handle`: carry the session in the header `Authorization` instead of a cookie. It has no effect on an existing session.',
});
describeSchema('Session', sessionSchema, {
  // Only earlier BFF versions omit it.
  '': { required: ['isProven'] },
  expiresAt: {
    format: 'date-time',
    description: 'The session ends at this time unless a request uses it before.',
  },
  isProven:
    'Whether this request carried the session. `false` after the request that started the session.',
  handle:
    'The session token to send as `Authorization: Funding <token>`. Only in the response that started a session with the transport `handle`. Keep it in memory only.',
  application: '`null` before an application is submitted.',
  assetReport: 'The latest asset report. `null` before one is submitted.',
  contact: 'The latest contact request. `null` before there is one.',
});

const describeStart = describeRoute({
  summary: 'Start or resume a session',
  description:
    'Resumes the session of the request, or starts one if there is none. Send no body, or `{}`, for a session in a cookie.',
  security: [{ sessionCookie: [] }, { sessionToken: [] }, {}],
  requestBody: json(sessionRequestSchema),
  responses: { 200: { description: 'The session.', ...json(sessionSchema) } },
});

const describeRead = describeRoute({
  summary: 'Read the session',
  description: 'The session with its application, documents, latest report, and contact request.',
  responses: { 200: { description: 'The session.', ...json(sessionSchema) } },
});

const describeEnd = describeRoute({
  summary: 'End the session',
  description: 'Later requests cannot use the session. The BFF still delivers what was submitted.',
  responses: { 204: { description: 'The session has ended.' } },
});

export interface SessionRoutesOptions extends ViewOptions, TimeOptions {
  readonly sessions: Sessions;
}

export function sessionRoutes(options: SessionRoutesOptions): Hono<BffEnv> {
  const { sessions } = options;
  const limits = { maxBytes, timeouts: toFormTimeouts(options) };

  async function readTransport(c: Context<BffEnv>) {
    if (!hasBody(c)) return 'cookie';
    return (await readJson(c, sessionRequestSchema, limits)).transport ?? 'cookie';
  }

  return new Hono<BffEnv>()
    .post('/', describeStart, async (c) => {
      const begun = await sessions.begin(c, await readTransport(c));
      return c.json(await viewSession(begun, options));
    })
    .get('/', describeRead, async (c) => {
      const session = c.get('session');
      return c.json(await viewSession({ session, isProven: true }, options));
    })
    .delete('/', describeEnd, async (c) => {
      await sessions.end(c);
      return c.body(null, 204);
    });
}
