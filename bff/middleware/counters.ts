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

const responseStatuses = [
  '200',
  ...new Set(Object.values(problems).map(({ status }) => `${status}`)),
];

export function createCounters(): Counters {
  const metrics: Counter[] = [];

  /** Starts every label at 0: Prometheus's `rate()` ignores the first sample of a new series. */
  function create<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value) => void {
    const counter = new Counter({ name, help, labelNames: [label], registers: [] });
    for (const value of values) counter.inc({ [label]: value }, 0);
    metrics.push(counter);
    return (value) => counter.inc({ [label]: value });
  }

  const countStatus = create(
    'funding_requests_total',
    'HTTP requests by response status.',
    'status',
    responseStatuses,
  );
  const presented = new Counter({
    name: 'funding_sessions_presented_total',
    help: 'Requests to /v1 with a session cookie or token, valid or not.',
    registers: [],
  });
  metrics.push(presented);
  return {
    countResponse: (status) => countStatus(`${status}`),
    countPresentedSession: () => presented.inc(),
    countOriginRefusal: create(
      'funding_origin_gate_refusals_total',
      'Requests to /v1 that the origin gate refused.',
      'reason',
      originRefusals,
    ),
    countSessionRefusal: create(
      'funding_session_refusals_total',
      'Session cookies and tokens that were refused.',
      'reason',
      sessionRefusals,
    ),
    countRateLimit: create(
      'funding_rate_limited_total',
      'Requests that exceeded a limit.',
      'limit',
      limitNames,
    ),
    countBotCheckFailure: create(
      'funding_bot_check_failures_total',
      'Applications that failed a bot check.',
      'check',
      botCheckFailures,
    ),
    countDocumentRefusal: create(
      'funding_document_refusals_total',
      'Documents that were refused for their name or content.',
      'reason',
      documentRefusals,
    ),
    countInspectionFailure: create(
      'funding_inspection_failures_total',
      'Document inspections that ended without a verdict.',
      'reason',
      [...inspectionFailures, ...unavailableReasons],
    ),
    countScannerFailure: create(
      'funding_scanner_failures_total',
      'Documents that the virus scanner could not check.',
      'reason',
      scanFailures,
    ),
    metrics,
  };
}
