// Lifting a "Do Not Contact" mark: a fresh consent, and the request that carries it.

import type { ContactStatus } from '../../shared/api/attachments.ts';
import type { AcceptedConsent } from '../../shared/application/consent.ts';
import type { FailureCode, FundingApi } from '../api/funding-api.ts';

/** Each change needs a consent given for it. */
export class ContactChange {
  hasConsent = false;
  lacksConsent = false;
  /** `received`: the BFF has the wish and passes it on. `enabled`: the lender has done it. */
  state: 'idle' | 'sending' | 'received' | 'enabled' = 'idle';
  problem: FailureCode | undefined;
  readonly #api: FundingApi;
  readonly #onChange: () => void;
  readonly #onGiven: () => void;

  /** @param onGiven is told of every wish that has arrived at the BFF. */
  constructor(api: FundingApi, onChange: () => void, onGiven: () => void) {
    this.#api = api;
    this.#onChange = onChange;
    this.#onGiven = onGiven;
  }

  consent(isGiven: boolean): void {
    this.hasConsent = isGiven;
    this.lacksConsent = false;
    this.#onChange();
  }

  /** Takes over where an earlier wish stands now. */
  take(contact: ContactStatus | null): void {
    // One that is being sent is newer than what the BFF knew of.
    if (!contact || this.state === 'sending') return;
    this.state = contact.status;
    this.problem = undefined;
    this.#onChange();
  }

  async enable(consent: AcceptedConsent): Promise<void> {
    if (this.state === 'sending') return;
    this.lacksConsent = !this.hasConsent;
    this.problem = undefined;
    if (this.hasConsent) {
      this.state = 'sending';
      this.#onChange();
      const result = await this.#api.enableContact(consent);
      this.state = 'idle';
      // A consent counts once; the next change asks anew.
      this.hasConsent = false;
      if (result.ok) {
        this.take({ status: result.value.contact });
        this.#onGiven();
      } else {
        this.problem = result.code;
      }
    }
    this.#onChange();
  }
}
