// Files one set of answers, once: the same answers always travel under the same key.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import type { FundingApi, Result } from '../api/api.ts';
import type { FlowProblem } from './state.ts';

/**
 * `filed`: the BFF has an application; with `isAnother` it is not the one just sent, but one filed before. `rejected`: the
 * service refused it. `consents-changed`: the partner has changed the consents meanwhile. `failed`: nothing was filed, or
 * nobody knows.
 */
export type SubmissionOutcome =
  | { readonly kind: 'filed'; readonly status: ApplicationStatus; readonly isAnother: boolean }
  | { readonly kind: 'rejected'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'consents-changed' }
  | {
      readonly kind: 'failed';
      readonly problem: FlowProblem;
      readonly errors: readonly FieldError[];
    };

interface Sent {
  readonly body: string;
  readonly key: string;
  /** Nobody knows whether it was filed. */
  readonly isUnanswered: boolean;
}

export class Submission {
  readonly #api: FundingApi;
  readonly #createKey: () => string;
  #last: Sent | undefined;

  constructor(api: FundingApi, createKey: () => string) {
    this.#api = api;
    this.#createKey = createKey;
  }

  /** The last answers have been decided upon: they are not kept, and what follows is another application. */
  forget(): void {
    this.#last = undefined;
  }

  /** @param body the serialized application. */
  async file(body: string): Promise<SubmissionOutcome> {
    // Other answers may be sent only once it is known that the earlier ones were not filed.
    if (this.#last?.isUnanswered && this.#last.body !== body) {
      const earlier = await this.#post(this.#last);
      if (earlier.ok) return { kind: 'filed', status: earlier.value, isAnother: true };
      if (earlier.code === 'network') return failed('submit-unanswered');
    }
    if (this.#last?.body !== body) {
      this.#last = { body, key: this.#createKey(), isUnanswered: false };
    }
    const sent = this.#last;
    const result = await this.#post(sent);
    if (!result.ok && result.code === 'network') this.#last = { ...sent, isUnanswered: true };
    return this.#toOutcome(result);
  }

  async #toOutcome(result: Result<ApplicationStatus>): Promise<SubmissionOutcome> {
    if (result.ok) return { kind: 'filed', status: result.value, isAnother: false };
    switch (result.code) {
      case 'application-rejected':
        this.forget();
        return { kind: 'rejected', errors: result.errors };
      case 'consent-required':
        return { kind: 'consents-changed' };
      case 'application-exists': {
        const other = await this.#api.getApplication();
        return other.ok
          ? { kind: 'filed', status: other.value, isAnother: true }
          : failed(other.code);
      }
      case 'network':
        return failed('submit-unanswered');
      case 'session-missing':
        return failed('cookie-refused');
      case 'idempotency-key-reused':
        this.forget();
        return failed(result.code);
      default:
        return failed(result.code, result.errors);
    }
  }

  /** Once more in a new session when the old one has ended; the key goes along, so nothing is filed twice. */
  async #post({ body, key }: Sent): Promise<Result<ApplicationStatus>> {
    const first = await this.#api.submitApplication(body, key);
    if (first.ok || first.code !== 'session-missing') return first;
    const session = await this.#api.openSession();
    return session.ok ? this.#api.submitApplication(body, key) : first;
  }
}

function failed(problem: FlowProblem, errors: readonly FieldError[] = []): SubmissionOutcome {
  return { kind: 'failed', problem, errors };
}
