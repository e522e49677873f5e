// What every operation of the sandbox works with: its settings, clock, ids and state.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock, type SandboxClock } from './clock.ts';
import type { RandomBytes } from './ids.ts';
import { createState, type SandboxState } from './state.ts';

export const failureStatuses = ['body', 'http'] as const;

/**
 * `body`: failures are served with status 200 and told by the body; `http`: with 4xx and 5xx. The spec does not say which
 * the service does ("HTTP status codes for failures: not shown").
 */
export type FailureStatus = (typeof failureStatuses)[number];

export interface SandboxOptions {
  /** Default `body`. */
  readonly failureStatus?: FailureStatus;
  /** Completes one document category and the asset report's path; default `Aggregator`. */
  readonly aggregatorName?: string;
  /** How long a qualified lead has no offers yet, on the sandbox's clock; default 12,000. */
  readonly offerDelayMs?: number;
  /** Whether the operator has enabled offers for the partner (spec, operation 3); default true. */
  readonly areOffersEnabled?: boolean;
  /** Epoch milliseconds; default the machine's time. */
  readonly now?: () => number;
  /** Source of ids and tokens; default cryptographic. */
  readonly randomBytes?: RandomBytes;
  /** Waits for slow answers; default a timer. */
  readonly delay?: (ms: number) => Promise<void>;
}

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
}

export const defaultAggregatorName = 'Aggregator';
export const defaultOfferDelayMs = 12_000;

export function createContext(options: SandboxOptions): SandboxContext {
  return {
    settings: {
      failureStatus: options.failureStatus ?? 'body',
      aggregatorName: options.aggregatorName ?? defaultAggregatorName,
      offerDelayMs: options.offerDelayMs ?? defaultOfferDelayMs,
      areOffersEnabled: options.areOffersEnabled ?? true,
    },
    clock: createClock(options.now ?? Date.now),
    randomBytes: options.randomBytes ?? randomBytes,
    delay: options.delay ?? (async (ms) => sleep(ms)),
    state: createState(),
  };
}
