// The variables that the middleware sets in Hono's context for the routes.

import type { HttpBindings } from '@hono/node-server';
import type { ApplicationRow, HandoffRow, NewSession } from '../store/store.ts';
import type { Permit } from './rate-limits.ts';
import type { SessionTransport } from './session.ts';

export interface ActiveSession extends NewSession {
  /** Epoch milliseconds. Later requests and a submitted application extend the session. */
  readonly expiresAt: number;
  readonly transport: SessionTransport;
  /** The application of the session, or of the handoff, at the start of the request. */
  readonly application: ApplicationRow | undefined;
  /** The handoff of a phone session. Other sessions have none. */
  readonly handoff?: HandoffRow;
}

/**
 * The page's relation to the BFF, as in `Sec-Fetch-Site`: the BFF's own origin, an origin on the same site (`ALLOWED_ORIGINS`), or
 * an origin on another site (`CROSS_SITE_ORIGINS`), where browsers may not store the session cookie.
 */
export type SiteRelation = 'same-origin' | 'same-site' | 'cross-site';

/** The connection of a request that a host passes on. */
export interface Connection {
  /** The IP address of the other end: a browser, or a proxy of TRUSTED_PROXIES. `undefined` if the host does not know it. */
  readonly peerAddress: string | undefined;
}

export interface BffEnv {
  /**
   * `incoming` and `outgoing` of Node's server, or `connection` if a host calls the BFF with a `Request`. Empty when the app is called
   * without either, as in tests.
   */
  Bindings: Partial<HttpBindings> & { readonly connection?: Connection };
  Variables: {
    requestId: string;
    /** The page's origin. The origin gate sets it on every `/v1` route. */
    origin: string;
    /** The origin gate sets it together with `origin`. */
    siteRelation: SiteRelation;
    /** Set on every `/v1` route that requires a session. */
    session: ActiveSession;
    /** The request's share of the concurrency limit. Uploads have none. */
    permit: Permit | undefined;
  };
}
