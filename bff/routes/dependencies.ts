// What the routes work with; made once by the composition root.

import type { After } from '../after.ts';
import type { Config } from '../config.ts';
import type { InspectionPool } from '../documents/inspection-pool.ts';
import type { UploadPlaces } from '../documents/upload-places.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { EnrichLead } from '../funding-service/lead.ts';
import type { FindClientAddress } from '../gate/client-address.ts';
import type { Challenge } from '../gate/challenge.ts';
import type { LogRarely } from '../gate/rarely.ts';
import type { RefusalCounters } from '../gate/refusal-counters.ts';
import type { Throttle } from '../gate/throttle.ts';
import type { SessionGate } from '../gate/session.ts';
import type { Ids } from '../ids.ts';
import type { Delivery } from '../journal/delivery.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sealing } from '../journal/sealing.ts';
import type { Log } from '../log.ts';

export interface RouteDependencies {
  readonly config: Config;
  readonly journal: Journal;
  readonly sealing: Sealing;
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
  readonly after: After;
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
