// What the middleware of the gate leaves for the routes in Hono's context.

import type { HttpBindings } from '@hono/node-server';
import type { SessionRow } from '../journal/records.ts';

/** A living session, as the request's cookie and the journal agree on it. */
export interface LivingSession {
  readonly row: SessionRow;
  /** Epoch milliseconds: the session ends then, unless it is used before or an application is filed. */
  readonly expiresAt: number;
}

export interface BffEnv {
  /** Absent when the app is called without a server, as in tests. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The origin of the page that asks; set by the origin gate on every `/v1` route. */
    origin: string;
    /** Set by the session gate on every `/v1` route that needs one. */
    session: LivingSession;
  };
}
