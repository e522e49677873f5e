// Submits the application exactly once: the same answers always have the same idempotency key.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import { createUuid } from '../api/create-uuid.ts';
import type { Failure, FundingApi, Result, SubmissionProof } from '../api/funding-api.ts';
import {
  toSubmittedRecord,
  withApplicationStatus,
  withFailure,
  withNewConsents,
  withProblem,
  withRejection,
  withSubmitting,
  type SubmissionFailure,
} from '../app/application-status.ts';
import { honeypotPath, type Draft } from '../app/draft.ts';
import { FundingSubmittedEvent } from '../app/later-events.ts';
import type { ValidateStep } from '../app/navigation.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import { createRetry, type RetryWhileBusy, submissionPolicy } from '../app/retry.ts';
import type { AppState, FormProblem, FormState, Store } from '../app/store.ts';
import { warnDeveloper } from '../app/warn-developer.ts';
import type { SolveChallenge } from '../types.ts';
import { toApplicationCandidate, withAllStepsChecked } from './validation.ts';

export interface SubmissionEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  readonly polling: PollingEnvironment;
  /** Creates an idempotency key. Tests pass their own. */
  readonly createKey?: () => string;
  /** The host page's campaign. */
  readonly getCampaignId: () => string | undefined;
  /** Undefined if the host page has none. */
  readonly getChallengeSolver: () => SolveChallenge | undefined;
  /** The language to request from the BFF. */
  readonly getLocale: () => string | undefined;
}

type Outcome =
  | {
      readonly kind: 'submitted';
      readonly status: ApplicationStatus;
      /** The BFF already had another application of this session. */
      readonly isAnother: boolean;
    }
  | { readonly kind: 'rejected'; readonly failure: Failure }
  | { readonly kind: 'consents-changed' }
  | ({ readonly kind: 'failed' } & SubmissionFailure);

interface Request {
  readonly body: string;
  readonly key: string;
  /** The response was lost, so the BFF may have the application. */
  readonly isUnanswered: boolean;
}

/** Enough time to solve a challenge. A challenge that never ends must not block the form. */
const challengeTimeoutMs = 3 * 60_000;

export class Submission {
  readonly #environment: SubmissionEnvironment;
  readonly #validate: ValidateStep;
  readonly #retryWhileBusy: RetryWhileBusy;
  #last: Request | undefined;
  /** Aborted when the application is closed: the outcome no longer concerns the person at the device. */
  #abort = new AbortController();

  constructor(environment: SubmissionEnvironment, validate: ValidateStep) {
    this.#environment = environment;
    this.#validate = validate;
    this.#retryWhileBusy = createRetry(environment.polling);
  }

  /** Forgets the last request, which contains personal data. */
  forget(): void {
    this.#last = undefined;
  }

  /** The application was closed. */
  cancel(): void {
    this.forget();
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Submits complete answers. Otherwise it shows the first step with errors. */
  async submit(): Promise<void> {
    const { store } = this.#environment;
    const { form, isOffline } = store.state;
    if (!form || form.isSubmitting) return;
    const checked = withAllStepsChecked(form, this.#validate);
    if (checked !== form) return store.updateForm(() => checked);
    // The browser may be wrong about being offline, so a second press sends the request.
    if (isOffline && form.problem !== 'offline')
      return store.updateForm((current) => withProblem(current, 'offline'));
    const { signal } = this.#abort;
    store.updateForm(withSubmitting);
    const outcome = await this.#request(form, signal);
    if (!signal.aborted) this.#take(outcome, signal);
  }

  #take(outcome: Outcome, signal: AbortSignal): void {
    const { store } = this.#environment;
    switch (outcome.kind) {
      case 'submitted':
        store.update((state) => {
          const form =
            state.form && !outcome.isAnother
              ? { ...state.form, record: toSubmittedRecord(state.form) }
              : state.form;
          const next = withApplicationStatus({ ...state, form }, outcome.status);
          return outcome.isAnother && next.form
            ? { ...next, form: withProblem(next.form, 'application-exists') }
            : next;
        });
        return;
      case 'rejected':
        this.forget();
        store.updateForm((form) => withRejection(form, outcome.failure.errors));
        return;
      case 'consents-changed':
        void this.#loadNewConsents(signal);
        return;
      case 'failed':
        store.updateForm((form) => withFailure(form, outcome));
    }
  }

  async #loadNewConsents(signal: AbortSignal): Promise<void> {
    const { store, api, getLocale } = this.#environment;
    const configuration = await api.getConfiguration(getLocale());
    if (signal.aborted) return;
    store.updateForm((form) =>
      configuration.ok
        ? withNewConsents(form, configuration.value)
        : withProblem(form, configuration.code, configuration.retryAfterMs),
    );
  }

  async #request({ draft, configuration }: FormState, signal: AbortSignal): Promise<Outcome> {
    const { createKey = createUuid, getCampaignId } = this.#environment;
    const proof = await this.#createProof(draft, configuration);
    if (typeof proof === 'string') return toFailed(proof);
    const { consents, locale } = configuration;
    const campaignId = getCampaignId() || undefined;
    const body = JSON.stringify(toApplicationCandidate(draft, consents, { locale, campaignId }));
    // Different answers may be sent only if the BFF does not have the earlier ones.
    if (this.#last?.isUnanswered && this.#last.body !== body) {
      const earlier = await this.#post(this.#last, proof, signal);
      if (earlier.ok) return { kind: 'submitted', status: earlier.value, isAnother: true };
      if (isOutcomeUnknown(earlier)) return toFailed(toProblem(earlier));
    }
    if (signal.aborted) return toFailed('session-missing');
    if (this.#last?.body !== body) this.#last = { body, key: createKey(), isUnanswered: false };
    const sent = this.#last;
    const result = await this.#post(sent, proof, signal);
    if (!signal.aborted && !result.ok && isOutcomeUnknown(result))
      this.#last = { ...sent, isUnanswered: true };
    return this.#toOutcome(result);
  }

  async #toOutcome(result: Result<ApplicationStatus>): Promise<Outcome> {
    if (result.ok) return { kind: 'submitted', status: result.value, isAnother: false };
    if (isOutcomeUnknown(result)) return toFailed(toProblem(result));
    switch (result.code) {
      case 'application-rejected':
        return { kind: 'rejected', failure: result };
      case 'consent-required':
        return { kind: 'consents-changed' };
      case 'application-exists': {
        const other = await this.#environment.api.getApplication();
        return other.ok
          ? { kind: 'submitted', status: other.value, isAnother: true }
          : toFailed(other.code, other);
      }
      case 'session-missing':
        return toFailed('session-refused');
      case 'idempotency-key-reused':
        this.forget();
        return toFailed(result.code);
      default:
        return toFailed(result.code, result);
    }
  }

  /** Repeats the request in a new session if the old one has ended. The key stays the same, so nothing is submitted twice. */
  async #post(
    request: Request,
    proof: SubmissionProof,
    signal: AbortSignal,
  ): Promise<Result<ApplicationStatus>> {
    const first = await this.#send(request, proof, signal);
    if (first.ok || first.code !== 'session-missing' || signal.aborted) return first;
    const session = await this.#retryWhileBusy(() => this.#environment.api.openSession(), {
      signal,
    });
    if (session.ok && !signal.aborted) return this.#send(request, proof, signal);
    // The first response proves that nothing was submitted.
    return session.ok || session.code === 'network' ? first : session;
  }

  #send(
    { body, key }: Request,
    proof: SubmissionProof,
    signal: AbortSignal,
  ): Promise<Result<ApplicationStatus>> {
    const { api } = this.#environment;
    return this.#retryWhileBusy(() => api.submitApplication(body, key, proof), {
      policy: submissionPolicy,
      signal,
    });
  }

  /** Creates the evidence that a person submits the form: an empty honeypot, and the token of a solved challenge. */
  async #createProof(
    draft: Draft,
    { challenge }: Configuration,
  ): Promise<SubmissionProof | FormProblem> {
    const isHoneypotFilled = (draft[honeypotPath] ?? '') !== '';
    if (!challenge) return { isHoneypotFilled };
    const solve = this.#environment.getChallengeSolver();
    if (!solve) {
      warnDeveloper('The BFF requires a challenge. Set "challenge".');
      return 'challenge-not-offered';
    }
    const challengeToken = await this.#solve(() => solve(challenge.siteKey));
    return challengeToken === '' ? 'challenge-required' : { isHoneypotFilled, challengeToken };
  }

  /** Resolves with an empty token if the challenge fails, throws, or takes too long. */
  #solve(solve: () => Promise<string>): Promise<string> {
    const { setTimeout, clearTimeout } = this.#environment.polling;
    return new Promise((resolve) => {
      const end = (token: string) => {
        clearTimeout(timer);
        resolve(token);
      };
      const fail = () => {
        warnDeveloper('"challenge" failed. Resolve to the token, or to "" if it was not solved.');
        end('');
      };
      const timer = setTimeout(fail, challengeTimeoutMs);
      Promise.resolve()
        .then(solve)
        // A host page without types may return anything.
        .then((token: unknown) => (typeof token === 'string' ? end(token) : fail()), fail);
    });
  }
}

/** The BFF may have the application: its response was lost, or this version of the page can't read it. */
function isOutcomeUnknown({ code }: Failure): boolean {
  return code === 'network' || code === 'page-outdated';
}

function toProblem({ code }: Failure): FormProblem {
  return code === 'network' ? 'submit-unanswered' : code;
}

function toFailed(
  problem: FormProblem,
  { errors = [], retryAfterMs }: Partial<Failure> = {},
): Outcome {
  return { kind: 'failed', problem, errors, retryAfterMs };
}

/** Like `Feature.toHostEvents`. */
export function toSubmittedEvents(
  { form: before }: AppState,
  { form: after }: AppState,
): readonly Event[] {
  const isOwn = before?.isSubmitting || before?.application !== undefined;
  if (!isOwn || !after) return [];
  const { application, rejectedReference } = after;
  if (rejectedReference !== undefined && rejectedReference !== before.rejectedReference)
    return [new FundingSubmittedEvent(rejectedReference, 'rejected')];
  return application && application.status !== before.application?.status
    ? [new FundingSubmittedEvent(application.reference, application.status)]
    : [];
}
