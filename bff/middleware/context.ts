// What the middleware of the gate leaves for the routes in Hono's context.

import type { HttpBindings } from '@hono/node-server';
import type { SessionRow } from '../store/store.ts';
import type { Permit } from './concurrency-limit.ts';
import type { SessionTransport } from './session-cookie.ts';

/** A living session, as what the request carries and the store agree on it. */
export interface ActiveSession {
  readonly row: SessionRow;
  /** Epoch milliseconds: the session ends then, unless it is used before or an application is filed. */
  readonly expiresAt: number;
  readonly transport: SessionTransport;
}

/**
 * Where the page that asks stands to the BFF: on its own origin, on its site (`ALLOWED_ORIGINS`), or on another site
 * (`CROSS_SITE_ORIGINS`), where browsers may not keep its cookie.
 */
export type SiteRelation = 'same-origin' | 'same-site' | 'cross-site';

export interface BffEnv {
  /** Absent when the app is called without a server, as in tests. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The origin of the page that asks; set by the origin gate on every `/v1` route. */
    origin: string;
    /** By that origin; set together with it. */
    mode: SiteRelation;
    /** Set by the session gate on every `/v1` route that needs one. */
    session: ActiveSession;
    /** The request's place among those under way; an upload has none. */
    permit: Permit | undefined;
  };
}
