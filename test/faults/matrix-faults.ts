// The sixteen ways in which one call to the funding service can go wrong on its way, and what each must be taken for.

import type { Plan } from './fault-proxy.ts';

/** To a host whose name nobody knows, or to one that speaks no TLS. */
export type Detour = 'no-name' | 'no-certificate';

export interface MatrixFault {
  readonly name: string;
  /** At the proxy, on the way to it, or `refuse`: nobody listens. */
  readonly trouble: Plan | Detour | 'refuse';
  /** Whether the service does its work all the same. */
  readonly isProcessed: boolean;
  /**
   * How the attempt has ended. `unknown`: something was written and no conclusive answer came back. `reused`: unknown on a
   * connection that was kept, and nothing at all on one of its own. `renewed`: accepted with another token.
   */
  readonly end: 'not-sent' | 'unknown' | 'reused' | 'renewed';
}

const page = '<html><body>Service unavailable</body></html>';
const session = '[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]';

export const matrixFaults: readonly MatrixFault[] = [
  { name: 'refused', trouble: 'refuse', isProcessed: false, end: 'not-sent' },
  { name: 'unknown name', trouble: 'no-name', isProcessed: false, end: 'not-sent' },
  { name: 'no TLS', trouble: 'no-certificate', isProcessed: false, end: 'not-sent' },
  unknown('stall before the answer', { kind: 'stall', isProcessed: false }),
  unknown('reset at 0 % of the request', { kind: 'cut-request', share: 0 }),
  unknown('reset at 50 % of the request', { kind: 'cut-request', share: 0.5 }),
  unknown('reset at 100 % of the request', { kind: 'cut-request', share: 1 }, true),
  unknown('502', answer(502, 'text/html', page, false)),
  unknown('504 in HTML, work done', answer(504, 'text/html', page, true), true),
  unknown('JSON cut off', answer(200, 'application/json', '{"IsSuccessful":tr', true), true),
  unknown('200 without a body', answer(200, 'application/json', '', true), true),
  unknown('200 of another type', answer(200, 'text/html', page, true), true),
  unknown('slow drip', { kind: 'drip', bytesPerSecond: 40 }, true),
  unknown('answer after the limit', { kind: 'delay', ms: 600 }, true),
  {
    name: 'kept connection closes',
    trouble: { kind: 'reset-reused' },
    isProcessed: false,
    end: 'reused',
  },
  {
    name: 'late 401',
    trouble: { ...answer(401, 'application/json', session, false), delayMs: 60 },
    isProcessed: false,
    end: 'renewed',
  },
];

function unknown(name: string, trouble: Plan, isProcessed = false): MatrixFault {
  return { name, trouble, isProcessed, end: 'unknown' };
}

function answer(
  status: number,
  type: string,
  body: string,
  isProcessed: boolean,
): Extract<Plan, { kind: 'answer' }> {
  const head = `HTTP/1.1 ${status} Whatever\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}`;
  return { kind: 'answer', text: `${head}\r\n\r\n${body}`, isProcessed };
}
