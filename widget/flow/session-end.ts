// Ending the session from the page, for somebody at a computer that others use as well.

import type { FailureCode, FundingApi } from '../api/api.ts';
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

  /** @param onEnded has to forget everything. */
  constructor(api: FundingApi, onChange: () => void, onEnded: () => void) {
    this.#api = api;
    this.#onChange = onChange;
    this.#onEnded = onEnded;
  }

  /** @param documents what is in hand, and is given up with the session. */
  async end(documents: DocumentQueue): Promise<SessionEndOutcome> {
    if (this.isEnding) return 'failed';
    this.problem = undefined;
    this.warnsOfUnsent = documents.hasUnsent && !this.warnsOfUnsent;
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
    documents.cancelAll();
    this.#onEnded();
    return 'ended';
  }
}
