// Security headers of every response: nothing may store, frame, or run it, except the element's files, which any page may load.

import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { BffEnv } from './context.ts';

/**
 * Headers that a handler sets itself take precedence. Only the origin gate sets CORS headers. HSTS is up to the server that
 * terminates TLS, because it affects the whole host. The other headers that are off protect HTML pages, and the BFF serves none.
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
export function noStore(): MiddlewareHandler<BffEnv> {
  return async function noStore(c, next) {
    c.header('cache-control', 'no-store');
    await next();
  };
}

/** A classic script tag on another origin needs CORP, and a module script needs CORS. */
export function allowAnyOrigin(): MiddlewareHandler<BffEnv> {
  return async function allowAnyOrigin(c, next) {
    c.header('access-control-allow-origin', '*');
    c.header('cross-origin-resource-policy', 'cross-origin');
    await next();
  };
}
