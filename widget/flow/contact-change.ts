// Lifting a "Do Not Contact" mark: a fresh consent, and the request that carries it.

import type { ConsentGiven } from '../../shared/application/consent.ts';
import type { FailureCode, FundingApi } from '../api/api.ts';

/** Each change needs a consent given for it. */
export class ContactChange {
  hasConsent = false;
  lacksConsent = false;
  state: 'idle' | 'sending' | 'done' = 'idle';
  problem: FailureCode | undefined;
  readonly #api: FundingApi;
  readonly #onChange: () => void;

  constructor(api: FundingApi, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  consent(isGiven: boolean): void {
    this.hasConsent = isGiven;
    this.lacksConsent = false;
    this.#onChange();
  }

  async enable(consent: ConsentGiven): Promise<void> {
    if (this.state === 'sending') return;
    this.lacksConsent = !this.hasConsent;
    this.problem = undefined;
    if (this.hasConsent) {
      this.state = 'sending';
      this.#onChange();
      const result = await this.#api.enableContact(consent);
      this.state = result.ok ? 'done' : 'idle';
      this.problem = result.ok ? undefined : result.code;
      // A consent counts once; the next change asks anew.
      this.hasConsent = false;
    }
    this.#onChange();
  }
}
