// Protects the form from errors in a host page's own `api`: every call ends in time with a result.

import {
  isObject,
  requestTimeoutMs,
  toFailure,
  type Failure,
  type FundingApi,
  type Result,
} from './funding-api.ts';
import { responseTimeoutMs } from './send-file.ts';

interface SafeApiOptions {
  /** Tells the developer of the host page about an error. The sentence contains no data. */
  readonly report: (sentence: string) => void;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
}

/** Timeout of an upload until it first reports progress. Some transports report none. */
export const silentUploadTimeoutMs = 10 * 60_000;

/** The lists that the form reads from a value, by method. */
const requiredLists: Readonly<Record<string, readonly string[]>> = {
  getConfiguration: [
    'locales',
    'fundingReasons',
    'businessTypes',
    'creditScores',
    'requiredFields',
    'consents',
  ],
  openSession: ['documents'],
  getSession: ['documents'],
  getOffers: ['offers'],
};

/** Restarts the timeout of a call. */
type Restart = (ms: number) => void;

const networkFailure = toFailure({ code: 'network' });

/**
 * Returns an `api` that neither throws nor rejects. A throw, a rejection, or an answer that is not a result becomes the failure
 * `internal`. A call that takes too long becomes the failure `network`.
 */
export function createSafeApi(api: FundingApi, options: SafeApiOptions): FundingApi {
  const { report, setTimeout, clearTimeout } = options;

  function fail(name: string): Failure {
    report(`"api.${name}" failed. Resolve to {ok: true, value} or {ok: false, code, errors}.`);
    return toFailure({});
  }

  function toResult<Value>(name: string, answer: unknown): Result<Value> {
    if (isObject(answer)) {
      const { ok, value } = answer;
      if (ok === false) return toFailure(answer);
      // The form does not depend on the rest of the value.
      if (ok === true && hasRequiredParts(name, value)) return { ok, value: value as Value };
    }
    return fail(name);
  }

  /** @param abort also ends the call. */
  function guard<Value>(
    name: string,
    call: (restart: Restart) => Promise<Result<Value>>,
    abort = new AbortController(),
  ): Promise<Result<Value>> {
    return new Promise((resolve) => {
      let timer: number | undefined;
      let isEnded = false;
      const stopTimer = () => {
        if (timer !== undefined) clearTimeout(timer);
      };
      const end = (result: Result<Value>) => {
        isEnded = true;
        stopTimer();
        resolve(result);
      };
      const restart: Restart = (ms) => {
        stopTimer();
        if (isEnded) return;
        timer = setTimeout(() => {
          report(`"api.${name}" timed out.`);
          abort.abort();
        }, ms);
      };
      abort.signal.addEventListener('abort', () => end(networkFailure));
      restart(requestTimeoutMs);
      // The executor turns a throw into a rejection.
      const answer = new Promise<unknown>((settle) => settle(call(restart)));
      answer.then(
        (settled) => end(toResult(name, settled)),
        () => end(fail(name)),
      );
    });
  }

  return {
    get endsWithPage() {
      try {
        return Boolean(api.endsWithPage);
      } catch {
        return false;
      }
    },
    getConfiguration: (locale) => guard('getConfiguration', () => api.getConfiguration(locale)),
    openSession: () => guard('openSession', () => api.openSession()),
    getSession: () => guard('getSession', () => api.getSession()),
    endSession: () => guard('endSession', () => api.endSession()),
    submitApplication: (...given) =>
      guard('submitApplication', () => api.submitApplication(...given)),
    getApplication: () => guard('getApplication', () => api.getApplication()),
    getOffers: () => guard('getOffers', () => api.getOffers()),
    enableContact: (consent) => guard('enableContact', () => api.enableContact(consent)),
    submitAssetReport: (body) => guard('submitAssetReport', () => api.submitAssetReport(body)),
    uploadDocument: async (upload) => {
      if (upload.signal.aborted) return networkFailure;
      const abort = new AbortController();
      const { signal } = abort;
      upload.signal.addEventListener('abort', () => abort.abort());
      const send = (restart: Restart) => {
        restart(silentUploadTimeoutMs);
        const onProgress = (share: number) => {
          if (signal.aborted) return;
          restart(responseTimeoutMs);
          upload.onProgress(share);
        };
        return api.uploadDocument({ ...upload, signal, onProgress });
      };
      return guard('uploadDocument', send, abort);
    },
  };
}

function hasRequiredParts(name: string, value: unknown): boolean {
  if (name === 'endSession') return true;
  if (!isObject(value)) return false;
  const { documents, offers, support } = value;
  const hasLists = (requiredLists[name] ?? []).every((list) => Array.isArray(value[list]));
  if (name !== 'getConfiguration') return hasLists;
  return (
    hasLists &&
    isObject(offers) &&
    isObject(support) &&
    isObject(documents) &&
    Array.isArray(documents['extensions']) &&
    Array.isArray(documents['categories'])
  );
}
