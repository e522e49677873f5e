// Sends a file again by itself while the BFF has no place for it just now: that passes, and asks nothing of the applicant.

import type { FailureCode, FundingApi } from '../api/api.ts';
import type { PollingEnvironment } from './polling.ts';

const longestTries = 6;
/** A longer wait is better told than waited for. */
const longestPauseMs = 60_000;
/** Where the BFF does not say. */
const usualPauseMs = 5_000;

const passing: ReadonlySet<FailureCode> = new Set<FailureCode>(['too-many-requests', 'too-busy']);

/** As `uploadDocument`; a file that had no place is answered so after six tries, or at once when the wait would be a minute or more. */
export function createPatientUpload(
  api: Pick<FundingApi, 'uploadDocument'>,
  { setTimeout, clearTimeout }: Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>,
): FundingApi['uploadDocument'] {
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

  return async function uploadPatiently(upload) {
    for (let tries = 1; ; tries += 1) {
      const result = await api.uploadDocument(upload);
      if (result.ok || !passing.has(result.code) || tries === longestTries) return result;
      const { retryAfterMs = usualPauseMs } = result;
      if (retryAfterMs >= longestPauseMs || upload.signal.aborted) return result;
      upload.onProgress(0);
      await pause(retryAfterMs, upload.signal);
      if (upload.signal.aborted) return result;
    }
  };
}
