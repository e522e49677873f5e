// Files one set of answers, once: the same answers always travel under the same key.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import type {
  Failure,
  FailureCode,
  FundingApi,
  Result,
  SubmissionProof,
} from '../api/funding-api.ts';
import { toApplicationCandidate, type Draft } from '../app/draft.ts';
import { createProof, type ProofOptions } from './proof.ts';
import { createRetry, type RetryWhileBusy } from '../app/retry.ts';
import type { FlowProblem, SubmissionFailure } from './state.ts';

/**
 * `filed`: the BFF has an application; with `isAnother` it is not the one just sent, but one filed before. `rejected`: the
 * service refused it. `consents-changed`: the partner has changed the consents meanwhile. `failed`: nothing was filed, or
 * nobody knows.
 */
export type SubmissionOutcome =
  | { readonly kind: 'filed'; readonly status: ApplicationStatus; readonly isAnother: boolean }
  | { readonly kind: 'rejected'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'consents-changed' }
  | ({ readonly kind: 'failed' } & SubmissionFailure);

interface Sent {
  readonly body: string;
  readonly key: string;
  /** Nobody knows whether it was filed. */
  readonly isUnanswered: boolean;
}

export interface SubmissionOptions extends ProofOptions {
  readonly api: FundingApi;
  readonly createKey: () => string;
  /** The host page's; travels with the application. */
  readonly campaignId?: () => string | undefined;
}

/** What passes by itself, in the time that the BFF says: the applicant sees that it is being sent. */
const passing: ReadonlySet<FailureCode> = new Set<FailureCode>(['too-soon', 'too-busy']);
const longestPauseMs = 60_000;
const longestTries = 4;

export class Submission {
  readonly #options: SubmissionOptions;
  readonly #api: FundingApi;
  readonly #openPatiently: RetryWhileBusy;
  #last: Sent | undefined;

  constructor(options: SubmissionOptions) {
    this.#options = options;
    this.#api = options.api;
    this.#openPatiently = createRetry(options.polling);
  }

  /** The last answers have been decided upon: they are not kept, and what follows is another application. */
  forget(): void {
    this.#last = undefined;
  }

  async file(draft: Draft, configuration: Configuration): Promise<SubmissionOutcome> {
    const proven = await createProof(draft, configuration, this.#options);
    if ('problem' in proven) return failed(proven.problem);
    const { proof } = proven;
    const campaignId = this.#options.campaignId?.() || undefined;
    const { consents, locale } = configuration;
    const body = JSON.stringify(toApplicationCandidate(draft, consents, { locale, campaignId }));
    // Other answers may be sent only once it is known that the earlier ones were not filed.
    if (this.#last?.isUnanswered && this.#last.body !== body) {
      const earlier = await this.#post(this.#last, proof);
      if (earlier.ok) return { kind: 'filed', status: earlier.value, isAnother: true };
      if (isUnknownOutcome(earlier)) return failed(toProblem(earlier));
    }
    if (this.#last?.body !== body) {
      this.#last = { body, key: this.#options.createKey(), isUnanswered: false };
    }
    const sent = this.#last;
    const result = await this.#post(sent, proof);
    if (!result.ok && isUnknownOutcome(result)) this.#last = { ...sent, isUnanswered: true };
    return this.#toOutcome(result);
  }

  async #toOutcome(result: Result<ApplicationStatus>): Promise<SubmissionOutcome> {
    if (result.ok) return { kind: 'filed', status: result.value, isAnother: false };
    if (isUnknownOutcome(result)) return failed(toProblem(result));
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
          : failed(other.code, other);
      }
      case 'session-missing':
        return failed('session-refused');
      case 'idempotency-key-reused':
        this.forget();
        return failed(result.code);
      default:
        return failed(result.code, result);
    }
  }

  /** Once more in a new session when the old one has ended; the key goes along, so nothing is filed twice. */
  async #post(sent: Sent, proof: SubmissionProof): Promise<Result<ApplicationStatus>> {
    const first = await this.#send(sent, proof);
    if (first.ok || first.code !== 'session-missing') return first;
    const session = await this.#openPatiently(() => this.#api.openSession(), {
      signal: new AbortController().signal,
    });
    if (session.ok) return this.#send(sent, proof);
    // What arrived was the refusal: nobody needs to wonder whether this was filed.
    return session.code === 'network' ? first : session;
  }

  async #send({ body, key }: Sent, proof: SubmissionProof): Promise<Result<ApplicationStatus>> {
    for (let tries = 1; ; tries += 1) {
      const result = await this.#api.submitApplication(body, key, proof);
      if (result.ok || !passing.has(result.code) || tries === longestTries) return result;
      const { retryAfterMs } = result;
      if (retryAfterMs === undefined || retryAfterMs > longestPauseMs) return result;
      await new Promise<void>((resolve) => {
        this.#options.polling.setTimeout(resolve, retryAfterMs);
      });
    }
  }
}

/** The BFF may have stored the application: its response was lost, or this version of the page cannot read it. */
function isUnknownOutcome({ code }: Failure): boolean {
  return code === 'network' || code === 'page-outdated';
}

function toProblem({ code }: Failure): FlowProblem {
  return code === 'network' ? 'submit-unanswered' : code;
}

function failed(
  problem: FlowProblem,
  { errors = [], retryAfterMs }: Partial<Failure> = {},
): SubmissionOutcome {
  return { kind: 'failed', problem, errors, retryAfterMs };
}
