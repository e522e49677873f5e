// Ending the session from the page, for somebody at a computer that others use as well.

import type { FailureCode, FundingApi } from '../api/funding-api.ts';
import type { DocumentQueue } from './document-queue.ts';

/** `warned`: files in hand would be lost, so it takes another word. */
export type SessionEndOutcome = 'ended' | 'warned' | 'failed';

/** What was sent stays sent; only this browser loses its way to it. */
export class SessionEnd {
  isEnding = false;
  warnsOfUnsent = false;
  problem: FailureCode | undefined;
  readonly #api: FundingApi;
  readonly #onChange: () => void;
  readonly #onEnded: () => void;

  /** @param onEnded has to forget everything, and to give up what is in hand. */
  constructor(api: FundingApi, onChange: () => void, onEnded: () => void) {
    this.#api = api;
    this.#onChange = onChange;
    this.#onEnded = onEnded;
  }

  /** @param documents what is in hand, and is lost with the session; undefined where nothing can be. */
  async end(documents: DocumentQueue | undefined): Promise<SessionEndOutcome> {
    if (this.isEnding) return 'failed';
    this.problem = undefined;
    this.warnsOfUnsent = documents?.hasUnsent === true && !this.warnsOfUnsent;
    this.isEnding = !this.warnsOfUnsent;
    this.#onChange();
    if (this.warnsOfUnsent) return 'warned';
    const result = await this.#api.endSession();
    this.isEnding = false;
    // One that is over already is what was asked for.
    if (!result.ok && result.code !== 'session-missing') {
      this.problem = result.code;
      this.#onChange();
      return 'failed';
    }
    this.#onEnded();
    return 'ended';
  }
}
