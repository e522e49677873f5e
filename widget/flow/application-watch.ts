// Asks where a filed application stands, and what has become of what was given to it.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { isUndecided, withApplication, withProblem, withUnknownStatus } from './after-sending.ts';
import type { FlowEvent } from './flow-event.ts';
import type { FlowParts } from './flow-parts.ts';
import { isGivenTo } from './given.ts';
import { toPollResult, type PollResult } from '../app/polling.ts';
import type { FlowState } from './state.ts';

export interface ApplicationWatchOptions {
  readonly api: Pick<FundingApi, 'getApplication' | 'getSession'>;
  readonly readState: () => FlowState | undefined;
  readonly readParts: () => FlowParts | undefined;
  readonly show: (state: FlowState) => void;
  readonly now: () => Date;
  /** The service has it, or has refused it. */
  readonly onDecided: () => void;
  /** It was refused, and another one may follow. True when something had been given to it. */
  readonly onRefused: () => boolean;
  readonly onSession: (session: Session) => void;
  readonly onEvent?: ((event: FlowEvent) => void) | undefined;
  readonly onChange: () => void;
}

/** Each question is asked once; following them up is somebody else's. */
export class ApplicationWatch {
  isChecking = false;
  /** What is shown answers the applicant's own press, and no question since. */
  answersPress = false;
  checkedAt: Date | undefined;
  readonly #options: ApplicationWatchOptions;

  constructor(options: ApplicationWatchOptions) {
    this.#options = options;
  }

  /** Takes over where it stands now. */
  take(status: ApplicationStatus): void {
    const { now, readState, show, onDecided, onRefused, onEvent } = this.#options;
    const state = readState();
    if (!state) return;
    this.checkedAt = now();
    const isRefused = status.status === 'rejected';
    if (isRefused || status.status === 'accepted') onDecided();
    // What is refused is no longer shown, so that nothing else would tell it.
    if (isRefused)
      onEvent?.({ kind: 'submitted', reference: status.reference, status: 'rejected' });
    const next = withApplication(state, status);
    const hadMore = isRefused && onRefused();
    const isMore = hadMore && next.problem === 'application-rejected';
    show(isMore ? { ...next, problem: 'rejected-with-documents' } : next);
  }

  /** Asks at the applicant's wish. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    this.answersPress = true;
    this.#options.onChange();
    await this.#ask();
    this.isChecking = false;
    this.#options.onChange();
  }

  /** True while there is something to wait for. */
  askStatus(): Promise<PollResult> {
    // Drawn before there is an answer, which then is not read out.
    this.answersPress = false;
    this.#options.onChange();
    return this.#ask();
  }

  async #ask(): Promise<PollResult> {
    const { api, readState, show } = this.#options;
    const result = await api.getApplication();
    const state = readState();
    // The session was ended meanwhile, and the form is somebody else's, or another answer has settled it.
    if (!state?.application) return false;
    if (!result.ok) show(withUnknownStatus(state, result.code, result.retryAfterMs));
    else if (result.value.reference === state.application.reference) this.take(result.value);
    else show(withUnknownStatus(state, 'session-missing'));
    return isUndecided(readState()) && toPollResult(result);
  }

  /** Takes over what has become of what was given; true while some of it is still being passed on. */
  async askGiven(): Promise<PollResult> {
    const { api, readState, readParts, show, onSession } = this.#options;
    const parts = readParts();
    const session = await api.getSession();
    const state = readState();
    // Another application has begun meanwhile.
    if (!parts || !state || parts !== readParts()) return false;
    if (!session.ok && session.code !== 'session-missing') return toPollResult(session);
    const isOurs = session.ok && isGivenTo(state.application, session.value);
    if (isOurs) {
      onSession(session.value);
      return parts.take(session.value);
    }
    show(withProblem(state, 'session-missing'));
    return false;
  }
}
