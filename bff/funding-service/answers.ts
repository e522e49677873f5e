// From an answer of the service to an outcome: failures are read from the body first, then from the status.

import { toJson } from '../runtime/json.ts';
import { classifyText, type TextPatterns } from './failure-texts.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type {
  LeadCreated,
  Outcome,
  PreApproval,
  PreApprovalOfferRead,
  RefusalReason,
} from './funding-service.ts';
import { toRetryAfterMs, type TransportAnswer } from './transport.ts';

type AnswerBody = Readonly<Record<string, unknown>>;

export interface AnswerContext {
  readonly operation: PartnerOperation;
  readonly patterns: TextPatterns;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Turns an answer's body into what proves success, or `unknown`. `succeeded` is the body's own flag; it is `undefined`
 * when the body has none.
 */
export type Prove<Value> = (body: AnswerBody, succeeded: boolean | undefined) => Outcome<Value>;

/** Classifies one answer; `prove` reads the value that the operation returns when it succeeds. */
export function readAnswer<Value>(
  answer: TransportAnswer,
  context: AnswerContext,
  prove: Prove<Value>,
): Outcome<Value> {
  const parsed = parseJson(answer.text);
  const platformError = readPlatformError(parsed);
  const body = readObject(parsed);
  const succeeded = readBoolean(body?.['IsSuccessful'] ?? body?.['success']);
  const text =
    platformError?.message ??
    readText(body?.['ResponseText'] ?? body?.['ResponseMessage'] ?? body?.['message']) ??
    '';
  if (isThrottled(answer, platformError?.code, text)) {
    return {
      kind: 'throttled',
      retryAfterMs: toRetryAfterMs(answer.headers['retry-after'], context.now),
    };
  }
  if (answer.status === 401 || authenticationCodes.has(platformError?.code ?? '')) {
    return { kind: 'authentication' };
  }
  if (platformError) return readPlatformFailure(answer, context, text);
  if (succeeded === false) return readFailure(answer, context, text, { isOperationFailure: true });
  if (body && isSuccessStatus(answer)) return prove(body, succeeded);
  if (isNowhere(answer)) return readNowhere(answer, context, text);
  // A 4xx with the operation's own message is its answer, even without the flag.
  if (isRefusalStatus(answer) && succeeded === undefined && text) {
    return readFailure(answer, context, text);
  }
  // The server says so before it processes anything (RFC 9110 section 15.5.14).
  if (answer.status === 413) return refused('too-large');
  return { kind: 'unknown' };
}

/** Create Lead: an ApplicationID, and our own ID echoed, which may only be absent when the flag says success. */
export function proveLeadCreated(referenceId: string): Prove<LeadCreated> {
  return (body, succeeded) => {
    const applicationId = readId(body['ApplicationID']);
    const echoed = readText(body['ReferenceID']);
    const isOurs = echoed !== undefined && isSameReference(echoed, referenceId);
    if (!applicationId || (echoed !== undefined && !isOurs)) return { kind: 'unknown' };
    if (!succeeded && !isOurs) return { kind: 'unknown' };
    return accepted({ applicationId, trackingUrl: readText(body['pURL']) });
  };
}

/** Get Pre-Approval Offer: one of the two statuses; or the text of its third outcome, should the data be missing. */
export const provePreApproval: Prove<PreApproval> = (body, succeeded) => {
  const data = readObject(body['PreApproval_Data']);
  const status = toPreApprovalStatus(readText(data?.['PreApproval_Status']));
  const isTooEarly = /no related pre-?approval offers/i.test(readText(body['ResponseText']) ?? '');
  if (!status && !(succeeded && isTooEarly)) return { kind: 'unknown' };
  return accepted({
    status: status ?? 'qualified',
    offers: toOffers(data?.['PreApproval_Offers']),
    referenceId: readText(body['ReferenceID']),
    trackingUrl: readText(body['pURL']),
  });
};

/** Contact User: the flag is all there is. */
export const proveContactEnabled: Prove<undefined> = (_body, succeeded) =>
  succeeded ? accepted(undefined) : { kind: 'unknown' };

export const proveAssetReport: Prove<{ readonly assetReportId: string }> = (body) => {
  const assetReportId = readId(body['assetReportId']);
  return assetReportId ? accepted({ assetReportId }) : { kind: 'unknown' };
};

/** Upload File: a DocumentId; `ReferenceID` is the lead's id and must not be another one. */
export function proveUploaded(applicationId: string): Prove<{ readonly documentId: string }> {
  return (body) => {
    const documentId = readId(body['DocumentId']);
    const echoed = readText(body['ReferenceID']);
    if (!documentId || (echoed && !isSameId(echoed, applicationId))) return { kind: 'unknown' };
    return accepted({ documentId });
  };
}

/** Whether the service echoes our reference. It is a UUID, which is the same in either case (RFC 9562 section 4). */
export function isSameReference(echoed: string, referenceId: string): boolean {
  return echoed.toLowerCase() === referenceId.toLowerCase();
}

/** No operation is at this address, or it takes no POST: one of our addresses or names is wrong. */
function isNowhere({ status }: TransportAnswer): boolean {
  return status === 404 || status === 405;
}

function refused(reason: RefusalReason): Outcome<never> {
  return { kind: 'refused', refusal: { reason } };
}

function accepted<Value>(value: Value): Outcome<Value> {
  return { kind: 'accepted', value };
}

/** Refusals that can end in erasure. They count only in the form that the specification documents; see `isDocumentedFailure`. */
const erasingReasons: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'missing-field',
  'invalid-field',
  'category-not-allowed',
  'asset-report-invalid',
]);

/** Refusals that disprove an ApplicationID. A server that fails cannot say what it does not have. */
const disprovingReasons: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'application-id-invalid',
  'application-not-found',
]);

/**
 * The form in which operations report failures (spec, "Errors"): their own body with the flag set to false. Its HTTP status
 * is not shown, so 200, 400 and 422 count. 401, 403, 404, 409, 429 and 5xx speak of something else than the lead's values.
 */
function isDocumentedFailure(answer: TransportAnswer, isOperationFailure: boolean): boolean {
  const { status } = answer;
  return isOperationFailure && (isSuccessStatus(answer) || status === 400 || status === 422);
}

function readFailure(
  answer: TransportAnswer,
  context: AnswerContext,
  text: string,
  { isOperationFailure = false }: { readonly isOperationFailure?: boolean } = {},
): Outcome<never> {
  const meaning = classifyText(context.operation, text, context.patterns);
  if (meaning === 'authentication') return { kind: 'authentication' };
  const { reason } = meaning;
  if (erasingReasons.has(reason) && !isDocumentedFailure(answer, isOperationFailure)) {
    if (answer.status >= 500) return { kind: 'unknown' };
    return { kind: 'refused', refusal: { ...meaning, reason: 'unrecognized' } };
  }
  // A failing service may have done the work before it failed.
  if (answer.status >= 500 && (reason === 'unrecognized' || disprovingReasons.has(reason))) {
    return { kind: 'unknown' };
  }
  const candidateId = reason === 'duplicate-id' ? findCandidateId(answer.text) : undefined;
  const refusal = candidateId === undefined ? meaning : { ...meaning, candidateId };
  return { kind: 'refused', refusal };
}

/** An error of the platform below the operation. Only a text we know counts as a refusal; anything else may be an outage. */
function readPlatformFailure(
  answer: TransportAnswer,
  context: AnswerContext,
  text: string,
): Outcome<never> {
  if (isNowhere(answer)) return refused('request-malformed');
  const outcome = isRefusalStatus(answer) ? readFailure(answer, context, text) : undefined;
  if (!outcome) return { kind: 'unknown' };
  const isRecognized = outcome.kind !== 'refused' || outcome.refusal.reason !== 'unrecognized';
  return isRecognized ? outcome : { kind: 'unknown' };
}

/** Only an operation knows of applications; whatever else is said here ("… not allowed") is not about what was sent. */
function readNowhere(
  answer: TransportAnswer,
  context: AnswerContext,
  text: string,
): Outcome<never> {
  const outcome = readFailure(answer, context, text);
  const isOperation = outcome.kind === 'refused' && applicationReasons.has(outcome.refusal.reason);
  return isOperation ? outcome : refused('request-malformed');
}

const applicationReasons: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'application-id-missing',
  'application-id-invalid',
  'application-not-found',
]);

interface PlatformError {
  readonly code: string;
  readonly message: string;
}

const authenticationCodes: ReadonlySet<string> = new Set([
  'INVALID_SESSION_ID',
  'INVALID_AUTH_HEADER',
  'INVALID_LOGIN',
]);

/** `[{errorCode, message}]`, or one such object. */
function readPlatformError(parsed: unknown): PlatformError | undefined {
  const first = readObject(Array.isArray(parsed) ? parsed[0] : parsed);
  const code = readText(first?.['errorCode']);
  return code
    ? { code: code.toUpperCase(), message: readText(first?.['message']) ?? '' }
    : undefined;
}

/** The platform's code also stands in front of a message, as in `REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.` */
function isThrottled(answer: TransportAnswer, code: string | undefined, text: string): boolean {
  if (answer.status === 429 || code === 'REQUEST_LIMIT_EXCEEDED') return true;
  if (/^REQUEST_LIMIT_EXCEEDED\b/.test(text)) return true;
  return answer.status === 503 && answer.headers['retry-after'] !== undefined;
}

function isSuccessStatus({ status }: TransportAnswer): boolean {
  return status >= 200 && status < 300;
}

function isRefusalStatus({ status }: TransportAnswer): boolean {
  return status >= 400 && status < 500;
}

/** Platforms of this shape write one id with 15 characters or, with three check characters, with 18. */
function isSameId(first: string, second: string): boolean {
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first];
  return (
    shorter === longer ||
    (shorter.length === 15 && longer.length === 18 && longer.startsWith(shorter))
  );
}

function toPreApprovalStatus(text: string | undefined): PreApproval['status'] | undefined {
  const words = text?.toLowerCase().replaceAll(/[\s_-]+/g, ' ');
  if (words === 'qualified') return 'qualified';
  return words === 'not qualified' ? 'not-qualified' : undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

const maxFigureLength = 60;

/** The parsed body; `undefined` when it is no JSON. JSON text inside a JSON string is unpacked once. */
export function parseJson(text: string): unknown {
  const value = toJson(text.replace(/^\uFEFF/, ''));
  return typeof value === 'string' ? (toJson(value) ?? value) : value;
}

export function readObject(value: unknown): JsonObject | undefined {
  // The check makes it an object with string keys; its values stay unknown.
  return isObject(value) ? (value as JsonObject) : undefined;
}

/** Trimmed text, or a number as text; `undefined` when absent, null, empty or anything else. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

/** A text that is passed on as it came, blanks and lines at its ends included; one of blanks alone is none. */
export function readWholeText(value: unknown): string | undefined {
  return readText(value) === undefined ? undefined : String(value);
}

/** An identifier goes into headers and bodies later; one with blanks or line breaks is none. */
export function readId(value: unknown): string | undefined {
  const id = readText(value);
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined;
}

/** `true`, `"true"`, `"True"`, … */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

/**
 * A finite number or numeric text (`"12.5"`, `"1.2E5"`, `"$1,250.00"`, `"9.5%"`); else `null`. A comma counts only where it
 * groups thousands: `"12,5"` could mean two figures, so it is none.
 */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  // Longer than any figure; the patterns below would take hours over a text of megabytes.
  if (typeof value !== 'string' || value.length > maxFigureLength) return null;
  const bare = value
    .trim()
    .replace(/^(-?)\s*\$\s*/, '$1')
    .replace(/\s*%$/, '');
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) return Number(bare.replaceAll(',', ''));
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(bare) ? toFinite(Number(bare)) : null;
}

export function isHtml(answer: TransportAnswer): boolean {
  return /html/i.test(answer.headers['content-type'] ?? '') || /^\s*</.test(answer.text);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toFinite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Beyond this a text is no sentence any more. */
const maxTextLength = 2_000;
/** Ids on platforms of this shape: 15 characters, or 18 with their check characters. Without a digit it is a long word. */
const idPattern = /(?<![\w-])(?=[A-Za-z]*\d)(?:[A-Za-z0-9]{15}|[A-Za-z0-9]{18})(?![\w-])/;
const idNamePattern = /^(application|app|lead)_?id$/i;

/**
 * The first that is found in a field of that name, in the tracking address, or in the message. Nothing of the text around it
 * is kept, and only the service itself can say whether it is ours (`proveReference`).
 */
export function findCandidateId(answerText: string): string | undefined {
  const parsed = parseJson(answerText);
  const body = readObject(Array.isArray(parsed) ? parsed[0] : parsed) ?? {};
  return (
    findNamedId(Object.entries(body)) ??
    findInAddress(readText(body['pURL'])) ??
    findInText(readText(body['ResponseText'] ?? body['message']))
  );
}

function findNamedId(entries: Iterable<readonly [string, unknown]>): string | undefined {
  for (const [name, value] of entries) {
    const id = idNamePattern.test(name) ? readId(value) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function findInAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return findNamedId(new URL(address).searchParams) ?? findInText(address);
}

function findInText(text: string | undefined): string | undefined {
  return idPattern.exec(text?.slice(0, maxTextLength) ?? '')?.[0];
}

/** The offers in the service's order; anything that is no list is an empty one, an item that is no object is left out. */
export function toOffers(value: unknown): PreApprovalOfferRead[] {
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.flatMap((item, index) => {
    const offer = readObject(item);
    return offer ? [toOffer(offer, index)] : [];
  });
}

function toOffer(offer: Readonly<Record<string, unknown>>, index: number): PreApprovalOfferRead {
  return {
    // An offer is shown even if the service leaves out its id; its place in the list then names it.
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
    disclosures: readWholeText(offer['Funding_Disclosures']) ?? null,
    totalCost: readNumber(offer['Total_Cost_of_Loan']),
    centsOnTheDollar: readNumber(offer['Cents_on_the_Dollar']),
    totalInterest: readNumber(offer['Total_Interest_Cost']),
  };
}
