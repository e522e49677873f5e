// Asks for the decision until there is one, and remembers what the service last said.

import type { Offers } from '../../shared/api/offers.ts';
import type { FailureCode, FundingApi } from '../api/api.ts';
import { createPoller, type Poller, type PollingEnvironment } from './polling.ts';

export class OffersWatch {
  offers: Offers | undefined;
  problem: FailureCode | undefined;
  isChecking = false;
  readonly #api: FundingApi;
  readonly #onChange: (arrived: number) => void;
  readonly #poller: Poller;

  /** @param onChange is told how many offers are new since the last answer. */
  constructor(options: {
    readonly api: FundingApi;
    readonly polling: PollingEnvironment;
    readonly onChange: (arrived: number) => void;
  }) {
    this.#api = options.api;
    this.#onChange = options.onChange;
    this.#poller = createPoller(options.polling, () => this.#ask());
  }

  /** Asks now and goes on asking while there is no decision. */
  start(): void {
    this.#poller.start();
    void this.check();
  }

  stop(): void {
    this.#poller.stop();
  }

  /** Asks once, at the applicant's wish; the growing pauses begin anew. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    const goOn = await this.#ask();
    if (goOn) this.#poller.start();
    else this.#poller.stop();
  }

  async #ask(): Promise<boolean> {
    if (this.isChecking) return true;
    this.isChecking = true;
    this.#onChange(0);
    const result = await this.#api.getOffers();
    this.isChecking = false;
    const before = this.offers?.offers.length ?? 0;
    if (result.ok) {
      this.offers = result.value;
      this.problem = undefined;
      this.#onChange(Math.max(0, result.value.offers.length - before));
      return result.value.decision === 'pending';
    }
    this.problem = result.code;
    this.#onChange(0);
    return waitingHelps.has(result.code);
  }
}

const waitingHelps: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'network',
  'internal',
  'application-pending',
  'service-unavailable',
]);
