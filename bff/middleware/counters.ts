// Counters for `/metrics`: responses by status, and refusals by reason.

import { Counter, Histogram, Registry } from 'prom-client';
import { handoffStates } from '../../shared/api/handoff.ts';
import { problems } from '../../shared/api/problems.ts';
import {
  partnerOperations,
  type PartnerOperation,
} from '../../shared/funding-service/operations.ts';
import { scanFailures } from '../documents/clamd.ts';
import { documentRefusals } from '../documents/refusals.ts';
import { inspectionFailures, unavailableReasons } from '../documents/inspection-pool.ts';
import type { Outcome } from '../funding-service/funding-service.ts';
import { deliveryKinds, type DeliveryKind } from '../store/store.ts';
import { originRefusals } from './origin-gate.ts';
import { limitNames } from './rate-limits.ts';
import { sessionRefusals } from './session.ts';

const responseStatuses = [200, ...Object.values(problems).map(({ status }) => status)];

/** Outcomes of a call to the funding service. */
const outcomes = [
  'accepted',
  'refused',
  'authentication',
  'throttled',
  'not-sent',
  'unknown',
] as const satisfies readonly Outcome<unknown>['kind'][];

/** The states of a row after an attempt. */
const resultStates = ['accepted', 'rejected', 'waiting', 'unconfirmed', 'held'] as const;

/** From a fast answer to the timeout of a large upload, in seconds. */
const durationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Each method adds one to a metric. Its argument is the value of the metric's label. */
export class Counters {
  readonly registry = new Registry();

  readonly countResponse = this.#create<number>(
    'funding_requests_total',
    'HTTP requests by response status.',
    responseStatuses,
    'status',
  );
  readonly countOriginRefusal = this.#create(
    'funding_origin_gate_refusals_total',
    'Requests to /v1 that the origin gate refused.',
    originRefusals,
  );
  readonly countSessionRefusal = this.#create(
    'funding_session_refusals_total',
    'Session cookies and tokens that were refused.',
    sessionRefusals,
  );
  readonly countRateLimit = this.#create(
    'funding_rate_limited_total',
    'Requests that exceeded a limit.',
    limitNames,
    'limit',
  );
  readonly countBotCheckFailure = this.#create(
    'funding_bot_check_failures_total',
    'Applications that failed a bot check.',
    ['honeypot', 'too-soon', 'challenge', 'challenge-unavailable'],
    'check',
  );
  readonly countDocumentRefusal = this.#create(
    'funding_document_refusals_total',
    'Documents that were refused for their name or content.',
    documentRefusals,
  );
  /** Counts inspection attempts. */
  readonly countInspectionFailure = this.#create(
    'funding_inspection_failures_total',
    'Document inspections that ended without a verdict.',
    [...inspectionFailures, ...unavailableReasons],
  );
  readonly countScannerFailure = this.#create(
    'funding_scanner_failures_total',
    'Documents that the virus scanner could not check.',
    scanFailures,
  );
  readonly countHandoff = this.#create(
    'funding_handoffs_total',
    'Handoffs to a phone that reached a state. Ends by time are not counted.',
    handoffStates.filter((state) => state !== 'none' && state !== 'expired'),
    'state',
  );
  readonly countEventAttempt = this.#create(
    'funding_event_attempts_total',
    'Attempts to send an event to WEBHOOK_URL or to the hook onStatus, by their result.',
    ['sent', 'failed', 'given-up'],
    'result',
  );
  readonly #deliveries = new Counter({
    name: 'funding_deliveries_total',
    help: 'Attempts to deliver a row, by the state of the row after the attempt.',
    labelNames: ['kind', 'state'],
    registers: [this.registry],
  });
  readonly #calls = new Counter({
    name: 'funding_calls_total',
    help: 'Calls to the funding service by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers: [this.registry],
  });
  readonly #callDurations = new Histogram({
    name: 'funding_call_duration_seconds',
    help: 'Duration of the calls to the funding service, in seconds.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers: [this.registry],
  });
  readonly #presentedSessions = new Counter({
    name: 'funding_sessions_presented_total',
    help: 'Requests to /v1 with a session cookie or token, valid or not.',
    registers: [this.registry],
  });

  constructor() {
    for (const kind of deliveryKinds) {
      for (const state of resultStates) {
        // The ApplicationID of an attachment is known.
        if (kind === 'application' || state !== 'unconfirmed') {
          this.#deliveries.inc({ kind, state }, 0);
        }
      }
    }
    for (const operation of partnerOperations) {
      this.#callDurations.zero({ operation });
      for (const outcome of outcomes) this.#calls.inc({ operation, outcome }, 0);
    }
  }

  countDelivery(kind: DeliveryKind, state: (typeof resultStates)[number]): void {
    this.#deliveries.inc({ kind, state });
  }

  countCall(
    operation: PartnerOperation,
    outcome: (typeof outcomes)[number],
    seconds: number,
  ): void {
    this.#calls.inc({ operation, outcome });
    this.#callDurations.observe({ operation }, seconds);
  }

  countPresentedSession(): void {
    this.#presentedSessions.inc();
  }

  /** Starts every value at 0: Prometheus's `rate()` ignores the first sample of a new series. */
  #create<Value extends string | number>(
    name: string,
    help: string,
    values: readonly Value[],
    label = 'reason',
  ): (value: Value) => void {
    const registers = [this.registry];
    const counter = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value) => counter.inc({ [label]: value });
  }
}
