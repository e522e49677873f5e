// Retries requests that the BFF cannot accept at the moment.

import type { FailureCode, Result } from '../api/funding-api.ts';
import type { PollingEnvironment } from './polling.ts';

/** If `Retry-After` is this long or longer, the applicant sees the delay and decides when to retry. */
export const maxRetryDelayMs = 60_000;
/** The delay if the BFF sends no `Retry-After`. */
const defaultDelayMs = 5_000;

interface RetryPolicy {
  /** Failures after which the request is repeated. */
  readonly codes: ReadonlySet<FailureCode>;
  readonly maxAttempts: number;
}

/** The delays add up to at least a minute, because the BFF needs 30 s to detect a lost connection and release its resources. */
const defaultPolicy: RetryPolicy = {
  codes: new Set(['too-many-requests', 'too-busy', 'inspection-unavailable']),
  maxAttempts: 6,
};

/** The applicant waits for the submission, so it fails earlier. Its rate limit lasts too long for a retry. */
export const submissionPolicy: RetryPolicy = {
  codes: new Set(['too-soon', 'too-busy']),
  maxAttempts: 4,
};

/** Repeats a request. The first delay is the one of `Retry-After`; it doubles with each attempt. */
export type RetryWhileBusy = <Value>(
  send: () => Promise<Result<Value>>,
  options: {
    readonly policy?: RetryPolicy;
    /** Ends the delay. To abort the request, `send` must use the signal too. */
    readonly signal: AbortSignal;
    /** Called before each delay. */
    readonly onWait?: (code: FailureCode) => void;
  },
) => Promise<Result<Value>>;

export function createRetry({
  setTimeout,
  clearTimeout,
}: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>): RetryWhileBusy {
  function wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }

  return async function retryWhileBusy(send, { policy = defaultPolicy, signal, onWait }) {
    for (let attempt = 1; ; attempt += 1) {
      const result = await send();
      if (result.ok || !policy.codes.has(result.code) || attempt === policy.maxAttempts)
        return result;
      const { retryAfterMs = defaultDelayMs } = result;
      if (retryAfterMs >= maxRetryDelayMs || signal.aborted) return result;
      onWait?.(result.code);
      await wait(Math.min(maxRetryDelayMs, retryAfterMs * 2 ** (attempt - 1)), signal);
      if (signal.aborted) return result;
    }
  };
}
