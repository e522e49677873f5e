// The sixteen faults of a call to the funding service, with the expected classification of each.

import type { Plan } from './fault-proxy.ts';

/** A host name that does not resolve, or a host without TLS. */
export type Redirect = 'no-name' | 'no-certificate';

export interface MatrixFault {
  readonly name: string;
  /** A fault of the proxy, a redirected call, or `refuse`: the proxy refuses connections. */
  readonly plan: Plan | Redirect | 'refuse';
  /** Whether the funding service processes the request despite the fault. */
  readonly isProcessed: boolean;
  /**
   * Expected outcome of the attempt. `unknown`: bytes were sent, and no conclusive response came back. `reused`: unknown on a
   * reused connection, no effect on a new connection. `renewed`: accepted with a new token.
   */
  readonly end: 'not-sent' | 'unknown' | 'reused' | 'renewed';
}

const page = '<html><body>Service unavailable</body></html>';
const session = '[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]';

export const matrixFaults: readonly MatrixFault[] = [
  { name: 'connection refused', plan: 'refuse', isProcessed: false, end: 'not-sent' },
  { name: 'unknown host name', plan: 'no-name', isProcessed: false, end: 'not-sent' },
  { name: 'no TLS', plan: 'no-certificate', isProcessed: false, end: 'not-sent' },
  unknown('no response', { kind: 'stall', isProcessed: false }),
  unknown('reset at 0% of the request', { kind: 'cut-request', share: 0 }),
  unknown('reset at 50% of the request', { kind: 'cut-request', share: 0.5 }),
  unknown('reset at 100% of the request', { kind: 'cut-request', share: 1 }, true),
  unknown('502', answer(502, 'text/html', page, false)),
  unknown('504 in HTML after processing', answer(504, 'text/html', page, true), true),
  unknown('truncated JSON', answer(200, 'application/json', '{"IsSuccessful":tr', true), true),
  unknown('200 without a body', answer(200, 'application/json', '', true), true),
  unknown('200 with another content type', answer(200, 'text/html', page, true), true),
  unknown('slow response', { kind: 'drip', bytesPerSecond: 40 }, true),
  unknown('response after the timeout', { kind: 'delay', ms: 600 }, true),
  {
    name: 'kept-alive connection closes',
    plan: { kind: 'reset-reused' },
    isProcessed: false,
    end: 'reused',
  },
  {
    name: 'late 401',
    plan: { ...answer(401, 'application/json', session, false), delayMs: 60 },
    isProcessed: false,
    end: 'renewed',
  },
];

function unknown(name: string, plan: Plan, isProcessed = false): MatrixFault {
  return { name, plan, isProcessed, end: 'unknown' };
}

function answer(
  status: number,
  type: string,
  body: string,
  isProcessed: boolean,
): Extract<Plan, { kind: 'answer' }> {
  const head = `HTTP/1.1 ${status} Status\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}`;
  return { kind: 'answer', text: `${head}\r\n\r\n${body}`, isProcessed };
}
