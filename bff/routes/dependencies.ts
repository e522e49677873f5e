// What the routes work with; made once by the composition root.

import type { StartTimer } from '../runtime/timers.ts';
import type { Config } from '../config/config.ts';
import type { InspectionPool } from '../documents/inspection-pool.ts';
import type { UploadPlaces } from '../documents/upload-semaphore.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { LogRarely } from '../logging/rate-limited-log.ts';
import type { RefusalCounters } from '../middleware/counters.ts';
import type { Throttle } from '../middleware/rate-limits.ts';
import type { SessionGate } from '../middleware/session.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Delivery } from '../delivery/delivery-worker.ts';
import type { Store } from '../store/store.ts';
import type { Encryption } from '../store/encryption.ts';
import type { Log } from '../logging/log.ts';
import type { EnrichLead, Challenge } from '../config/hooks.ts';

export interface RouteDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly encryption: Encryption;
  readonly delivery: Delivery;
  readonly fundingService: FundingService;
  readonly inspections: Pick<InspectionPool, 'prepare' | 'inspect'>;
  readonly uploadPlaces: UploadPlaces;
  readonly sessions: SessionGate;
  readonly refusals: RefusalCounters;
  readonly findClientAddress: FindClientAddress;
  /** By which limits count; never evidence. */
  readonly findCountedAddress: FindClientAddress;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  readonly ids: Ids;
  readonly log: Log;
  /** For what anybody can bring about in masses: at most a line a minute of each kind. */
  readonly logRarely: LogRarely;
  readonly throttle: Throttle;
  /** What an application has to come with; `undefined` asks for nothing. */
  readonly challenge: Challenge | undefined;
  /** How long a request waits for the funding service's answer before it says "received"; not at all while many are under way. */
  readonly answerWaitMs: number;
  readonly enrichLead: EnrichLead | undefined;
}
