// How many requests were answered, how many requests and documents were turned away, and why, for `/metrics`.

import { Counter } from 'prom-client';
import { problems } from '../../shared/api/problems.ts';
import { limitNames, type LimitName } from './rate-limits.ts';
import { scanFailures, type ScanFailure } from '../documents/clamd.ts';
import { documentRefusals, type DocumentRefusal } from '../documents/refusals.ts';
import {
  inspectionFailures,
  unavailableReasons,
  type InspectionFailure,
  type InspectionUnavailableError,
} from '../documents/inspection-pool.ts';
import { gateRefusals, type GateRefusal } from './origin-gate.ts';
import { sessionRefusals, type SessionRefusal } from './session.ts';

export const botCheckFailures = [
  'honeypot',
  'too-soon',
  'challenge',
  'challenge-unavailable',
] as const;

const answerStatuses = new Set([
  '200',
  ...Object.values(problems).map(({ status }) => `${status}`),
]);

/**
 * Log events for refused requests. The log writes at most one per minute for each reason. `refused` counts the refusals since
 * the previous event.
 */
export type RefusalEvent =
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
      readonly event: 'rate-limited';
      readonly requestId: string;
      readonly limit: LimitName;
      readonly refused: number;
    };

export type BotCheckFailure = (typeof botCheckFailures)[number];

export interface Counters {
  /** Any answer, by its HTTP status. */
  countAnswer(status: number): void;
  countGateRefusal(reason: GateRefusal): void;
  /** A request came with a session, living or not: what the refusals are a share of. */
  countPresentedSession(): void;
  countSessionRefusal(reason: SessionRefusal): void;
  countRateLimit(limit: LimitName): void;
  /** An application that a program may have sent. */
  countBotCheckFailure(sign: BotCheckFailure): void;
  countDocumentRefusal(reason: DocumentRefusal): void;
  /** An attempt to inspect a document that ended without a verdict. */
  countInspectionFailure(
    reason: InspectionFailure['reason'] | InspectionUnavailableError['reason'],
  ): void;
  /** Nobody could say whether a document is clean, at an attempt to send it. */
  countScannerFailure(reason: ScanFailure): void;
  /** To be registered by what writes the metrics. */
  readonly metrics: readonly Counter[];
}

/** Each reason begins at 0: a counter that appears with its first refusal hides that one from `rate()`. */
export function createCounters(): Counters {
  const answers = createCounter(
    'funding_requests_total',
    'Requests, by the status of their answers.',
    answerStatuses,
    'status',
  );
  const gate = createCounter(
    'funding_gate_refusals_total',
    'Requests to /v1 that no page of ours can have sent.',
    gateRefusals,
  );
  const session = createCounter(
    'funding_session_refusals_total',
    'Sessions that came with a request and were refused.',
    sessionRefusals,
  );
  const limited = createCounter(
    'funding_rate_limited_total',
    'Requests to /v1 beyond a limit.',
    limitNames,
    'limit',
  );
  const automation = createCounter(
    'funding_automation_refusals_total',
    'Applications that were not taken because a program may have sent them.',
    botCheckFailures,
    'sign',
  );
  const presented = new Counter({
    name: 'funding_sessions_presented_total',
    help: 'Requests to /v1 that came with a session, living or not.',
    registers: [],
  });
  const document = createCounter(
    'funding_document_refusals_total',
    'Documents that were refused for what they are.',
    documentRefusals,
  );
  const inspection = createCounter(
    'funding_inspection_failures_total',
    'Attempts to inspect a document that ended without a verdict.',
    new Set([...inspectionFailures, ...unavailableReasons]),
  );
  const scanner = createCounter(
    'funding_scanner_failures_total',
    'Attempts to send a document that the virus scanner left unanswered.',
    scanFailures,
  );

  return {
    countAnswer: (status) => answers.inc({ status }),
    countGateRefusal: (reason) => gate.inc({ reason }),
    countPresentedSession: () => presented.inc(),
    countSessionRefusal: (reason) => session.inc({ reason }),
    countRateLimit: (limit) => limited.inc({ limit }),
    countDocumentRefusal: (reason) => document.inc({ reason }),
    countInspectionFailure: (reason) => inspection.inc({ reason }),
    countScannerFailure: (reason) => scanner.inc({ reason }),
    countBotCheckFailure: (sign) => automation.inc({ sign }),
    metrics: [
      answers,
      gate,
      session,
      presented,
      limited,
      automation,
      document,
      inspection,
      scanner,
    ],
  };
}

function createCounter(
  name: string,
  help: string,
  values: Iterable<string>,
  label = 'reason',
): Counter {
  const counter = new Counter({ name, help, labelNames: [label], registers: [] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}
