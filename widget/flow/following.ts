// Follows what is under way while the element stands on the page: the decision, what was given to it, and the offers.

import { isUndecided } from './after-sending.ts';
import type { ApplicationWatch } from './application-watch.ts';
import type { FlowParts } from './flow-parts.ts';
import { createPoller, type Poller, type PollingEnvironment } from '../app/polling.ts';
import type { SessionEnd } from './session-end.ts';
import type { FlowState } from './state.ts';

export interface FollowingOptions {
  readonly polling: PollingEnvironment;
  /** Asks once, and answers whether there is something to wait for. */
  readonly watch: Pick<ApplicationWatch, 'askStatus' | 'askGiven'>;
  readonly readState: () => FlowState | undefined;
  /** Undefined until they are loaded: what they would show is not followed before. */
  readonly readParts: () => FlowParts | undefined;
  readonly end: SessionEnd;
}

/** Asks for what is shown and not settled, and for nothing while the element is off the page. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #statusPoller: Poller;
  readonly #givenPoller: Poller;
  #isConnected = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
    const { polling, watch } = options;
    this.#statusPoller = createPoller(polling, () => watch.askStatus());
    this.#givenPoller = createPoller(polling, () => watch.askGiven());
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
    const { readState, readParts, end } = this.#options;
    const step = readState()?.step;
    const parts = readParts();
    end.warnsOfUnsent = false;
    if (parts && step !== 'documents') parts.documents.warnsOfUnsent = false;
    if (step === 'offers' && this.#isConnected) parts?.offers.start();
    else parts?.offers.stop();
    this.followGiven();
  }

  /** Only where it is shown what has become of it. */
  followGiven(): void {
    const step = this.#options.readState()?.step;
    const parts = this.#options.readParts();
    const isWishShown = step === 'offers' && parts?.contact.state === 'received';
    const isShown = step === 'documents' || step === 'bank' || isWishShown;
    if (parts && this.#isConnected && isShown) this.#givenPoller.start();
    else this.#givenPoller.stop();
  }
}
