// The element's client of the `/v1` API: one method for each request. Every failure is a value.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type {
  BankReportStatus,
  ContactResponse,
  DocumentList,
  DocumentStatus,
} from '../../shared/api/attachments.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { DraftKeyResponse } from '../../shared/api/draft-key.ts';
import type {
  Handoff,
  HandoffClaim,
  HandoffClaimRequest,
  HandoffStatus,
  PhoneHandoff,
} from '../../shared/api/handoff.ts';
import type { Offers } from '../../shared/api/offers.ts';
import {
  apiHeaders,
  apiPaths,
  apiResponseHeaders,
  contractVersion,
} from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { PlaceResponse } from '../../shared/api/place.ts';
import type { Session } from '../../shared/api/session.ts';
import type { AcceptedConsent } from '../../shared/application/consent.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';

/**
 * A problem code of the BFF. `network`: the BFF did not respond. `page-outdated`: the BFF has another contract version than the
 * element, so the page must be reloaded.
 */
export type FailureCode = ProblemCode | 'network' | 'page-outdated';

/** Failures of any request that may not happen when it is repeated. */
export const transientCodes: readonly FailureCode[] = [
  'network',
  'internal',
  'service-unavailable',
  'storage-unavailable',
  'too-many-requests',
  'too-busy',
];

/** A failed request. */
export interface Failure {
  /** Tells a failure from a result with a `value`. */
  readonly ok: false;
  /** The reason. */
  readonly code: FailureCode;
  /** The fields that the BFF rejected. */
  readonly errors: readonly FieldError[];
  /** Delay before the next request, from the BFF's `Retry-After` header. */
  readonly retryAfterMs?: number;
}

/** The result of a request. Methods never throw: a failure is a value too. */
export type Result<Value> =
  | {
      /** The request succeeded. */
      readonly ok: true;
      /** The body of the response. */
      readonly value: Value;
    }
  | Failure;

/** A document to upload. */
export interface Upload {
  /** The file that the applicant chose. */
  readonly file: File;
  /** The `id` of a document category of the configuration. Empty if the applicant has not chosen one. */
  readonly category: string;
  /** Call it with the share that was sent, 0 to 1. If you repeat the upload, start again from 0. */
  readonly onProgress: (share: number) => void;
  /** Aborts the upload. */
  readonly signal: AbortSignal;
}

/** Signals for the BFF's bot checks. */
export interface SubmissionProof {
  /** If true, the hidden honeypot field was filled in. */
  readonly isHoneypotFilled: boolean;
  /** The token of the solved challenge, if the configuration has a challenge. */
  readonly challengeToken?: string;
}

/** The requests of the element to the BFF, one method for each route. Set the property `api` to use your own transport. */
export interface FundingApi {
  /** If true, the session ends with the page, because the browser does not store the BFF's cookie. Valid after the first request. */
  readonly endsWithPage: boolean;
  /**
   * Reads the configuration of the form.
   *
   * @param locale the language of the texts, for example `es`. The `locale` of the result is the language that the BFF has.
   */
  getConfiguration(locale?: string): Promise<Result<Configuration>>;
  /** Starts a session, or resumes the session of this browser. */
  openSession(): Promise<Result<Session>>;
  /** Reads the session of this page. Never starts one. */
  getSession(): Promise<Result<Session>>;
  /** Ends the session. The BFF keeps what was sent. */
  endSession(): Promise<Result<undefined>>;
  /**
   * Reads the key of the answers that the applicant keeps on this device. Without this method and the next two, the form does not
   * offer to keep them.
   */
  getDraftKey?(): Promise<Result<DraftKeyResponse>>;
  /** Creates the key, or reads the existing one. */
  createDraftKey?(): Promise<Result<DraftKeyResponse>>;
  /** Ends the key. Nobody can decrypt the answers any more. */
  endDraftKey?(): Promise<Result<undefined>>;
  /**
   * Submits the application.
   *
   * @param body the application as JSON.
   * @param idempotencyKey a UUID. Use the same key when you send the same body again.
   */
  submitApplication(
    body: string,
    idempotencyKey: string,
    proof?: SubmissionProof,
  ): Promise<Result<ApplicationStatus>>;
  /** Reads the status of the application. */
  getApplication(): Promise<Result<ApplicationStatus>>;
  /**
   * Finds the city of a ZIP code, which the form fills in. Without this method, the form fills in the state only.
   *
   * @param zip five digits.
   */
  getPlace?(zip: string): Promise<Result<PlaceResponse>>;
  /** Reads the decision and the offers. */
  getOffers(): Promise<Result<Offers>>;
  /** Asks the funding service to remove the Do Not Contact mark. */
  enableContact(consent: AcceptedConsent): Promise<Result<ContactResponse>>;
  /** Uploads a document. */
  uploadDocument(upload: Upload): Promise<Result<DocumentStatus>>;
  /**
   * Changes the category of a document that the BFF has not sent yet.
   *
   * @param number the document's `number`.
   */
  changeDocumentCategory(number: number, category: string): Promise<Result<DocumentStatus>>;
  /** Removes a document that the BFF has not sent yet. */
  removeDocument(number: number): Promise<Result<undefined>>;
  /** Submits the asset report of an aggregation provider. */
  submitAssetReport(report: unknown): Promise<Result<BankReportStatus>>;
  /**
   * Starts a handoff, so that the applicant can send documents from a phone. Without this method, `getHandoff`, and `endHandoff`,
   * the form does not offer it.
   */
  createHandoff?(): Promise<Result<Handoff>>;
  /** Reads the state of the handoff. */
  getHandoff?(): Promise<Result<HandoffStatus | PhoneHandoff>>;
  /** Ends the handoff: the desktop disconnects the phone, or the phone is done. */
  endHandoff?(): Promise<Result<undefined>>;
  /** Connects a phone to the handoff. Only the page with the attribute `handoff` uses this method and the next two. */
  claimHandoff?(request: HandoffClaimRequest): Promise<Result<HandoffClaim>>;
  /** Sends the number that the applicant picked on the phone. */
  confirmHandoff?(number: string): Promise<Result<undefined>>;
  /** Lists the documents that the phone has sent. */
  listDocuments?(): Promise<Result<DocumentList>>;
}

/** A response, as `fetch` or `XMLHttpRequest` received it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
}

/** Timeout of a request. The BFF responds within 8 s; the rest is for slow connections. */
export const requestTimeoutMs = 60_000;

/**
 * @param baseUrl the origin of the BFF, without a slash at the end.
 * @param send for tests. Defaults to the browser's `fetch`.
 * @param isPhone whether this page is the phone's page in a handoff.
 */
export function createFundingApi(
  baseUrl: string,
  send: typeof fetch = fetch,
  isPhone = false,
): Required<FundingApi> {
  /** Identifies the session if the browser does not store the cookie. It exists in this variable only. */
  let sessionToken: string | undefined;
  /**
   * The response that rejected the session token. Until the next `openSession`, all requests that need the session return it:
   * without a token, the browser would send the cookie of another tab's session.
   */
  let rejection: Failure | undefined;
  /** Pending until it is known whether the new session needs a session token. */
  let probing: Promise<void> | undefined;
  /** Concurrent calls share one request. Otherwise each would start a session, and only the last one would remain. */
  let opening: Promise<Result<Session>> | undefined;

  /**
   * @param headers with null, the request has no header, so that it needs no preflight, and a preloaded response answers it.
   * @param upload replaces the body.
   */
  async function request<Value>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: string | null = null,
    headers: Readonly<Record<string, string>> | null = {},
    upload?: Upload,
  ): Promise<Result<Value>> {
    const url = baseUrl + path;
    /** The session token may change before the response arrives. */
    const sentToken = sessionToken;
    const allHeaders = headers && {
      [apiHeaders.request]: '1',
      ...(isPhone && { [apiHeaders.phone]: '1' }),
      ...(sentToken !== undefined && { authorization: `Funding ${sentToken}` }),
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    };
    let response: RawResponse | undefined;
    try {
      if (upload && allHeaders) {
        const { sendFile } = await import('./send-file.ts');
        response = await sendFile(url, allHeaders, upload);
      } else {
        const received = await send(url, {
          ...(allHeaders && {
            method,
            credentials: 'include',
            cache: 'no-store',
            headers: allHeaders,
            body,
          }),
          signal: AbortSignal.timeout(requestTimeoutMs),
        });
        const { status, headers } = received;
        response = { status, headers, text: await received.text() };
      }
    } catch {
      // fetch rejects with the same TypeError for every kind of network failure.
    }
    if (!response) return networkFailure;
    const result = toResult<Value>(response);
    if (sessionToken === undefined || sessionToken !== sentToken) return result;
    if (!result.ok && result.code === 'session-missing') rejection = result;
    const renewed = response.headers.get(apiResponseHeaders.session);
    sessionToken = rejection ? undefined : (renewed ?? sessionToken);
    return result;
  }

  /** Sends a request that needs the session. */
  async function requestWithSession<Value>(
    ...parameters: Parameters<typeof request>
  ): Promise<Result<Value>> {
    await probing;
    return rejection ?? request(...parameters);
  }

  /** Tests whether the browser returns the cookie of a new session. If not, starts another session with a session token. */
  async function probeCookie(): Promise<void> {
    sessionToken = undefined;
    const probe = await request<Session>('GET', apiPaths.session);
    if (probe.ok || probe.code !== 'session-missing') return;
    const body = JSON.stringify({ transport: 'handle' });
    const started = await request<Session>('POST', apiPaths.session, body);
    if (started.ok) sessionToken = started.value.handle;
  }

  async function openSession(): Promise<Result<Session>> {
    await probing;
    const opened = await request<Session>('POST', apiPaths.session, '{}');
    if (opened.ok) rejection = undefined;
    // The form shows before the probe ends. Requests that need the session wait for the probe.
    if (opened.ok && !opened.value.isProven) probing = probeCookie();
    opening = undefined;
    return opened;
  }

  return {
    get endsWithPage() {
      return sessionToken !== undefined;
    },
    getConfiguration: (locale) =>
      request(
        'GET',
        apiPaths.configuration + (locale ? `?locale=${encodeURIComponent(locale)}` : ''),
        null,
        null,
      ),
    openSession: () => (opening ??= openSession()),
    getSession: () => requestWithSession('GET', apiPaths.session),
    endSession: async () => {
      const ended = await requestWithSession<undefined>('DELETE', apiPaths.session);
      if (ended.ok) sessionToken = undefined;
      return ended;
    },
    getDraftKey: () => request('GET', apiPaths.draftKey),
    createDraftKey: () => request('POST', apiPaths.draftKey),
    endDraftKey: () => request('DELETE', apiPaths.draftKey),
    submitApplication: (body, idempotencyKey, proof) =>
      requestWithSession('POST', apiPaths.application, body, {
        [apiHeaders.idempotencyKey]: idempotencyKey,
        ...(proof?.isHoneypotFilled && { [apiHeaders.honeypot]: '1' }),
        ...(proof?.challengeToken !== undefined && {
          [apiHeaders.challenge]: proof.challengeToken,
        }),
      }),
    getApplication: () => requestWithSession('GET', apiPaths.application),
    getPlace: (zip) => requestWithSession('GET', `${apiPaths.places}?zip=${zip}`),
    getOffers: () => requestWithSession('GET', apiPaths.offers),
    enableContact: (consent) =>
      requestWithSession('POST', apiPaths.contact, JSON.stringify({ consent })),
    submitAssetReport: async (report) => {
      let body: string;
      try {
        body = JSON.stringify(report);
      } catch {
        // The host page's value contains itself, or a bigint.
        return toFailure({ code: 'asset-report-invalid' });
      }
      return requestWithSession('POST', apiPaths.assetReport, body);
    },
    uploadDocument: (upload) => {
      const headers = {
        'content-type': 'application/octet-stream',
        [apiHeaders.documentName]: encodeURIComponent(upload.file.name),
        ...(upload.category && { [apiHeaders.documentCategory]: upload.category }),
      };
      return requestWithSession('POST', apiPaths.documents, null, headers, upload);
    },
    changeDocumentCategory: (number, category) =>
      requestWithSession('POST', apiPaths.documentCategory, JSON.stringify({ number, category })),
    removeDocument: (number) =>
      requestWithSession('POST', apiPaths.documentRemoval, JSON.stringify({ number })),
    createHandoff: () => requestWithSession('POST', apiPaths.handoff, '{}'),
    getHandoff: () => requestWithSession('GET', apiPaths.handoff),
    endHandoff: () => requestWithSession('DELETE', apiPaths.handoff),
    claimHandoff: async (claim) => {
      rejection = sessionToken = undefined;
      const claimed = await request<HandoffClaim>(
        'POST',
        apiPaths.handoffClaim,
        JSON.stringify(claim),
      );
      if (claimed.ok) sessionToken = claimed.value.handle;
      return claimed;
    },
    confirmHandoff: (number) =>
      requestWithSession('POST', apiPaths.handoffConfirm, JSON.stringify({ number })),
    listDocuments: () => requestWithSession('GET', apiPaths.documents),
  };
}

/** The BFF did not respond. */
export const networkFailure: Failure = { ok: false, code: 'network', errors: [] };

function toResult<Value>({ status, headers, text }: RawResponse): Result<Value> {
  const version = headers.get(apiResponseHeaders.contractVersion);
  // This response is from a proxy, a captive portal, or the HTTP server in front of the BFF.
  if (version === null) return networkFailure;
  if (version !== contractVersion) return { ok: false, code: 'page-outdated', errors: [] };
  // The response to `endSession` has no body.
  const body = status === 204 ? undefined : parseObject(text);
  if (body === null) return networkFailure;
  // The contract version guarantees the type, so that the browser needs no schema.
  if (status >= 200 && status < 300) return { ok: true, value: body as Value };
  const seconds = headers.get('retry-after') ?? '';
  // The BFF sends whole seconds only, never a date.
  const retryAfterMs = /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  return toFailure({ ...body, retryAfterMs });
}

/** Returns `null` if the text is not a JSON object, for example an HTML page. */
function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

type FailureInput = { readonly [Name in 'code' | 'errors' | 'retryAfterMs']?: unknown };

/** Reads a failure from a response of the BFF. The form shows a general text for a code that it does not know. */
export function toFailure({ code, errors, retryAfterMs }: FailureInput): Failure {
  return {
    ok: false,
    // The contract version guarantees that a text is one of the codes.
    code: typeof code === 'string' ? (code as FailureCode) : 'internal',
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 && { retryAfterMs }),
  };
}

/** The form shows a general text for a code that it does not know. */
function isFieldError(error: unknown): error is FieldError {
  return (
    isObject(error) && typeof error['pointer'] === 'string' && typeof error['code'] === 'string'
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
