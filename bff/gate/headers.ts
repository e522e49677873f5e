// Security headers in two profiles: answers of the API, and files of the widget that any page may load.

import type { MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** A classic script tag of another origin needs CORP, a module script needs CORS. */
const widgetHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

export function apiSecurityHeaders(): MiddlewareHandler<BffEnv> {
  return withHeaders(apiHeaders);
}

export function widgetSecurityHeaders(): MiddlewareHandler<BffEnv> {
  return withHeaders(widgetHeaders);
}

/** Set before the handler, so that the answers of `onError` and `notFound` carry them too. */
function withHeaders(headers: Readonly<Record<string, string>>): MiddlewareHandler<BffEnv> {
  return async function securityHeaders(c, next) {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  };
}
