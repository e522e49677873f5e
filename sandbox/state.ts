// Everything the sandbox has received and issued, in memory.

import type { Lead } from '../shared/funding-service/lead.ts';
import type { AssetReportJson } from '../shared/funding-service/asset-report.ts';
import type { Fault } from './faults.ts';
import type { ErrorRowId } from './errors.ts';
import type { OperationId } from './operation-ids.ts';
import type { Outcome, Tag } from './scenarios.ts';

/** Times are epoch milliseconds of the sandbox's clock. */
export interface LeadRecord {
  readonly applicationId: string;
  /** The partner's own `ID`. */
  readonly referenceId: string;
  readonly trackingUrl: string;
  readonly createdAtMs: number;
  readonly lead: Lead;
  /** The body as it arrived. */
  readonly receivedText: string;
  /** Fields the spec does not know, as paths; they are not stored in `lead`. */
  readonly ignoredFields: readonly string[];
  readonly tags: readonly Tag[];
  outcome: Outcome;
  contactPreference: 'contact-allowed' | 'do-not-contact';
  owner: string;
  readonly history: LeadEvent[];
}

export interface LeadEvent {
  readonly atMs: number;
  readonly event: string;
}

export interface DocumentRecord {
  readonly documentId: string;
  readonly applicationId: string;
  readonly receivedAtMs: number;
  readonly name: string;
  readonly ext: string;
  readonly category: string;
  readonly content: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface AssetReportRecord {
  readonly assetReportId: string;
  readonly applicationId: string;
  readonly receivedAtMs: number;
  /** The value of `assetReportJson`, character by character as it arrived. */
  readonly receivedText: string;
  readonly assetReportJson: unknown;
  /** The report once more when it holds every field of the specification. */
  readonly completeReport: AssetReportJson | undefined;
  /** JSON Pointers to what a complete report would hold besides. */
  readonly incomplete: readonly string[];
}

export interface CallRecord {
  readonly callId: number;
  readonly atMs: number;
  readonly operation: OperationId;
  /** An allow-list of headers; of Authorization only whether the token was good. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBytes: number;
  readonly status: number;
  /** `ok`, the id of an error row, or `broken` for an answer no operation would give. */
  readonly outcome: 'ok' | 'broken' | ErrorRowId;
  /** The fault that was played, if any. */
  readonly fault: Fault['kind'] | undefined;
  readonly applicationId: string | undefined;
  /** Real time, not the sandbox's clock. */
  readonly durationMs: number;
}

export interface SandboxState {
  readonly leads: Map<string, LeadRecord>;
  readonly applicationIdsByReference: Map<string, string>;
  /** Attempts at Create Lead that an `[outage]` has turned away, by reference id. */
  readonly turnedAway: Map<string, number>;
  readonly documents: Map<string, DocumentRecord>;
  readonly assetReports: Map<string, AssetReportRecord>;
  /** Token to its time of issue. */
  readonly tokens: Map<string, number>;
  readonly calls: CallRecord[];
  /** Calls since the start, the forgotten ones included. */
  callCount: number;
  readonly faults: Fault[];
}

/** The oldest calls are forgotten past this many. */
export const maxCalls = 1_000;

export function createState(): SandboxState {
  return {
    leads: new Map(),
    applicationIdsByReference: new Map(),
    turnedAway: new Map(),
    documents: new Map(),
    assetReports: new Map(),
    tokens: new Map(),
    calls: [],
    callCount: 0,
    faults: [],
  };
}

/** Forgets everything received; tokens stay, so that a partner's session survives a reset between two tests. */
export function resetState(state: SandboxState): void {
  const { leads, applicationIdsByReference, turnedAway, documents, assetReports } = state;
  for (const map of [leads, applicationIdsByReference, turnedAway, documents, assetReports]) {
    map.clear();
  }
  state.calls.length = 0;
  state.callCount = 0;
  state.faults.length = 0;
}
