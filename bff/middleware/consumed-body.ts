// Refuses requests whose body the host has read before it called the BFF. Waiting for that body would take until a timeout.

import { Readable } from 'node:stream';
import type { Context, MiddlewareHandler } from 'hono';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import { AppError } from '../runtime/app-error.ts';
import type { BffEnv } from './context.ts';
import { hasBody } from './response-headers.ts';

/** A body parser of the host runs before the BFF, so the BFF cannot read bodies. */
export interface BodyConsumedEvent {
  readonly event: 'body-consumed';
  readonly requestId: string;
}

const detail =
  'A body parser of the host server read the request body before the BFF. Mount the BFF before the body parser.';

export function refuseConsumedBody(
  logRateLimited: RateLimitedLog<BodyConsumedEvent>,
): MiddlewareHandler<BffEnv> {
  return async function refuseConsumedBody(c, next) {
    if (hasBody(c) && isConsumed(c)) {
      const event = 'body-consumed';
      const requestId = c.get('requestId');
      logRateLimited(event, () => ({ event, requestId }));
      throw new AppError('internal', { detail });
    }
    await next();
  };
}

function isConsumed(c: Context<BffEnv>): boolean {
  const incoming = c.env?.incoming;
  return incoming instanceof Readable ? incoming.readableDidRead : c.req.raw.bodyUsed;
}
