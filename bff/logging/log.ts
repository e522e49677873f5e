// The BFF's log: a closed list of typed events, so that no body, cookie, file name or upstream text can slip into a line.

import { type DestinationStream, pino } from 'pino';
import type { DeliveryEvent } from '../delivery/delivery-events.ts';
import type { DocumentRefusal } from '../documents/document-types.ts';
import type { InspectionDetail } from '../documents/inspect-document.ts';
import type { InspectionFailure, InspectionFault } from '../documents/inspection-pool.ts';
import type { FundingServiceEvent } from '../funding-service/funding-service.ts';
import type { AddressDoubt } from '../middleware/client-address.ts';
import type { GateRefusal } from '../middleware/origin-gate.ts';
import type { LimitName } from '../middleware/rate-limits.ts';
import type { SessionRefusal } from '../middleware/session.ts';
import type { RetentionEvent } from '../store/retention-worker.ts';
import type { ChallengeFailure, ChallengeRefusal } from '../config/hooks.ts';

/** What happened. `reference` is the lead's ID; `error` is cut down to its kind and place before it is written. */
export type LogEvent =
  | { readonly event: 'stopping'; readonly signal: string }
  | { readonly event: 'stop-forced'; readonly afterMs: number }
  | { readonly event: 'crashed'; readonly error: unknown }
  /** Once a start. `store-created`: the store did not exist before. */
  | {
      readonly event: 'store-opened' | 'store-created';
      /** A path, or a database and its host. */
      readonly place: string;
      /** The first eight characters. */
      readonly storeId: string;
      /** ISO 8601. */
      readonly createdAt: string;
      /** Since the store was created. */
      readonly applicationsReceived: number;
    }
  /** The BFF went on without the commits of the log, which it does outside of production. */
  | { readonly event: 'store-log-missing'; readonly place: string }
  | {
      readonly event: 'request';
      readonly requestId: string;
      readonly method: string;
      /** The route's own pattern, never the address as it came. */
      readonly route: string;
      readonly status: number;
      readonly durationMs: number;
      /** A problem's code. */
      readonly code?: string;
      /**
       * Where not every request has a line, since anybody can send it: one a minute for each route and status. So many since
       * the last one, of which this is the latest.
       */
      readonly requests?: number;
    }
  /** These four: at most once a minute for each reason or limit; `refused` since the last one, of which this is the latest. */
  | {
      readonly event: 'gate-refused';
      readonly requestId: string;
      readonly reason: GateRefusal;
      readonly refused: number;
    }
  | {
      readonly event: 'session-refused';
      readonly requestId: string;
      readonly reason: SessionRefusal;
      readonly refused: number;
    }
  | {
      readonly event: 'challenge-refused';
      readonly requestId: string;
      readonly reason: ChallengeRefusal;
      readonly refused: number;
    }
  | {
      readonly event: 'rate-limited';
      readonly requestId: string;
      readonly limit: LimitName;
      readonly refused: number;
    }
  /** At most once an hour for each reason: limits by address, and the address as evidence, need a mended TRUSTED_PROXIES. */
  | {
      readonly event: 'client-address-doubtful';
      readonly requestId: string;
      readonly reason: AddressDoubt;
    }
  /** A document was refused for what it is; `detail` is what the inspection met. */
  | {
      readonly event: 'document-refused';
      readonly requestId: string;
      readonly code: DocumentRefusal;
      readonly detail: InspectionDetail | InspectionFailure['reason'];
    }
  /** An inspection ended without a verdict. After the first attempt there is another one. */
  | ({
      readonly event: 'inspection-failed';
      readonly requestId: string;
      readonly attempt: number;
    } & InspectionFailure)
  /** A document could not be inspected through a fault of ours; the applicant's browser sends it again. */
  | {
      readonly event: 'inspection-unavailable';
      readonly requestId: string;
      readonly reason: InspectionFault['reason'];
      readonly error: unknown;
    }
  /** Nothing is filed while this lasts. */
  | {
      readonly event: 'challenge-failed';
      readonly requestId: string;
      readonly reason: ChallengeFailure;
    }
  /** The partner's hook; the application goes without what it would have added. `fields`: those it may set, with a value the service does not take. */
  | {
      readonly event: 'enrichment-failed';
      readonly reference: string;
      readonly reason: 'unanswered' | 'threw' | 'unusable';
      readonly fields?: readonly string[];
      readonly error?: unknown;
    }
  | { readonly event: 'request-broken'; readonly requestId: string; readonly error: unknown }
  | { readonly event: 'reference-mismatch'; readonly reference: string }
  | DeliveryEvent
  | RetentionEvent
  | FundingServiceEvent;

export type Log = (event: LogEvent) => void;

/** @param destination default: the process's standard output, one JSON object a line. */
export function createLog(destination?: DestinationStream): Log {
  const options = {
    base: null,
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: scrubLine },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return ({ event, ...details }) => {
    const fields = 'error' in details ? { ...details, error: toTrace(details.error) } : details;
    logger[levels[event]](fields, event);
  };
}

type Level = 'info' | 'warn' | 'error';

const levels: Readonly<Record<LogEvent['event'], Level>> = {
  stopping: 'info',
  'stop-forced': 'error',
  crashed: 'error',
  'store-opened': 'info',
  'store-created': 'warn',
  'store-log-missing': 'error',
  request: 'info',
  'gate-refused': 'warn',
  'session-refused': 'info',
  'rate-limited': 'warn',
  'client-address-doubtful': 'warn',
  'document-refused': 'warn',
  'inspection-failed': 'warn',
  'inspection-unavailable': 'error',
  'challenge-refused': 'info',
  'challenge-failed': 'error',
  'enrichment-failed': 'error',
  'request-broken': 'error',
  'reference-mismatch': 'error',
  'tracking-url-refused': 'warn',
  'delivery-recorded': 'info',
  'delivery-rejected': 'warn',
  'delivery-refused': 'error',
  'delivery-held': 'error',
  'document-infected': 'warn',
  'document-unscanned': 'error',
  'possible-duplicate': 'warn',
  'row-unreadable': 'error',
  'lead-unconfirmed': 'error',
  'delivery-broken': 'error',
  'delivery-stalled': 'error',
  purged: 'info',
  'undelivered-erased': 'error',
  'retention-failed': 'error',
  'token-renewed': 'info',
  'token-unchanged': 'info',
  'login-refused': 'error',
  'login-answer-unreadable': 'error',
  'login-throttled': 'warn',
  'login-unreachable': 'warn',
  'login-paused': 'warn',
  'renewed-token-refused': 'error',
  'instance-url-ignored': 'error',
  'partner-headers-refused': 'error',
  'breaker-opened': 'error',
  'breaker-closed': 'info',
  'attempt-ended': 'info',
};

interface Trace {
  readonly name: string;
  readonly code?: string;
  readonly at?: readonly string[];
  readonly cause?: Trace;
}

/** An error may be its own cause. */
const deepestCause = 4;

/** Never throws: what a partner's hook throws is somebody else's, and telling of it must not cost more than it did. */
function toTrace(error: unknown, depth = 0): Trace {
  try {
    return readTrace(error, depth);
  } catch {
    return { name: 'unreadable' };
  }
}

/** An error's message may hold what somebody typed; its class, code and place do not. */
function readTrace(error: unknown, depth: number): Trace {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const at = error.stack
    ?.split('\n')
    .map((line) => /^\s+at .*?([^\s(/\\]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .slice(0, 8);
  const hasCause = error.cause !== undefined && depth < deepestCause;
  const cause = hasCause ? { cause: toTrace(error.cause, depth + 1) } : {};
  return { name: String(error.name), ...code, ...(at ? { at } : {}), ...cause };
}

/** With its quotes. No event holds as much: what is longer got there by mistake, and would take long to look through. */
const longestText = 4_096;

/** What is looked for inside the strings of a line, and the word that takes its place. Order matters: the longer forms come first. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ['[seal]', /Fe26\.\d+\*[\w*.=~-]*/g],
  ['[token]', /\b(?:Bearer|Basic|Funding)\s+[^\s"\\]+/gi],
  ['[token]', /\b00D[A-Za-z0-9]{9,15}![^\s"\\]+/g],
  ['[base64]', /[A-Za-z0-9+/_-]{200,}={0,2}/g],
  ['[email]', /[^\s@"\\<>]{1,64}@[^\s@"\\<>]{1,253}\.[A-Za-z]{2,}/g],
  // Of nine digits alone or in the groups people write; never a part of an id, whose groups are joined by hyphens too.
  ['[ssn]', /(?<![\w.-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g],
  ['[ein]', /(?<![\w.-])\d{2}[- ]\d{7}(?![\w-])/g],
  ['[9 digits]', /(?<![\w.:-])\d{9}(?![\w-])/g],
  ['[date]', /(?<![\w-])(?:18|19|20)\d{2}-\d{2}-\d{2}(?![\w-])/g],
  ['[phone]', /(?<![\w-])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g],
];

/**
 * The line with each shape replaced: Social Security and employer numbers, dates, phone numbers, e-mail addresses, tokens, session
 * seals, long Base64. Only inside its JSON strings, so that it stays JSON. A shape is a guess, so this is no licence to log
 * freely: events are typed, and this catches what a mistake in one of them lets through (CWE-532). Of a string of more than
 * 4,096 characters only the length is left: looking through it would hold up the thread that serves (CWE-1333).
 */
export function scrubLine(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/g, scrubText);
}

function scrubText(text: string): string {
  if (text.length > longestText) return `"[${text.length - 2} characters]"`;
  return shapes.reduce((scrubbed, [word, shape]) => scrubbed.replaceAll(shape, word), text);
}
