// Ends the connection after a GET or HEAD that announces a body: nothing reads it, and nothing else would stop waiting for it.

import type { Context, MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

/** `@hono/node-server` takes care of the bodies of all other methods. */
export function closeAfterUnreadBody(): MiddlewareHandler<BffEnv> {
  return async function unreadBody(c, next) {
    const { method } = c.req;
    if ((method === 'GET' || method === 'HEAD') && hasBody(c)) c.header('connection', 'close');
    await next();
  };
}

/** Whether the head of the request announces a body. */
export function hasBody(c: Context<BffEnv>): boolean {
  if (c.req.header('transfer-encoding') !== undefined) return true;
  const length = c.req.header('content-length');
  return length !== undefined && length !== '0';
}

/**
 * A connection that was kept would be closed the moment the server stops listening, and a request that is just being written
 * into it would be lost without an answer (nodejs/node#60617). Told before, the client opens another one, elsewhere.
 */
export function closeWhileDraining(isDraining: () => boolean): MiddlewareHandler<BffEnv> {
  return async function draining(c, next) {
    await next();
    if (isDraining()) c.header('connection', 'close');
  };
}
