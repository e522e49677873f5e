// Gives every request an id of our own, which its answer and its log line share.

import type { MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

/** An id that came with the request is not taken over: it is the sender's text and would reach the log. */
export function requestId(createId: () => string): MiddlewareHandler<BffEnv> {
  return async function requestId(c, next) {
    c.set('requestId', createId());
    await next();
    c.res.headers.set('x-request-id', c.get('requestId'));
  };
}
