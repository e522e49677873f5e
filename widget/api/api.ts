// The widget's side of the /v1 contract: one method a route; every answer is parsed, every failure is a value.

import type * as z from 'zod/mini';
import {
  applicationStatusSchema,
  type ApplicationStatus,
} from '../../shared/api/application-status.ts';
import { configurationSchema, type Configuration } from '../../shared/api/configuration.ts';
import { contactAnswerSchema, type ContactAnswer } from '../../shared/api/contact.ts';
import {
  assetReportStatusSchema,
  documentStatusSchema,
  type AssetReportStatus,
  type DocumentStatus,
} from '../../shared/api/documents.ts';
import { offersSchema, type Offers } from '../../shared/api/offers.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { problemSchema, type ProblemCode } from '../../shared/api/problem.ts';
import { sessionSchema, type Session } from '../../shared/api/session.ts';
import type { ConsentGiven } from '../../shared/application/consent.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import { sendWithProgress } from './send-with-progress.ts';

/** `network`: no answer of the BFF arrived; anything else is the BFF's own code. */
export type FailureCode = ProblemCode | 'network';

export interface Failure {
  readonly ok: false;
  readonly code: FailureCode;
  readonly errors: readonly FieldError[];
}

export type Result<Value> = { readonly ok: true; readonly value: Value } | Failure;

export interface Upload {
  readonly file: File;
  readonly category: string;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Everything the widget asks of the BFF. Tests and hosts with their own transport may supply another one. */
export interface FundingApi {
  getConfiguration(): Promise<Result<Configuration>>;
  /** Begins a session or resumes the one this browser has. */
  openSession(): Promise<Result<Session>>;
  /** `body` is the serialized application; the same body must come with the same key. */
  submitApplication(body: string, idempotencyKey: string): Promise<Result<ApplicationStatus>>;
  getApplication(): Promise<Result<ApplicationStatus>>;
  getOffers(): Promise<Result<Offers>>;
  enableContact(consent: ConsentGiven): Promise<Result<ContactAnswer>>;
  uploadDocument(upload: Upload): Promise<Result<DocumentStatus>>;
  submitAssetReport(report: unknown): Promise<Result<AssetReportStatus>>;
}

/** The BFF itself answers after some eight seconds at the latest; the rest is for slow lines. */
const callTimeoutMs = 60_000;

/** @param baseUrl the BFF's origin, without a slash at its end. */
export function createFundingApi(baseUrl: string): FundingApi {
  async function call<Schema extends z.ZodMiniType>(
    schema: Schema,
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<z.infer<Schema>>> {
    try {
      const response = await fetch(baseUrl + path, {
        method,
        credentials: 'include',
        cache: 'no-store',
        signal: AbortSignal.timeout(callTimeoutMs),
        headers: {
          [apiHeaders.request]: '1',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      return toResult(schema, response.status, await response.text());
    } catch {
      // fetch says no more than "TypeError" for every way a connection can fail.
      return networkFailure;
    }
  }

  return {
    getConfiguration: () => call(configurationSchema, 'GET', apiPaths.configuration),
    openSession: () => call(sessionSchema, 'POST', apiPaths.session, '{}'),
    submitApplication: (body, idempotencyKey) =>
      call(applicationStatusSchema, 'POST', apiPaths.application, body, {
        [apiHeaders.idempotencyKey]: idempotencyKey,
      }),
    getApplication: () => call(applicationStatusSchema, 'GET', apiPaths.application),
    getOffers: () => call(offersSchema, 'GET', apiPaths.offers),
    enableContact: (consent) =>
      call(contactAnswerSchema, 'POST', apiPaths.contact, JSON.stringify({ consent })),
    submitAssetReport: (report) =>
      call(assetReportStatusSchema, 'POST', apiPaths.assetReport, JSON.stringify(report)),
    uploadDocument: async ({ file, category, onProgress, signal }) => {
      const answer = await sendWithProgress({
        url: baseUrl + apiPaths.documents,
        headers: {
          [apiHeaders.request]: '1',
          'content-type': 'application/octet-stream',
          [apiHeaders.documentName]: encodeURIComponent(file.name),
          [apiHeaders.documentCategory]: category,
        },
        body: file,
        onProgress,
        signal,
      });
      return answer ? toResult(documentStatusSchema, answer.status, answer.text) : networkFailure;
    },
  };
}

const networkFailure: Failure = { ok: false, code: 'network', errors: [] };

function toResult<Schema extends z.ZodMiniType>(
  schema: Schema,
  status: number,
  text: string,
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
  return { ok: false, code: problem.data.code, errors: problem.data.errors ?? [] };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
