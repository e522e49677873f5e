// The sandbox: its settings, its clock, the records it received, and the tokens it issued.

import { randomBytes as cryptoRandomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetReportJson } from '../shared/funding-service/asset-report.ts';
import type { Lead } from '../shared/funding-service/lead.ts';
import type { Operation } from '../shared/funding-service/operations.ts';
import type { ErrorRowId } from './errors.ts';
import type { Fault } from './faults.ts';
import type { PreviewType } from './preview.ts';
import type { Outcome, Tag } from './scenarios.ts';

export const failureStatuses = ['body', 'http'] as const;

/**
 * How failures are sent. `body`: with status 200, and only the body reports the failure. `http`: with a 4xx or 5xx status.
 * The spec does not say which of the two the real service does ("HTTP status codes for failures: not shown").
 */
export type FailureStatus = (typeof failureStatuses)[number];

export interface SandboxOptions {
  /** Default `body`. */
  readonly failureStatus?: FailureStatus;
  /** The aggregation provider's name. It completes one document category and the asset report path. Default `Aggregator`. */
  readonly aggregatorName?: string;
  /** How long a qualified lead has no offers, on the sandbox's clock. Default 12,000. */
  readonly offerDelayMs?: number;
  /** If true, the funding service has enabled offers for the partner (spec, operation 3). Default true. */
  readonly areOffersEnabled?: boolean;
  /** Returns epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number;
  /** Source of ids and tokens. Default `crypto.randomBytes`. */
  readonly randomBytes?: RandomBytes;
  /** Waits before slow responses. Default a timer. */
  readonly delay?: (ms: number) => Promise<void>;
}

export type RandomBytes = (size: number) => Uint8Array;

export interface SandboxContext {
  readonly settings: {
    readonly failureStatus: FailureStatus;
    readonly aggregatorName: string;
    readonly offerDelayMs: number;
    readonly areOffersEnabled: boolean;
  };
  readonly clock: SandboxClock;
  readonly randomBytes: RandomBytes;
  readonly delay: (ms: number) => Promise<void>;
  readonly state: SandboxState;
  /** Saves a change before its response is sent. Does nothing unless a data file is open. */
  save: (change: Change) => void;
}

/** Names the records that changed. Calls, actions, faults, tokens, and the clock are always saved. */
export interface Change {
  readonly applicationId?: string | undefined;
  /** A new document or bank report. */
  readonly recordId?: string | undefined;
  readonly isReset?: boolean;
}

/** The machine's time plus an offset that tests and the console change. */
export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that the clock is ahead of the machine's time. Negative if it is behind. */
  offsetMs(): number;
  advance(ms: number): void;
  setTo(epochMs: number): void;
  reset(): void;
}

/** All times are epoch milliseconds of the sandbox's clock. */
export interface SandboxState {
  readonly leads: Map<string, LeadRecord>;
  readonly applicationIdsByReference: Map<string, string>;
  /** Number of Create Lead requests that the `outage` scenario has rejected, by the partner's `ID`. */
  readonly outageRejections: Map<string, number>;
  readonly documents: Map<string, DocumentRecord>;
  readonly assetReports: Map<string, AssetReportRecord>;
  /** Time of issue by token. */
  readonly tokens: Map<string, number>;
  /** The latest calls, oldest first; at most `maxCalls`. */
  readonly calls: CallRecord[];
  /** Number of calls since the last reset, including those no longer in `calls`. */
  callCount: number;
  readonly faults: Fault[];
  /** Changes that a person or a test made through the control API, oldest first; at most `maxActions`. */
  readonly actions: ActionRecord[];
  /** Orders calls and actions, because the clock can be moved back. */
  sequence: number;
  /** Varies the offers. The same lead gets the same offers as long as it stays the same. */
  seed: number;
}

export interface ActionRecord {
  readonly sequence: number;
  readonly atMs: number;
  /** One sentence for the timeline. */
  readonly text: string;
  /** The consequence in the form, for the person who made the change. Empty if nothing does. */
  readonly effect: string;
  readonly applicationId: string | undefined;
}

export interface LeadRecord {
  readonly applicationId: string;
  /** The `ID` that the partner submitted. */
  readonly referenceId: string;
  readonly trackingUrl: string;
  readonly createdAtMs: number;
  readonly lead: Lead;
  /** The unparsed request body. */
  readonly receivedText: string;
  /** Paths of fields that the spec does not list. `lead` does not contain them. */
  readonly ignoredFields: readonly string[];
  readonly tags: readonly Tag[];
  outcome: Outcome;
  /** The offers of the outcome `custom-offers`. */
  customOffers: CustomOffers | undefined;
  contactPreference: 'contact-allowed' | 'do-not-contact';
  owner: string;
  readonly history: { readonly atMs: number; readonly event: string }[];
}

export interface CustomOffers {
  readonly count: number;
  /** USD; the amounts of the first offers. Empty for the usual amounts. */
  readonly amounts: readonly number[];
  /** When the offers are ready. */
  readonly readyAtMs: number;
}

export interface DocumentRecord {
  readonly documentId: string;
  readonly applicationId: string;
  readonly receivedAtMs: number;
  readonly name: string;
  readonly ext: string;
  readonly category: string;
  readonly bytes: number;
  /** Undefined if the console does not show the content. */
  readonly previewType: PreviewType | undefined;
  readonly content: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface AssetReportRecord {
  readonly assetReportId: string;
  readonly applicationId: string;
  readonly receivedAtMs: number;
  /** The unparsed value of `assetReportJson`. */
  readonly receivedText: string;
  readonly assetReportJson: unknown;
  /** The parsed report, if it has every field of the spec. */
  readonly completeReport: AssetReportJson | undefined;
  /** JSON Pointers to fields of the spec that are missing or invalid. */
  readonly incomplete: readonly string[];
}

export interface CallRecord {
  readonly callId: number;
  readonly sequence: number;
  readonly atMs: number;
  readonly operation: Operation;
  /** Selected headers. For Authorization, only the state of the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBytes: number;
  readonly status: number;
  /** `ok`, the id of an error row, or `broken` for a response that the operation itself would never send. */
  readonly outcome: 'ok' | 'broken' | ErrorRowId;
  /** The kind of the fault that was applied. */
  readonly fault: Fault['kind'] | undefined;
  readonly applicationId: string | undefined;
  /** The id of the document or bank report that the call stored. */
  readonly recordId: string | undefined;
  /** The result in a few words: the message of an error, or the decision of Get Pre-Approval Offer. */
  readonly note: string;
  /** The response body, at most `maxAnswerCharacters`, without tokens. Undefined for calls before the latest `maxAnswers`. */
  readonly answer: string | undefined;
  /** The body of a failed Create Lead. A successful one is in the lead's record. */
  readonly request: string | undefined;
  /** Real time, not the sandbox's clock. */
  readonly durationMs: number;
}

export const defaultAggregatorName = 'Aggregator';
export const defaultOfferDelayMs = 12_000;
export const maxCalls = 5_000;
/** Answers of earlier calls are dropped, because those of Get Pre-Approval Offer are long and repeat. */
export const maxAnswers = 500;
const maxActions = 1_000;

export function createContext(options: SandboxOptions): SandboxContext {
  return {
    settings: {
      failureStatus: options.failureStatus ?? 'body',
      aggregatorName: options.aggregatorName ?? defaultAggregatorName,
      offerDelayMs: options.offerDelayMs ?? defaultOfferDelayMs,
      areOffersEnabled: options.areOffersEnabled ?? true,
    },
    clock: createClock(options.now ?? Date.now),
    randomBytes: options.randomBytes ?? cryptoRandomBytes,
    delay: options.delay ?? (async (ms) => sleep(ms)),
    save: () => undefined,
    state: {
      leads: new Map(),
      applicationIdsByReference: new Map(),
      outageRejections: new Map(),
      documents: new Map(),
      assetReports: new Map(),
      tokens: new Map(),
      calls: [],
      callCount: 0,
      faults: [],
      actions: [],
      sequence: 0,
      seed: 0,
    },
  };
}

export function recordCall(
  state: SandboxState,
  call: Omit<CallRecord, 'callId' | 'sequence'>,
): void {
  state.callCount += 1;
  state.sequence += 1;
  state.calls.push({ callId: state.callCount, sequence: state.sequence, ...call });
  if (state.calls.length > maxCalls) state.calls.shift();
  const early = state.calls.length - 1 - maxAnswers;
  const earlyCall = state.calls[early];
  if (earlyCall) state.calls[early] = { ...earlyCall, answer: undefined, request: undefined };
}

export interface ActionText {
  readonly text: string;
  readonly effect?: string;
  readonly applicationId?: string;
}

export function recordAction(
  { clock, state }: SandboxContext,
  { text, effect = '', applicationId }: ActionText,
): void {
  state.sequence += 1;
  const { sequence } = state;
  state.actions.push({ sequence, atMs: clock.now(), text, effect, applicationId });
  if (state.actions.length > maxActions) state.actions.shift();
}

/** The sentences that a person reads after a change. */
export function toMessage({ text, effect }: ActionRecord): string {
  return effect ? `${text} ${effect}` : text;
}

/** Deletes everything received and resets the clock. Tokens stay valid, so that a client stays logged in between two tests. */
export function resetContext({ clock, state }: SandboxContext): void {
  state.leads.clear();
  state.applicationIdsByReference.clear();
  state.outageRejections.clear();
  state.documents.clear();
  state.assetReports.clear();
  state.calls.length = 0;
  state.callCount = 0;
  state.faults.length = 0;
  state.actions.length = 0;
  state.seed = 0;
  clock.reset();
}

const recordIdPrefixes = {
  lead: '00Q',
  document: '069',
  assetReport: 'a0R',
  organization: '00D',
  user: '005',
} as const;

/** Creates a record id in the format of CRM platforms: a prefix for the kind, 12 random characters, and 3 check characters. */
export function createRecordId(
  kind: keyof typeof recordIdPrefixes,
  randomBytes: RandomBytes,
): string {
  return addCaseChecksum(recordIdPrefixes[kind] + toAlphanumeric(randomBytes(12)));
}

/** Returns true if the text has the format of a lead id. The lead need not exist. */
export function isLeadId(text: string): boolean {
  return /^00Q[A-Za-z0-9]{15}$/.test(text) && addCaseChecksum(text.slice(0, 15)) === text;
}

export function toAlphanumeric(bytes: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Appends one character per group of five. Each encodes which letters of its group are capitals, so that case changes are found. */
function addCaseChecksum(id: string): string {
  const checkAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';
  const checkCharacters = [0, 5, 10].map((start) => {
    const bits = Array.from(id.slice(start, start + 5), (letter, index) =>
      /[A-Z]/.test(letter) ? 1 << index : 0,
    );
    return checkAlphabet.charAt(bits.reduce((sum, bit) => sum | bit, 0));
  });
  return id + checkCharacters.join('');
}

function createClock(machineNow: () => number): SandboxClock {
  let offsetMs = 0;
  return {
    now: () => machineNow() + offsetMs,
    offsetMs: () => offsetMs,
    advance: (ms) => {
      offsetMs += ms;
    },
    setTo: (epochMs) => {
      offsetMs = epochMs - machineNow();
    },
    reset: () => {
      offsetMs = 0;
    },
  };
}
