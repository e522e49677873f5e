// Follows what is under way while the element stands on the page: the decision, what was given to it, and the offers.

import { isUndecided } from './after-sending.ts';
import type { FlowParts } from './flow-parts.ts';
import { createPoller, type GoOn, type Poller, type PollingEnvironment } from './polling.ts';
import type { FlowState } from './state.ts';

export interface FollowingOptions {
  readonly polling: PollingEnvironment;
  /** Each asks once, and answers whether there is something to wait for. */
  readonly askStatus: () => Promise<GoOn>;
  readonly askGiven: () => Promise<GoOn>;
  readonly readState: () => FlowState | undefined;
  readonly readParts: () => FlowParts | undefined;
}

/** Asks for what is shown and not settled, and for nothing while the element is off the page. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #statusPoller: Poller;
  readonly #givenPoller: Poller;
  #isConnected = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
    this.#statusPoller = createPoller(options.polling, options.askStatus);
    this.#givenPoller = createPoller(options.polling, options.askGiven);
  }

  connect(): void {
    this.#isConnected = true;
    this.followApplication();
    this.followStep();
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#options.readParts()?.documents.stopWaiting();
    this.stop();
  }

  stop(): void {
    this.#statusPoller.stop();
    this.#givenPoller.stop();
    this.#options.readParts()?.offers.stop();
  }

  followApplication(): void {
    if (this.#isConnected && isUndecided(this.#options.readState())) this.#statusPoller.start();
  }

  followStep(): void {
    const step = this.#options.readState()?.step;
    const parts = this.#options.readParts();
    if (parts) {
      parts.end.warnsOfUnsent = false;
      if (step !== 'documents') parts.documents.warnsOfUnsent = false;
    }
    if (step === 'offers' && this.#isConnected) parts?.offers.start();
    else parts?.offers.stop();
    this.followGiven();
  }

  /** Only where it is shown what has become of it. */
  followGiven(): void {
    const step = this.#options.readState()?.step;
    const isWishShown =
      step === 'offers' && this.#options.readParts()?.contact.state === 'received';
    const isShown = step === 'documents' || step === 'bank' || isWishShown;
    if (this.#isConnected && isShown) this.#givenPoller.start();
    else this.#givenPoller.stop();
  }
}
