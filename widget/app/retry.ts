// Repeats a request that the BFF can't take right now, so that the applicant doesn't have to.

import type { FailureCode, Result } from '../api/funding-api.ts';
import type { PollingEnvironment } from './polling.ts';

const longestTries = 6;
/** A longer wait is better told than waited for. */
export const longestPauseMs = 60_000;
/** Where the BFF does not say. */
const usualPauseMs = 5_000;

const passing: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'too-many-requests',
  'too-busy',
  'inspection-unavailable',
]);

/**
 * Resolves as `send` does. Sends at most six times: first after the delay that the BFF asks for, then after twice as long each
 * time. That is at least a minute in all, because the BFF needs half a minute to notice a lost connection and free its place.
 * Does not repeat where the BFF asks for a minute or more.
 */
export type RetryWhileBusy = <Value>(
  send: () => Promise<Result<Value>>,
  options: {
    /** Ends the waiting; what is under way is for `send` to end. */
    readonly signal: AbortSignal;
    /** Called before each delay, with the reason for it. */
    readonly onWait?: (code: FailureCode) => void;
  },
) => Promise<Result<Value>>;

export function createRetry({
  setTimeout,
  clearTimeout,
}: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>): RetryWhileBusy {
  function pause(ms: number, signal: AbortSignal): Promise<void> {
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

  return async function retryWhileBusy(send, { signal, onWait }) {
    for (let tries = 1; ; tries += 1) {
      const result = await send();
      if (result.ok || !passing.has(result.code) || tries === longestTries) return result;
      const { retryAfterMs = usualPauseMs } = result;
      if (retryAfterMs >= longestPauseMs || signal.aborted) return result;
      onWait?.(result.code);
      await pause(Math.min(longestPauseMs, retryAfterMs * 2 ** (tries - 1)), signal);
      if (signal.aborted) return result;
    }
  };
}
