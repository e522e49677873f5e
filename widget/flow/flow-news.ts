// Tells the host page what is new: that the application is filed and where it stands, and every problem once it is shown.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { isRetryable, type FlowEvent } from './flow-event.ts';
import type { FlowParts } from './flow-parts.ts';
import type { Loading } from './loading.ts';
import type { SessionEnd } from './session-end.ts';
import type { FlowState, FlowProblem } from './state.ts';

export interface Shown {
  readonly state: FlowState | undefined;
  readonly parts: FlowParts | undefined;
  readonly loading: Pick<Loading, 'problem'>;
  readonly end: SessionEnd;
}

/** Compares what is shown with what was shown before. */
export class FlowNews {
  readonly #onEvent: (event: FlowEvent) => void;
  #status: ApplicationStatus['status'] | undefined;
  #problems: readonly (FlowProblem | undefined)[] = [];

  constructor(onEvent: (event: FlowEvent) => void = () => undefined) {
    this.#onEvent = onEvent;
  }

  /** What was there before this page is no news. */
  begin(application: ApplicationStatus | undefined): void {
    this.#status = application?.status;
  }

  /** To be called at each change; a problem that went and came back is told again. */
  tell({ state, parts, loading, end }: Shown): void {
    const application = state?.application;
    const isNew = application !== undefined && application.status !== this.#status;
    const before = this.#problems;
    if (state) this.#status = application?.status;
    this.#problems = [state, loading, parts?.bank, parts?.contact, parts?.offers, end].map(
      (one) => one?.problem,
    );
    if (isNew) {
      const { reference, status } = application;
      this.#onEvent({ kind: 'submitted', reference, status });
    }
    for (const [place, code] of this.#problems.entries()) {
      if (code === undefined || code === before[place]) continue;
      this.#onEvent({ kind: 'problem', code, isRetryable: isRetryable(code) });
    }
  }
}
