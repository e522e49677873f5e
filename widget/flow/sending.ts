// Sends the answers once they are checked, and shows what came of it.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import {
  withFailure,
  withNewConsents,
  withProblem,
  withRejection,
  withSubmitting,
} from './after-sending.ts';
import { withAllChecked, type FlowState } from './state.ts';
import { Submission, type SubmissionOptions, type SubmissionOutcome } from './submission.ts';
import type { ValidateStep } from './validation.ts';

export interface SendingOptions extends SubmissionOptions {
  readonly readState: () => FlowState | undefined;
  readonly show: (state: FlowState) => void;
  /** The BFF has an application: the one just sent, or with `isAnother` one filed before. */
  readonly onFiled: (status: ApplicationStatus, isAnother: boolean) => void;
  readonly isOffline: () => boolean;
  /** Asked for anew in this language. */
  readonly locale?: (() => string | undefined) | undefined;
  /** The partner has changed the configuration while the form was filled in. */
  readonly onConfiguration: (configuration: Configuration) => void;
}

export class Sending {
  readonly #options: SendingOptions;
  readonly #submission: Submission;

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#submission = new Submission(options);
  }

  /** The last answers have been decided upon: they are not kept, and what follows is another application. */
  forget(): void {
    this.#submission.forget();
  }

  /** Only what is right is sent; what is not is shown. */
  async send(state: FlowState, validate: ValidateStep): Promise<void> {
    const checked = withAllChecked(state, validate);
    // Told at once instead of after the time that a request would take; pressed again, it is tried all the same.
    const isHeld = this.#options.isOffline() && state.problem !== 'offline';
    const sent = isHeld ? withProblem(state, 'offline') : withSubmitting(state);
    this.#options.show(checked === state ? sent : checked);
    if (checked !== state || isHeld) return;
    await this.#take(await this.#submission.file(state.draft, state.configuration));
  }

  async #take(outcome: SubmissionOutcome): Promise<void> {
    const { readState, show, onFiled } = this.#options;
    const state = readState();
    // The session was ended meanwhile: what is on the screen now did not send this.
    if (!state?.isSubmitting) return;
    switch (outcome.kind) {
      case 'filed':
        onFiled(outcome.status, outcome.isAnother);
        return;
      case 'rejected':
        show(withRejection(state, outcome.errors));
        return;
      case 'consents-changed':
        await this.#askConsentsAnew();
        return;
      case 'failed':
        show(withFailure(state, outcome));
    }
  }

  async #askConsentsAnew(): Promise<void> {
    const { api, readState, show, onConfiguration, locale } = this.#options;
    const configuration = await api.getConfiguration(locale?.());
    const state = readState();
    if (!state?.isSubmitting) return;
    if (!configuration.ok) {
      show(withProblem(state, configuration.code, configuration.retryAfterMs));
      return;
    }
    onConfiguration(configuration.value);
    show(withNewConsents(state, configuration.value));
  }
}
