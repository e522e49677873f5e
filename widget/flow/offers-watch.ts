// Asks for the decision until there is one, and remembers what the service last said.

import type { Offers } from '../../shared/api/offers.ts';
import type { FailureCode, FundingApi } from '../api/api.ts';
import {
  createPoller,
  goOnAfter,
  type GoOn,
  type Poller,
  type PollingEnvironment,
} from './polling.ts';

/** `offers` and `problem` are the last answer; a decision stays when a later question fails. */
export class OffersWatch {
  offers: Offers | undefined;
  problem: FailureCode | undefined;
  isChecking = false;
  readonly #api: FundingApi;
  readonly #onChange: () => void;
  readonly #poller: Poller;
  #isFollowing = false;

  constructor(options: {
    readonly api: FundingApi;
    readonly polling: PollingEnvironment;
    readonly onChange: () => void;
  }) {
    this.#api = options.api;
    this.#onChange = options.onChange;
    this.#poller = createPoller(options.polling, () => this.#ask());
  }

  /** Asks now and goes on asking while there is no decision. */
  start(): void {
    this.#isFollowing = true;
    void this.check();
  }

  stop(): void {
    this.#isFollowing = false;
    this.#poller.stop();
  }

  /** Asks once, at the applicant's wish; the growing pauses begin anew. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    const goOn = await this.#ask();
    // The step may have been left while the answer was on its way.
    if (goOn !== false && this.#isFollowing) this.#poller.start(goOn === true ? 0 : goOn);
    else this.#poller.stop();
  }

  async #ask(): Promise<GoOn> {
    if (this.isChecking) return true;
    this.isChecking = true;
    this.#onChange();
    const result = await this.#api.getOffers();
    this.isChecking = false;
    if (result.ok) {
      this.offers = result.value;
      this.problem = undefined;
      this.#onChange();
      return result.value.decision === 'pending';
    }
    this.problem = result.code;
    this.#onChange();
    return waitingHelps.has(result.code) && goOnAfter(result);
  }
}

const waitingHelps: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'network',
  'internal',
  'application-pending',
  'service-unavailable',
  'storage-unavailable',
  'too-many-requests',
  'too-busy',
]);
