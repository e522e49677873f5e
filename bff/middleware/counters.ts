// Counters for `/metrics`: responses by status, and refusals by reason.

import { Counter } from 'prom-client';
import { problems } from '../../shared/api/problems.ts';
import { scanFailures, type ScanFailure } from '../documents/clamd.ts';
import { documentRefusals, type DocumentRefusal } from '../documents/refusals.ts';
import {
  inspectionFailures,
  unavailableReasons,
  type InspectionFailure,
  type InspectionUnavailableError,
} from '../documents/inspection-pool.ts';
import { originRefusals, type OriginRefusal } from './origin-gate.ts';
import { limitNames, type LimitName } from './rate-limits.ts';
import { sessionRefusals, type SessionRefusal } from './session.ts';

export const botCheckFailures = [
  'honeypot',
  'too-soon',
  'challenge',
  'challenge-unavailable',
] as const;

export type BotCheckFailure = (typeof botCheckFailures)[number];

export interface Counters {
  countResponse(status: number): void;
  countOriginRefusal(reason: OriginRefusal): void;
  /** Counts requests with a session cookie or token, valid or not. */
  countPresentedSession(): void;
  countSessionRefusal(reason: SessionRefusal): void;
  countRateLimit(limit: LimitName): void;
  countBotCheckFailure(check: BotCheckFailure): void;
  countDocumentRefusal(reason: DocumentRefusal): void;
  /** Counts inspection attempts that ended without a verdict. */
  countInspectionFailure(
    reason: InspectionFailure['reason'] | InspectionUnavailableError['reason'],
  ): void;
  countScannerFailure(reason: ScanFailure): void;
  readonly metrics: readonly Counter[];
}

const responseStatuses = new Set([
  '200',
  ...Object.values(problems).map(({ status }) => `${status}`),
]);

export function createCounters(): Counters {
  const responses = createCounter(
    'funding_requests_total',
    'HTTP requests by response status.',
    responseStatuses,
    'status',
  );
  const origin = createCounter(
    'funding_origin_gate_refusals_total',
    'Requests to /v1 that the origin gate refused.',
    originRefusals,
  );
  const session = createCounter(
    'funding_session_refusals_total',
    'Session cookies and tokens that were refused.',
    sessionRefusals,
  );
  const presented = new Counter({
    name: 'funding_sessions_presented_total',
    help: 'Requests to /v1 with a session cookie or token, valid or not.',
    registers: [],
  });
  const rateLimited = createCounter(
    'funding_rate_limited_total',
    'Requests that exceeded a limit.',
    limitNames,
    'limit',
  );
  const botCheck = createCounter(
    'funding_bot_check_failures_total',
    'Applications that failed a bot check.',
    botCheckFailures,
    'check',
  );
  const document = createCounter(
    'funding_document_refusals_total',
    'Documents that were refused for their name or content.',
    documentRefusals,
  );
  const inspection = createCounter(
    'funding_inspection_failures_total',
    'Document inspections that ended without a verdict.',
    new Set([...inspectionFailures, ...unavailableReasons]),
  );
  const scanner = createCounter(
    'funding_scanner_failures_total',
    'Documents that the virus scanner could not check.',
    scanFailures,
  );

  return {
    countResponse: (status) => responses.inc({ status }),
    countOriginRefusal: (reason) => origin.inc({ reason }),
    countPresentedSession: () => presented.inc(),
    countSessionRefusal: (reason) => session.inc({ reason }),
    countRateLimit: (limit) => rateLimited.inc({ limit }),
    countBotCheckFailure: (check) => botCheck.inc({ check }),
    countDocumentRefusal: (reason) => document.inc({ reason }),
    countInspectionFailure: (reason) => inspection.inc({ reason }),
    countScannerFailure: (reason) => scanner.inc({ reason }),
    metrics: [
      responses,
      origin,
      session,
      presented,
      rateLimited,
      botCheck,
      document,
      inspection,
      scanner,
    ],
  };
}

/** Starts every label at 0: Prometheus's `rate()` ignores the first sample of a new series. */
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
