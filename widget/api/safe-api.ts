// Protects the form from errors in a host page's own `api`: every call ends in time with a result.

import { problemCodes } from '../../shared/api/problem-codes.ts';
import {
  isObject,
  networkFailure,
  requestTimeoutMs,
  toFailure,
  type Failure,
  type FailureCode,
  type FundingApi,
  type Result,
} from './funding-api.ts';

export interface SafeApiOptions {
  /** Tells the developer of the host page about an error. The sentence contains no data. */
  readonly report: (sentence: string) => void;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
}

/** Timeout of an upload until it first reports progress. Some transports report none. */
export const silentUploadTimeoutMs = 10 * 60_000;

/** Timeout of an upload after each progress. */
export const activeUploadTimeoutMs = 130_000;

const failureCodes: readonly FailureCode[] = [...problemCodes, 'network', 'page-outdated'];

type Method = Exclude<keyof FundingApi, 'endsWithPage'>;

/** Objects and lists. */
type Shape = readonly [] | { readonly [name: string]: Shape };

/** The parts that the form reads from the value of a method. The form does not depend on the rest of the value. */
const requiredShapes: Readonly<Record<Method, Shape | undefined>> = {
  getConfiguration: {
    locales: [],
    fundingReasons: [],
    businessTypes: [],
    creditScores: [],
    requiredFields: [],
    consents: [],
    offers: {},
    support: {},
    documents: { extensions: [], categories: [] },
  },
  openSession: { documents: [] },
  getSession: { documents: [] },
  endSession: undefined,
  getDraftKey: {},
  createDraftKey: {},
  endDraftKey: undefined,
  submitApplication: {},
  getApplication: {},
  getPlace: {},
  getOffers: { offers: [] },
  enableContact: {},
  uploadDocument: {},
  changeDocumentCategory: {},
  removeDocument: undefined,
  submitAssetReport: {},
  createHandoff: {},
  getHandoff: {},
  endHandoff: undefined,
  claimHandoff: {},
  confirmHandoff: undefined,
  listDocuments: { documents: [] },
};

/** A host page leaves these out if it lacks the key of kept answers, the handoff to a phone, or a list of ZIP codes. */
const optionalMethods: ReadonlySet<Method> = new Set<Method>([
  'getDraftKey',
  'createDraftKey',
  'endDraftKey',
  'createHandoff',
  'getHandoff',
  'endHandoff',
  'claimHandoff',
  'confirmHandoff',
  'listDocuments',
  'getPlace',
]);

/** Starts the timeout of a call again. */
type Restart = (ms: number) => void;

/**
 * Returns an `api` that neither throws nor rejects. A throw, a rejection, or a value that is not a result becomes the failure
 * `internal`. A call that takes too long becomes the failure `network`.
 */
export function createSafeApi(
  api: FundingApi,
  { report, setTimeout, clearTimeout }: SafeApiOptions,
): FundingApi {
  /** @param abort ends the call. */
  async function guard<Value>(
    method: Method,
    call: (restart: Restart) => unknown,
    abort = new AbortController(),
  ): Promise<Result<Value>> {
    let timer = 0;
    let isEnded = false;
    const restart: Restart = (ms) => {
      clearTimeout(timer);
      if (isEnded) return;
      timer = setTimeout(() => {
        report(`"api.${method}" timed out.`);
        abort.abort();
      }, ms);
    };
    const aborted = new Promise<Failure>((resolve) => {
      abort.signal.addEventListener('abort', () => resolve(networkFailure));
    });
    try {
      restart(requestTimeoutMs);
      const result = await Promise.race([call(restart), aborted]);
      if (isObject(result)) {
        const { ok, value } = result;
        if (ok === false) {
          const code = failureCodes.find((known) => known === result['code']);
          return toFailure({ ...result, code });
        }
        // The form reads only the parts that were checked.
        if (ok === true && hasShape(value, requiredShapes[method]))
          return { ok, value: value as Value };
      }
    } catch {
      // The report contains no part of the error, which may contain data of the applicant.
    } finally {
      isEnded = true;
      clearTimeout(timer);
    }
    report(`"api.${method}" failed. Resolve to {ok: true, value} or {ok: false, code, errors}.`);
    return toFailure({});
  }

  const methods = Object.keys(requiredShapes) as Method[];
  const guarded = methods.map((method) => [
    method,
    optionalMethods.has(method) && !(method in api)
      ? undefined
      : (...parameters: unknown[]) =>
          // A host page without types may have no such method. The guard reports it.
          guard(method, () => Reflect.apply(api[method] as () => unknown, api, parameters)),
  ]);
  return {
    // `guard` has checked the results, and the record of shapes lists all methods.
    ...(Object.fromEntries(guarded) as Omit<FundingApi, 'endsWithPage'>),
    get endsWithPage() {
      try {
        return Boolean(api.endsWithPage);
      } catch {
        return false;
      }
    },
    uploadDocument: async (upload) => {
      if (upload.signal.aborted) return networkFailure;
      const abort = new AbortController();
      const { signal } = abort;
      upload.signal.addEventListener('abort', () => abort.abort());
      const send = (restart: Restart) => {
        restart(silentUploadTimeoutMs);
        const onProgress = (share: number) => {
          if (signal.aborted) return;
          restart(activeUploadTimeoutMs);
          upload.onProgress(share);
        };
        return api.uploadDocument({ ...upload, signal, onProgress });
      };
      return guard('uploadDocument', send, abort);
    },
  };
}

function hasShape(value: unknown, shape: Shape | undefined): boolean {
  if (shape === undefined) return true;
  if (Array.isArray(shape)) return Array.isArray(value);
  return (
    isObject(value) && Object.entries(shape).every(([name, part]) => hasShape(value[name], part))
  );
}
