// Classifies the responses of the partner operations: a failure is read from the body first, then from the status.

import type { Offer } from '../../shared/api/offers.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import { tryParseJson } from '../runtime/json.ts';
import {
  classifyText,
  isRejectingReason,
  isUnknownApplication,
  type RefusalReason,
  type TextPatterns,
} from './failure-texts.ts';
import {
  isSameReference,
  type LeadCreated,
  type Outcome,
  type PreApproval,
} from './funding-service.ts';
import { toRetryAfterMs, type TransportResponse } from './transport.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface ResponseContext {
  readonly operation: PartnerOperation;
  readonly patterns: TextPatterns;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Parses the body of a 2xx response into the operation's result. Returns undefined if the body does not prove success.
 * `isSuccessful` is the body's own flag, if it has one.
 */
export type ParseSuccess<Value> = (
  body: JsonObject,
  isSuccessful: boolean | undefined,
) => Value | undefined;

export function classifyResponse<Value>(
  response: TransportResponse,
  context: ResponseContext,
  parseSuccess: ParseSuccess<Value>,
): Outcome<Value> {
  const { status, headers } = response;
  const json = parseJson(response.text);
  const body = readObject(json);
  // The platform sends `[{errorCode, message}]`, or one such object.
  const first = readObject(Array.isArray(json) ? json[0] : json) ?? {};
  const platformCode = readText(first['errorCode'])?.toUpperCase();
  const isSuccessful = readBoolean(body?.['IsSuccessful'] ?? body?.['success']);
  const message = body?.['ResponseText'] ?? body?.['ResponseMessage'] ?? body?.['message'];
  const text = readText(platformCode === undefined ? message : first['message']) ?? '';
  if (isThrottled(response, platformCode, text)) {
    const retryAfterMs = toRetryAfterMs(headers['retry-after'], context.now);
    return { kind: 'throttled', retryAfterMs };
  }
  if (status === 401 || authenticationCodes.has(platformCode ?? '')) {
    return { kind: 'authentication' };
  }
  const isFlagged = platformCode === undefined && isSuccessful === false;
  const failure = { ...context, status, body: first, text, isFlagged };
  if (platformCode !== undefined) return classifyPlatformError(failure);
  if (isFlagged) return classifyFailure(failure);
  if (body && isSuccess(status)) {
    const value = parseSuccess(body, isSuccessful);
    return value === undefined ? { kind: 'unknown' } : { kind: 'accepted', value };
  }
  if (isNotFound(status)) return classifyNotFound(failure);
  // A 4xx response with a message is a failure of the operation, even without the flag.
  if (isClientError(status) && isSuccessful === undefined && text) return classifyFailure(failure);
  // A server sends 413 before it processes anything (RFC 9110 section 15.5.14).
  return status === 413 ? refused('too-large') : { kind: 'unknown' };
}

/** Create Lead: requires an ApplicationID, and our own ID in ReferenceID. The latter may be absent if the flag is true. */
export function parseLeadCreated(referenceId: string): ParseSuccess<LeadCreated> {
  return (body, isSuccessful) => {
    const applicationId = readId(body['ApplicationID']);
    const echoed = readText(body['ReferenceID']);
    const isOurs = echoed === undefined ? isSuccessful : isSameReference(echoed, referenceId);
    if (!applicationId || !isOurs) return undefined;
    return { applicationId, trackingUrl: readText(body['pURL']) };
  };
}

/** Get Pre-Approval Offer: requires a known status, or the documented text for "no offers yet". */
export const parsePreApproval: ParseSuccess<PreApproval> = (body, isSuccessful) => {
  const data = readObject(body['PreApproval_Data']);
  const status = toPreApprovalStatus(readText(data?.['PreApproval_Status']));
  const text = readText(body['ResponseText']) ?? '';
  const hasNoOffersYet = isSuccessful && /no related pre-?approval offers/i.test(text);
  if (!status && !hasNoOffersYet) return undefined;
  return {
    status: status ?? 'qualified',
    offers: toOffers(data?.['PreApproval_Offers']),
    referenceId: readText(body['ReferenceID']),
    trackingUrl: readText(body['pURL']),
  };
};

/** Contact User: the response has nothing but the flag, so the value is empty. */
export const parseContactEnabled: ParseSuccess<string> = (_body, isSuccessful) =>
  isSuccessful ? '' : undefined;

/** Submit Asset Report: requires an assetReportId. */
export const parseAssetReport: ParseSuccess<string> = (body) => readId(body['assetReportId']);

/** Upload File: requires a DocumentId. ReferenceID, if present, must be the ApplicationID. */
export function parseUploaded(applicationId: string): ParseSuccess<string> {
  return (body) => {
    const echoed = readText(body['ReferenceID']);
    if (echoed && !isSameId(echoed, applicationId)) return undefined;
    return readId(body['DocumentId']);
  };
}

function refused(reason: RefusalReason): Outcome<never> {
  return { kind: 'refused', refusal: { reason } };
}

interface Failure extends ResponseContext {
  readonly status: number;
  /** Empty if the response is not a JSON object. */
  readonly body: JsonObject;
  readonly text: string;
  /** The operation's own body has the flag set to false. */
  readonly isFlagged: boolean;
}

/**
 * A text can end in a rejection only in the form that the spec documents for failures (spec, "Errors"): in the operation's
 * own body, with the flag set to false. The spec shows no status for it, so 2xx, 400, and 422 count. Other statuses are
 * about something else than the values that were sent.
 */
function classifyFailure(failure: Failure): Outcome<never> {
  const { operation, patterns, status, body, text, isFlagged } = failure;
  const refusal = classifyText(operation, text, patterns);
  if (refusal === 'authentication') return { kind: 'authentication' };
  const { reason } = refusal;
  const isDocumentedForm = isFlagged && (isSuccess(status) || status === 400 || status === 422);
  const isUnprovenRejection = isRejectingReason(reason) && !isDocumentedForm;
  // A server that fails may have processed the request, and cannot tell which applications it has.
  const isUnproven =
    isUnprovenRejection || reason === 'unrecognized' || isUnknownApplication(reason);
  if (status >= 500 && isUnproven) return { kind: 'unknown' };
  if (isUnprovenRejection) {
    return { kind: 'refused', refusal: { ...refusal, reason: 'unrecognized' } };
  }
  const candidateId = reason === 'duplicate-id' ? findCandidateId(body) : undefined;
  return { kind: 'refused', refusal: { ...refusal, ...(candidateId && { candidateId }) } };
}

/** An error of the platform that hosts the operations may be an outage, so only a known text counts as a refusal. */
function classifyPlatformError(failure: Failure): Outcome<never> {
  if (isNotFound(failure.status)) return refused('request-malformed');
  if (!isClientError(failure.status)) return { kind: 'unknown' };
  const outcome = classifyFailure(failure);
  const isUnrecognized = outcome.kind === 'refused' && outcome.refusal.reason === 'unrecognized';
  return isUnrecognized ? { kind: 'unknown' } : outcome;
}

/** Only an operation knows ApplicationIDs. Any other text means that the URL is wrong, which an operator must fix. */
function classifyNotFound(failure: Failure): Outcome<never> {
  const outcome = classifyFailure(failure);
  const reason = outcome.kind === 'refused' ? outcome.refusal.reason : 'unrecognized';
  const isAboutApplication = reason === 'application-id-missing' || isUnknownApplication(reason);
  return isAboutApplication ? outcome : refused('request-malformed');
}

const authenticationCodes: ReadonlySet<string> = new Set([
  'INVALID_SESSION_ID',
  'INVALID_AUTH_HEADER',
  'INVALID_LOGIN',
]);

/** The platform's code also appears at the start of a message: `REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.` */
function isThrottled(
  { status, headers }: TransportResponse,
  code: string | undefined,
  text: string,
): boolean {
  if (status === 429 || code === 'REQUEST_LIMIT_EXCEEDED') return true;
  if (/^REQUEST_LIMIT_EXCEEDED\b/.test(text)) return true;
  return status === 503 && headers['retry-after'] !== undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** No operation has this URL, or it does not accept POST: one of our URLs or names is wrong. */
function isNotFound(status: number): boolean {
  return status === 404 || status === 405;
}

/** The platform writes an id with 15 characters, or with 18 if it appends three check characters. */
function isSameId(first: string, second: string): boolean {
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first];
  const isShortForm = shorter.length === 15 && longer.length === 18;
  return shorter === longer || (isShortForm && longer.startsWith(shorter));
}

function toPreApprovalStatus(text: string | undefined): PreApproval['status'] | undefined {
  const status = text?.toLowerCase().replaceAll(/[\s_-]+/g, '-');
  return status === 'qualified' || status === 'not-qualified' ? status : undefined;
}

/** Keeps the funding service's order. Anything but a list is an empty list; items that are not objects are left out. */
export function toOffers(value: unknown): readonly Offer[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    const offer = readObject(item);
    if (!offer) return [];
    return {
      // An offer without an id is shown too.
      id: readText(offer['OfferId']) ?? `offer-${index + 1}`,
      product: readText(offer['Product']) ?? null,
      amount: readNumber(offer['Loan_Amount']),
      termMonths: readNumber(offer['Est_Term']),
      paymentFrequency: readText(offer['Payment_Frequency']) ?? null,
      paymentAmount: readNumber(offer['Est_Payment_Amount']),
      monthlyRate: readNumber(offer['Monthly_Rate']),
      aprLow: readNumber(offer['APR_Range_Low']),
      aprHigh: readNumber(offer['APR_Range_High']),
      feeLow: readNumber(offer['Fee_Range_Low']),
      feeHigh: readNumber(offer['Fee_Range_High']),
      disclosures: readUntrimmedText(offer['Funding_Disclosures']) ?? null,
      totalCost: readNumber(offer['Total_Cost_of_Loan']),
      centsOnTheDollar: readNumber(offer['Cents_on_the_Dollar']),
      totalInterest: readNumber(offer['Total_Interest_Cost']),
    };
  });
}

/** The platform's ids have 15 or 18 characters. A match without a digit is a long word. */
const idPattern = /(?<![\w-])(?=[A-Za-z]*\d)(?:[A-Za-z0-9]{15}|[A-Za-z0-9]{18})(?![\w-])/;
const idNamePattern = /^(application|app|lead)_?id$/i;
/** Only this many characters of a text are searched. */
const maxSearchedLength = 2_000;

/**
 * Finds what may be the ApplicationID of the earlier lead in a response that refuses a duplicate ID: in a field of that
 * name, in the tracking URL, or in the message. Use it only after `verifyReference`.
 */
export function findCandidateId(body: JsonObject): string | undefined {
  const trackingUrl = readText(body['pURL']) ?? '';
  const parsedUrl = URL.parse(trackingUrl);
  return (
    findNamedId(Object.entries(body)) ??
    findNamedId(parsedUrl?.searchParams ?? []) ??
    findIdInText(parsedUrl ? trackingUrl : undefined) ??
    findIdInText(readText(body['ResponseText'] ?? body['message']))
  );
}

function findNamedId(entries: Iterable<readonly [string, unknown]>): string | undefined {
  const named = [...entries].filter(([name]) => idNamePattern.test(name));
  return named.map(([, value]) => readId(value)).find((id) => id !== undefined);
}

function findIdInText(text: string | undefined): string | undefined {
  return idPattern.exec(text?.slice(0, maxSearchedLength) ?? '')?.[0];
}

/** Parses a body tolerantly: JSON inside a JSON string is parsed too. Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''));
  return typeof value === 'string' ? (tryParseJson(value) ?? value) : value;
}

export function readObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // An object has string keys, and its values stay unknown.
  return isObject ? (value as JsonObject) : undefined;
}

/** Trimmed text, or a number as text. Undefined for anything else and for blank text. */
export function readText(value: unknown): string | undefined {
  return readUntrimmedText(value)?.trim();
}

function readUntrimmedText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() ? value : undefined;
}

/** An id that can be sent in a header: 1 to 100 printable ASCII characters without spaces. */
export function readId(value: unknown): string | undefined {
  const id = readText(value);
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined;
}

/** A boolean, or the text `true` or `false` in any case. */
export function readBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  return word === false || word === 'false' ? false : undefined;
}

/** Longer texts are not numbers, and would keep the patterns below busy for hours. */
const maxNumberLength = 60;

/**
 * A finite number, or numeric text such as `"12.5"`, `"1.2E5"`, `"$1,250.00"`, or `"9.5%"`; otherwise null. Commas must
 * group thousands: `"12,5"` is ambiguous, so it is not a number.
 */
export function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? parseNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function parseNumber(text: string): number | undefined {
  if (text.length > maxNumberLength) return undefined;
  const bare = text
    .trim()
    .replace(/^(-?)\s*\$\s*/, '$1')
    .replace(/\s*%$/, '');
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) return Number(bare.replaceAll(',', ''));
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(bare) ? Number(bare) : undefined;
}

/** True for an HTML page, by its content type or its first character. */
export function isHtml(response: TransportResponse): boolean {
  return /html/i.test(response.headers['content-type'] ?? '') || /^\s*</.test(response.text);
}
