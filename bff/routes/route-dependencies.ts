// The parts of the BFF that several routes use.

import type { Config } from '../config/config.ts';
import type { DeliveryWorker } from '../delivery/delivery-worker.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { RateLimits } from '../middleware/rate-limits.ts';
import type { StartTimer } from '../runtime/timers.ts';
import type { Encryption } from '../store/encryption.ts';
import type { Store } from '../store/store.ts';

export interface RouteDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly encryption: Encryption;
  readonly fundingService: FundingService;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
}

/** For routes that store an application or an attachment, and wait for its delivery. */
export interface SubmissionDependencies extends RouteDependencies {
  readonly delivery: DeliveryWorker;
  /** Milliseconds that a request waits for the funding service before it answers "received". 0 while the server is busy. */
  readonly getResultTimeoutMs: () => number;
  readonly rateLimits: RateLimits;
  readonly findClientAddress: FindClientAddress;
}
