// How the sandbox serves an operation: applies faults, runs the handler, sends its result, and records the call.

import type { Context } from 'hono';
import type { Operation } from '../shared/funding-service/operations.ts';
import { readTokenState } from './authentication.ts';
import { errorRows, toErrorText, toOperation, type ErrorRow, type ErrorRowId } from './errors.ts';
import { takeFault, type Fault } from './faults.ts';
import { slowDelayMs } from './scenarios.ts';
import { recordCall, type CallRecord, type SandboxContext } from './state.ts';

export interface OperationRequest {
  readonly headers: Headers;
  readonly body: string;
  /** The sandbox's own origin, as the caller addressed it. */
  readonly origin: string;
}

/** Handlers do not await, so that two requests cannot interleave. */
export type OperationHandler = (
  request: OperationRequest,
  context: SandboxContext,
) => OperationResult;

export type OperationResult = SuccessResult | ErrorResult | GatewayErrorResult;

export interface SuccessResult {
  readonly kind: 'success';
  readonly body: Readonly<Record<string, unknown>>;
  readonly applicationId?: string;
}

/** The operation returns a row of the error table. */
export interface ErrorResult {
  readonly kind: 'error';
  readonly row: ErrorRowId;
  /** Replaces the placeholder in the row's message: a field name or an application id. */
  readonly subject?: string;
  /** Echoed by operations whose response has a ReferenceID. */
  readonly referenceId?: string;
  readonly applicationId?: string;
}

/** A gateway in front of the operation returns an HTML page. */
export interface GatewayErrorResult {
  readonly kind: 'gateway-error';
  readonly status: 503 | 504;
  readonly applicationId?: string;
}

/** Longer bodies are cut in the record of the call. */
const maxBodyCharacters = 40_000;

/** Headers that are recorded with their values. */
const recordedHeaders = [
  'accept',
  'applicationid',
  'content-length',
  'content-type',
  'partnerid',
  'partnername',
  'user-agent',
];

export function serveOperation(id: Operation, handler: OperationHandler, context: SandboxContext) {
  return async (c: Context): Promise<Response> => {
    const startedMs = performance.now();
    const fault = takeFault(context.state.faults, id);
    const request: OperationRequest = {
      headers: c.req.raw.headers,
      body: await c.req.text(),
      origin: new URL(c.req.url).origin,
    };
    const atMs = context.clock.now();
    const headers = toRecordedHeaders(request.headers, context);
    const { response, result } = await respond(handler, request, fault, context);
    if (id === 'token') {
      // RFC 6749 section 5.1: caches must not store tokens.
      response.headers.set('Cache-Control', 'no-store');
      response.headers.set('Pragma', 'no-cache');
    }
    const answer = await response.clone().text();
    recordCall(context.state, {
      atMs,
      operation: id,
      headers,
      requestBytes: Buffer.byteLength(request.body),
      status: response.status,
      outcome: toCallOutcome(response, result, fault),
      fault: fault?.kind,
      applicationId: result?.applicationId,
      recordId: toRecordId(result),
      note: toNote(result),
      answer: cut(id === 'token' ? hideTokens(answer) : answer),
      request: id === 'create-lead' && result?.kind !== 'success' ? cut(request.body) : undefined,
      durationMs: Math.round((performance.now() - startedMs) * 10) / 10,
    });
    context.save({ applicationId: result?.applicationId, recordId: toRecordId(result) });
    return response;
  };
}

export function createErrorResult(
  row: ErrorRowId,
  details: Omit<ErrorResult, 'kind' | 'row'> = {},
): ErrorResult {
  return { kind: 'error', row, ...details };
}

/** An error of the platform itself. It sends a list, because no operation was reached. */
export function toPlatformError(status: number, errorCode: string, message: string): Response {
  return Response.json([{ message, errorCode }], { status });
}

/** Parses a JSON object. Returns undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent fields, null, and blank strings are all missing. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

interface OperationResponse {
  readonly response: Response;
  /** Undefined if a fault kept the handler from running. */
  readonly result: OperationResult | undefined;
}

async function respond(
  handler: OperationHandler,
  request: OperationRequest,
  fault: Fault | undefined,
  context: SandboxContext,
): Promise<OperationResponse> {
  if (fault?.kind === 'delay') await context.delay(fault.delayMs);
  const early = fault && respondWithoutProcessing(fault, context);
  if (early) return early;
  const result = handler(request, context);
  const lead = result.applicationId ? context.state.leads.get(result.applicationId) : undefined;
  if (lead?.tags.includes('slow')) await context.delay(slowDelayMs);
  const response = toResponse(result, context);
  return { result, response: fault ? await alterResponse(fault, response, result) : response };
}

/** The response of a fault that keeps the handler from running, or undefined for other faults. */
function respondWithoutProcessing(
  fault: Fault,
  context: SandboxContext,
): OperationResponse | undefined {
  switch (fault.kind) {
    case 'row': {
      const result = createErrorResult(fault.row, { subject: fault.subject });
      return { result, response: toResponse(result, context) };
    }
    case 'processing-failed': {
      const result = createErrorResult('asset-report/processing-failed');
      return { result, response: toResponse(result, context) };
    }
    case 'invalid-session': {
      const message = 'Session expired or invalid';
      return { result: undefined, response: toPlatformError(401, 'INVALID_SESSION_ID', message) };
    }
    case 'throttle': {
      const retryAfter = { 'Retry-After': String(fault.retryAfterSeconds) };
      return { result: undefined, response: toHtmlResponse(fault.status, retryAfter) };
    }
    case 'status':
      if (fault.isProcessed) return undefined;
      return { result: undefined, response: toHtmlResponse(fault.status) };
    case 'empty':
      if (fault.isProcessed) return undefined;
      return { result: undefined, response: new Response('') };
    case 'garbage':
      if (fault.isProcessed) return undefined;
      return { result: undefined, response: toIncompleteJson('{"IsSuccessful":true,"Respo') };
    default:
      return undefined;
  }
}

/** The response of a fault that applies after the handler has run. */
async function alterResponse(
  fault: Fault,
  response: Response,
  result: OperationResult,
): Promise<Response> {
  switch (fault.kind) {
    case 'drop-after-commit':
      return toHtmlResponse(504);
    case 'status':
      return toHtmlResponse(fault.status);
    case 'empty':
      return new Response('');
    case 'garbage': {
      const complete = await response.text();
      return toIncompleteJson(complete.slice(0, Math.floor(complete.length / 2)));
    }
    case 'without-proof':
      return result.kind === 'success' ? Response.json(removeIdentifiers(result.body)) : response;
    default:
      return response;
  }
}

function removeIdentifiers(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const identifiers = [
    'access_token',
    'ApplicationID',
    'DocumentId',
    'assetReportId',
    'PreApproval_Data',
  ];
  const present = identifiers.filter((name) => Object.hasOwn(body, name));
  return { ...body, ...Object.fromEntries(present.map((name) => [name, null])) };
}

function toResponse(result: OperationResult, context: SandboxContext): Response {
  if (result.kind === 'success') return Response.json(result.body);
  if (result.kind === 'gateway-error') return toHtmlResponse(result.status);
  // RFC 6749 section 5.2 prescribes the status of token errors.
  const hasErrorStatus =
    toOperation(result.row) === 'token' || context.settings.failureStatus === 'http';
  const status = hasErrorStatus ? errorRows[result.row].httpStatus : 200;
  return Response.json(toErrorBody(result), { status });
}

/** The error with every field that the spec documents for the operation's response; fields without a value are null. */
function toErrorBody(error: ErrorResult): Record<string, unknown> {
  const row: ErrorRow = errorRows[error.row];
  const text = toErrorText(error.row, error.subject);
  const referenceId = error.referenceId ?? null;
  switch (toOperation(error.row)) {
    case 'token':
      return { error: row.oauthError, error_description: text };
    case 'create-lead':
      return {
        IsSuccessful: false,
        ResponseText: text,
        ApplicationID: null,
        ReferenceID: referenceId,
        pURL: null,
      };
    case 'pre-approval-offer':
      return {
        IsSuccessful: false,
        ResponseText: text,
        ReferenceID: referenceId,
        pURL: null,
        PreApproval_Data: null,
      };
    case 'contact-user':
      return { IsSuccessful: false, ResponseText: text };
    case 'asset-report':
      return { success: false, message: text, assetReportId: null };
    case 'upload-file':
      return {
        IsSuccessful: false,
        ResponseMessage: text,
        DocumentId: null,
        ReferenceID: referenceId,
      };
  }
}

function toHtmlResponse(status: number, headers: Record<string, string> = {}): Response {
  // Responses with these statuses have no body (RFC 9110 section 15).
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status });
  return new Response(
    `<!doctype html><html lang="en"><title>${status}</title><h1>${status}</h1><p>The service is not available.</p></html>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } },
  );
}

function toIncompleteJson(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}

function toCallOutcome(
  response: Response,
  result: OperationResult | undefined,
  fault: Fault | undefined,
): CallRecord['outcome'] {
  if (result?.kind === 'error') return result.row;
  const isAltered = fault !== undefined && fault.kind !== 'delay';
  return isAltered || result?.kind !== 'success' || !response.ok ? 'broken' : 'ok';
}

function toRecordId(result: OperationResult | undefined): string | undefined {
  if (result?.kind !== 'success') return undefined;
  const id = result.body.DocumentId ?? result.body.assetReportId;
  return typeof id === 'string' ? id : undefined;
}

function toNote(result: OperationResult | undefined): string {
  if (result?.kind === 'error') return toErrorText(result.row, result.subject);
  const data = result?.kind === 'success' ? result.body.PreApproval_Data : undefined;
  if (!isObject(data)) return '';
  const { PreApproval_Status: status, PreApproval_Offers: offers } = data;
  const count = Array.isArray(offers) ? offers.length : 0;
  if (status !== 'Qualified') return 'not qualified';
  if (count === 0) return 'qualified, no offers yet';
  return count === 1 ? 'qualified, 1 offer' : `qualified, ${count} offers`;
}

/** Replaces the token and its signature, which are secrets of the partner. */
function hideTokens(answer: string): string {
  return answer.replaceAll(/"(access_token|signature)":\s*"[^"]*"?/g, '"$1":"(hidden)"');
}

function cut(text: string): string {
  return text.length > maxBodyCharacters ? `${text.slice(0, maxBodyCharacters)}…` : text;
}

function toRecordedHeaders(headers: Headers, context: SandboxContext): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const name of recordedHeaders) {
    const value = headers.get(name);
    if (value !== null) recorded[name] = value;
  }
  if (headers.has('authorization')) {
    recorded.authorization = `(token ${readTokenState(headers, context)})`;
  }
  return recorded;
}
