// Sends something again by itself while the BFF has no place for it just now: that passes, and asks nothing of the applicant.

import type { FailureCode, Result } from '../api/api.ts';
import type { PollingEnvironment } from './polling.ts';

const longestTries = 6;
/** A longer wait is better told than waited for. */
export const longestPauseMs = 60_000;
/** Where the BFF does not say. */
const usualPauseMs = 5_000;

const passing: ReadonlySet<FailureCode> = new Set<FailureCode>(['too-many-requests', 'too-busy']);

/**
 * Answers as `send` does. What had no place is sent six times, after the pause that the BFF asks for and then twice as long
 * each time: a minute in all at the least, since the BFF finds out after half a minute that a line is lost and its place free.
 * Where the BFF asks for a minute or more, nothing is waited for.
 */
export type SendPatiently = <Value>(
  send: () => Promise<Result<Value>>,
  options: {
    /** Ends the waiting; what is under way is for `send` to end. */
    readonly signal: AbortSignal;
    readonly onWait?: () => void;
  },
) => Promise<Result<Value>>;

export function createPatience({
  setTimeout,
  clearTimeout,
}: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>): SendPatiently {
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

  return async function sendPatiently(send, { signal, onWait }) {
    for (let tries = 1; ; tries += 1) {
      const result = await send();
      if (result.ok || !passing.has(result.code) || tries === longestTries) return result;
      const { retryAfterMs = usualPauseMs } = result;
      if (retryAfterMs >= longestPauseMs || signal.aborted) return result;
      onWait?.();
      await pause(Math.min(longestPauseMs, retryAfterMs * 2 ** (tries - 1)), signal);
      if (signal.aborted) return result;
    }
  };
}
