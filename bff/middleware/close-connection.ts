// Ends a connection after its response, where a request body stays unread and while the server shuts down.

import type { Context, MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

/**
 * Ends the connection after a GET or HEAD request that announces a body. No handler reads that body, and Node would wait for it
 * before the next request. `@hono/node-server` handles unread bodies of the other methods.
 */
export function closeAfterUnreadBody(): MiddlewareHandler<BffEnv> {
  return async function closeAfterUnreadBody(c, next) {
    const { method } = c.req;
    if ((method === 'GET' || method === 'HEAD') && hasBody(c)) c.header('connection', 'close');
    await next();
  };
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
