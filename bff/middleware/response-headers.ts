// Headers of every response: security headers that forbid storing, framing, and running it (the files of the element excepted),
// `Connection: close` where the connection must end, and the contract version of the API.

import type { Context, MiddlewareHandler, Next } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import type { BffEnv } from './context.ts';

/**
 * Headers that a handler sets itself take precedence. Only the origin gate sets CORS headers. HSTS is up to the server that
 * terminates TLS, because it affects the whole host. The other headers that are off protect HTML pages: `routes/pages.ts` sets those
 * that its pages need.
 */
export function securityHeaders(): MiddlewareHandler<BffEnv> {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    crossOriginResourcePolicy: 'same-origin',
    referrerPolicy: 'no-referrer',
    xContentTypeOptions: 'nosniff',
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/** A handler that allows caching replaces the header. */
export async function noStore(c: Context<BffEnv>, next: Next): Promise<void> {
  c.header('cache-control', 'no-store');
  await next();
}

/** Also on errors: a page with another contract version must not misread one. */
export async function contractVersionHeader(c: Context<BffEnv>, next: Next): Promise<void> {
  c.header(apiResponseHeaders.contractVersion, contractVersion);
  await next();
}

/** A classic script tag on another origin needs CORP, and a module script needs CORS. */
export async function allowAnyOrigin(c: Context<BffEnv>, next: Next): Promise<void> {
  c.header('access-control-allow-origin', '*');
  c.header('cross-origin-resource-policy', 'cross-origin');
  await next();
}

/**
 * Ends the connection after a GET or HEAD request that announces a body. No handler reads that body, and Node would wait for it
 * before the next request. `@hono/node-server` handles unread bodies of the other methods.
 */
export async function closeAfterUnreadBody(c: Context<BffEnv>, next: Next): Promise<void> {
  const { method } = c.req;
  if ((method === 'GET' || method === 'HEAD') && hasBody(c)) c.header('connection', 'close');
  await next();
}

/** True if the headers announce a body. */
export function hasBody(c: Context<BffEnv>): boolean {
  if (c.req.header('transfer-encoding') !== undefined) return true;
  const length = c.req.header('content-length');
  return length !== undefined && length !== '0';
}

/**
 * Ends each connection after its response while the server drains. Otherwise Node closes idle connections at the moment the
 * server stops listening, and a request that a client is just sending on one gets no response (nodejs/node#60617).
 */
export function closeWhileDraining(isDraining: () => boolean): MiddlewareHandler<BffEnv> {
  return async function closeWhileDraining(c, next) {
    await next();
    if (isDraining()) c.header('connection', 'close');
  };
}
