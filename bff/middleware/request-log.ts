// What the log may know of a request: the route's pattern, never the address, a header or a body.

import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ProblemCode } from '../../shared/api/problems.ts';
import type { BffEnv } from './context.ts';

export interface HandledRequest {
  readonly requestId: string;
  readonly method: string;
  /** For example `/v1/offers`; `/v1/*` where no route took the request. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Whether it is a page of ours that asks; anybody else can ask as often as he likes. */
  readonly hasPassedGate: boolean;
  /** What the handler threw, if it did. */
  readonly error: Error | undefined;
}

export type RequestEvent =
  | {
      readonly event: 'request';
      readonly requestId: string;
      readonly method: string;
      /** The route's pattern, for example `/v1/offers`. The log never contains the requested URL. */
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
  | { readonly event: 'request-broken'; readonly requestId: string; readonly error: unknown };

/** @param clock epoch milliseconds. */
export function requestLog(
  clock: () => number,
  onHandled: (request: HandledRequest) => void,
): MiddlewareHandler<BffEnv> {
  return async function requestLog(c, next) {
    const startedAt = clock();
    await next();
    // Set by the origin gate, and nowhere else.
    const origin: string | undefined = c.get('origin');
    onHandled({
      requestId: c.get('requestId'),
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      durationMs: clock() - startedAt,
      hasPassedGate: origin !== undefined,
      error: c.error,
    });
  };
}

/** An id that came with the request is not taken over: it is the sender's text and would reach the log. */
export function requestId(createId: () => string): MiddlewareHandler<BffEnv> {
  return async function requestId(c, next) {
    c.set('requestId', createId());
    await next();
    c.res.headers.set('x-request-id', c.get('requestId'));
  };
}
