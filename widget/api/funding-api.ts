// The widget's side of the /v1 contract: one method a route; every answer is parsed, every failure is a value.

import * as z from 'zod/mini';
import {
  applicationStatusSchema,
  type ApplicationStatus,
} from '../../shared/api/application-status.ts';
import { configurationSchema, type Configuration } from '../../shared/api/configuration.ts';
import {
  type BankReportStatus,
  bankReportStatusSchema,
  type ContactResponse,
  contactResponseSchema,
  type DocumentStatus,
  documentStatusSchema,
} from '../../shared/api/attachments.ts';
import { offersSchema, type Offers } from '../../shared/api/offers.ts';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import { problemSchema } from '../../shared/api/problems.ts';
import { sessionSchema, type Session } from '../../shared/api/session.ts';
import type { AcceptedConsent } from '../../shared/application/consent.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import { toNullPrototype } from './null-prototype.ts';
import { sendWithProgress } from './send-with-progress.ts';

/** A problem code of the BFF, or `network` if the BFF did not answer. */
export type FailureCode = ProblemCode | 'network';

/** A failed request. */
export interface Failure {
  readonly ok: false;
  readonly code: FailureCode;
  /** The fields that the BFF rejected. */
  readonly errors: readonly FieldError[];
  /** Delay before the next request, from the BFF's `Retry-After` header. */
  readonly retryAfterMs?: number;
}

/** The result of a request. Methods never throw: a failure is a value too. */
export type Result<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** A document to upload. */
export interface Upload {
  readonly file: File;
  /** The `id` of a document category of the configuration. */
  readonly category: string;
  /** Call it with the share that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Aborts the upload. */
  readonly signal: AbortSignal;
}

/** Signals for the BFF's bot checks. */
export interface SubmissionProof {
  /** Whether the hidden honeypot field was filled in. */
  readonly isHoneypotFilled: boolean;
  /** The token of the solved challenge, if the configuration has a challenge. */
  readonly challengeToken?: string;
}

/** The requests of the element to the BFF, one method for each route. Set the property `api` to use your own transport. */
export interface FundingApi {
  /** Whether the session ends with the page, because the browser does not store the BFF's cookie. Valid after the first request. */
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
  /** Reads the decision and the offers. */
  getOffers(): Promise<Result<Offers>>;
  /** Asks the funding service to remove the Do Not Contact mark. */
  enableContact(consent: AcceptedConsent): Promise<Result<ContactResponse>>;
  /** Uploads a document. */
  uploadDocument(upload: Upload): Promise<Result<DocumentStatus>>;
  /** Submits the asset report of an aggregation provider. */
  submitAssetReport(report: unknown): Promise<Result<BankReportStatus>>;
}

/** The BFF itself answers after some eight seconds at the latest; the rest is for slow lines. */
const callTimeoutMs = 60_000;

/**
 * @param baseUrl the BFF's origin, without a slash at its end.
 * @param send default: the browser's own `fetch`.
 */
export function createFundingApi(baseUrl: string, send: typeof fetch = fetch): FundingApi {
  /** Carries the session where no cookie does. It is kept here only, and is gone with the page. */
  let handle: string | undefined;
  /** How the handle was refused. Until a session is opened nothing else is asked: a cookie would carry it to that of another tab. */
  let lost: Failure | undefined;
  /** Ends once it is known how a new session travels. */
  let probing: Promise<void> | undefined;
  /** Two at once would begin two sessions, and the one that comes last would hide the other. */
  let opening: Promise<Result<Session>> | undefined;

  function toHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    const authorization = handle === undefined ? undefined : `Funding ${handle}`;
    return { [apiHeaders.request]: '1', ...(authorization ? { authorization } : {}), ...headers };
  }

  /** A handle is renewed by any answer, and is worth nothing once it opens nothing. */
  function noteAnswer(
    sent: string | undefined,
    result: Result<unknown>,
    renewed: string | null,
  ): void {
    // The answer may be about an earlier one.
    if (handle === undefined || handle !== sent) return;
    if (!result.ok && result.code === 'session-missing') lost = result;
    handle = lost ? undefined : (renewed ?? handle);
  }

  /** The cookie of a new session may not come back; then another session begins that goes without one. */
  async function probe(): Promise<void> {
    handle = undefined;
    const looked = await request(sessionSchema, 'GET', apiPaths.session);
    if (looked.ok || looked.code !== 'session-missing') return;
    const body = JSON.stringify({ transport: 'handle' });
    const begun = await request(sessionSchema, 'POST', apiPaths.session, body);
    if (begun.ok) handle = begun.value.handle;
  }

  async function openSession(): Promise<Result<Session>> {
    await probing;
    const opened = await request(sessionSchema, 'POST', apiPaths.session, '{}');
    if (opened.ok) lost = undefined;
    // Not awaited: a form can be shown meanwhile, and whatever needs the session waits.
    if (opened.ok && opened.value.isProven === false) probing = probe();
    opening = undefined;
    return opened;
  }

  /** As `request`, once it is known how the session travels. */
  async function call<Schema extends z.ZodMiniType>(
    ...asked: Parameters<typeof request<Schema>>
  ): Promise<Result<z.infer<Schema>>> {
    await probing;
    return lost ?? request(...asked);
  }

  async function request<Schema extends z.ZodMiniType>(
    schema: Schema,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<z.infer<Schema>>> {
    const sent = handle;
    try {
      const response = await send(baseUrl + path, {
        method,
        credentials: 'include',
        cache: 'no-store',
        signal: AbortSignal.timeout(callTimeoutMs),
        headers: toHeaders({
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        }),
        ...(body === undefined ? {} : { body }),
      });
      const retryAfter = response.headers.get('retry-after');
      const result = toResult(schema, response.status, await response.text(), retryAfter);
      noteAnswer(sent, result, response.headers.get(apiResponseHeaders.session));
      return result;
    } catch {
      // fetch says no more than "TypeError" for every way a connection can fail.
      return networkFailure;
    }
  }

  return {
    get endsWithPage() {
      return handle !== undefined;
    },
    getConfiguration: (locale) =>
      request(
        configurationSchema,
        'GET',
        apiPaths.configuration + (locale ? `?locale=${encodeURIComponent(locale)}` : ''),
      ),
    openSession: () => (opening ??= openSession()),
    getSession: () => call(sessionSchema, 'GET', apiPaths.session),
    endSession: async () => {
      const ended = await call(z.undefined(), 'DELETE', apiPaths.session);
      if (ended.ok) handle = undefined;
      return ended;
    },
    submitApplication: (body, idempotencyKey, { isHoneypotFilled, challengeToken } = noProof) =>
      call(applicationStatusSchema, 'POST', apiPaths.application, body, {
        [apiHeaders.idempotencyKey]: idempotencyKey,
        ...(isHoneypotFilled ? { [apiHeaders.honeypot]: '1' } : {}),
        ...(challengeToken === undefined ? {} : { [apiHeaders.challenge]: challengeToken }),
      }),
    getApplication: () => call(applicationStatusSchema, 'GET', apiPaths.application),
    getOffers: () => call(offersSchema, 'GET', apiPaths.offers),
    enableContact: (consent) =>
      call(contactResponseSchema, 'POST', apiPaths.contact, JSON.stringify({ consent })),
    submitAssetReport: (report) =>
      call(bankReportStatusSchema, 'POST', apiPaths.assetReport, JSON.stringify(report)),
    uploadDocument: async ({ file, category, onProgress, signal }) => {
      await probing;
      if (lost) return lost;
      const sent = handle;
      const answer = await sendWithProgress({
        url: baseUrl + apiPaths.documents,
        headers: toHeaders({
          'content-type': 'application/octet-stream',
          [apiHeaders.documentName]: encodeURIComponent(file.name),
          [apiHeaders.documentCategory]: category,
        }),
        body: file,
        onProgress,
        signal,
      });
      if (!answer) return networkFailure;
      const { status, text, retryAfter } = answer;
      const result = toResult(documentStatusSchema, status, text, retryAfter);
      noteAnswer(sent, result, answer.renewedSession);
      return result;
    },
  };
}

const noProof: SubmissionProof = { isHoneypotFilled: false };
const networkFailure: Failure = { ok: false, code: 'network', errors: [] };

function toResult<Schema extends z.ZodMiniType>(
  schema: Schema,
  status: number,
  text: string,
  retryAfter: string | null,
): Result<z.infer<Schema>> {
  const json = toJson(text);
  if (status >= 200 && status < 300) {
    const parsed = schema.safeParse(json);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, code: 'internal', errors: [] };
  }
  const problem = problemSchema.safeParse(json);
  // Something between us and the BFF answered in its place, for example a proxy's error page.
  if (!problem.success) return networkFailure;
  const { code, errors = [] } = problem.data;
  // The BFF gives whole seconds only, never a date.
  const wait = /^\d{1,6}$/.test(retryAfter ?? '')
    ? { retryAfterMs: Number(retryAfter) * 1000 }
    : {};
  return { ok: false, code, errors, ...wait };
}

function toJson(text: string): unknown {
  try {
    return toNullPrototype(JSON.parse(text));
  } catch {
    return undefined;
  }
}
