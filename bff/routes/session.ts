// `/v1/session`: starts or resumes the session, returns it with everything that was submitted, and ends it.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { type Session, sessionRequestSchema, sessionSchema } from '../../shared/api/session.ts';
import type { BffEnv } from '../middleware/context.ts';
import { hasBody } from '../middleware/response-headers.ts';
import type { Sessions, StartedSession } from '../middleware/session.ts';
import { viewApplication } from './application.ts';
import { listAttachments } from './attachments.ts';
import { viewBankReport } from './bank-report.ts';
import { viewContact } from './contact.ts';
import { viewDocuments } from './documents.ts';
import { describeSchema, json } from './openapi.ts';
import { readJson } from './request-body.ts';
import type { RouteDependencies } from './route-dependencies.ts';

const maxBytes = 256;

export function sessionRoutes(sessions: Sessions, options: RouteDependencies): Hono<BffEnv> {
  return new Hono<BffEnv>()
    .post('/', describeStart, async (c) => {
      const body = hasBody(c) ? await readJson(c, sessionRequestSchema, maxBytes, options) : {};
      const started = await sessions.start(c, body.transport ?? 'cookie');
      return c.json(await viewSession(started, options));
    })
    .get('/', describeRead, async (c) => {
      return c.json(await viewSession({ session: c.get('session'), isProven: true }, options));
    })
    .delete('/', describeEnd, async (c) => {
      await sessions.end(c);
      return c.body(null, 204);
    });
}

async function viewSession(
  { session, ...started }: StartedSession,
  options: RouteDependencies,
): Promise<Session> {
  const { store, fundingService } = options;
  const { application } = session;
  const view = { ...started, expiresAt: new Date(session.expiresAt).toISOString() };
  if (!application) {
    return { ...view, application: null, documents: [], assetReport: null, contact: null };
  }
  const report = (await listAttachments(store, application, 'bank-report')).at(-1);
  const contact = (await listAttachments(store, application, 'contact')).at(-1);
  return {
    ...view,
    application: viewApplication(application, options),
    documents: await viewDocuments(application, options),
    assetReport: report ? viewBankReport(report, fundingService) : null,
    // A contact request that was rejected together with its application can be sent again.
    contact: contact && contact.state !== 'rejected' ? viewContact(contact) : null,
  };
}

describeSchema('SessionRequest', sessionRequestSchema, {
  transport:
    '`handle`: send the session in the header `Authorization` instead of a cookie. It has no effect on an existing session.',
});
describeSchema('Session', sessionSchema, {
  expiresAt: {
    format: 'date-time',
    description: 'The session ends at this time unless a request uses it before.',
  },
  isProven:
    'Whether this request contained the session. `false` for the request that started the session.',
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
