// Ends the connections while the process prepares to stop, answer by answer.

import type { MiddlewareHandler } from 'hono';
import type { BffEnv } from './context.ts';

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
