// Assigns each request an ID, counts it, and logs it by its route pattern, never by its URL, headers, or body.

import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { Log } from '../logging/log.ts';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import type { BffEnv } from './context.ts';
import type { Counters } from './counters.ts';
import { LoggedRefusal, toAppError } from './errors.ts';

export type RequestEvent =
  | {
      readonly event: 'request';
      readonly requestId: string;
      readonly method: string;
      /** For example `/v1/offers`, or `/v1/*` if no route accepted the request. */
      readonly route: string;
      readonly status: number;
      readonly durationMs: number;
      readonly code?: ProblemCode;
      /**
       * Number of requests since the previous event with this route and status. Requests that anybody can send are logged at
       * most once per minute for each route and status.
       */
      readonly requests?: number;
    }
  /** Logged with an answer of status 500, or 503 for a failure of the store. */
  | { readonly event: 'request-failed'; readonly requestId: string; readonly error: unknown };

interface RequestLogOptions {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly counters: Pick<Counters, 'countResponse'>;
  readonly log: Log<RequestEvent>;
  readonly logRateLimited: RateLimitedLog<RequestEvent>;
}

export function requestLog(options: RequestLogOptions): MiddlewareHandler<BffEnv> {
  const { clock, counters, log, logRateLimited } = options;

  return async function requestLog(c, next) {
    const startedAt = clock();
    await next();
    const { status } = c.res;
    counters.countResponse(status);
    if (c.error instanceof LoggedRefusal) return;
    const requestId = c.get('requestId');
    const code = c.error && toAppError(c.error).code;
    const request = {
      event: 'request',
      requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status,
      durationMs: clock() - startedAt,
      ...(code === undefined ? {} : { code }),
    } as const;
    const failure = { event: 'request-failed', requestId, error: c.error } as const;
    const isFailure = code === 'internal' || code === 'storage-unavailable';
    // Only the origin gate sets the origin, so the request comes from an allowed page.
    const origin: string | undefined = c.get('origin');
    if (origin !== undefined && code !== 'session-missing') {
      log(request);
      if (isFailure) log(failure);
      return;
    }
    const kind = `${request.route} ${status}`;
    logRateLimited(`request ${kind}`, (requests) => ({ ...request, requests }));
    if (isFailure) logRateLimited(`request-failed ${kind}`, () => failure);
  };
}

/**
 * Sets the request ID in the context and in `X-Request-Id`. Hono's middleware of this name takes over an ID that the client sent,
 * and so would let the client write into the log.
 */
export function requestId(): MiddlewareHandler<BffEnv> {
  return async function requestId(c, next) {
    const id = randomUUID();
    c.set('requestId', id);
    await next();
    c.res.headers.set('x-request-id', id);
  };
}
