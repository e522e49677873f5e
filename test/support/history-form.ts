// A form with browser history but without a browser, for tests of Back and Forward.

import { createFlowState, type FlowState, withStep } from '../../widget/flow/state.ts';
import { StepHistory, withPlace } from '../../widget/flow/history.ts';
import type { StepId } from '../../widget/app/steps.ts';
import { createStepValidation } from '../../widget/flow/validation.ts';
import { createConfiguration } from './configuration.ts';
import { completeDraft } from './draft.ts';
import type { FakeHistory } from './fake-history.ts';

const configuration = createConfiguration();
export const validate = createStepValidation(
  configuration,
  () => new Date('2026-11-20T15:00:00.000Z'),
);

/** A complete state on the first step. */
export function createState(changes: Partial<FlowState> = {}): FlowState {
  return { ...createFlowState(configuration), draft: completeDraft, ...changes };
}

/** Creates a form on its first step that records its steps in the history. */
export function createForm(history: FakeHistory, key = 'form', changes: Partial<FlowState> = {}) {
  let state = createState(changes);
  const heard: StepId[] = [];
  const steps = new StepHistory({
    environment: history.environment,
    key,
    readPlace: () => state,
    onTraverse: (place, isForward) => {
      heard.push(place.step);
      state = withPlace(state, place, isForward, validate);
    },
  });
  steps.connect();
  steps.begin();
  return {
    steps,
    heard,
    get state() {
      return state;
    },
    move(next: (state: FlowState) => FlowState): void {
      const before = state;
      state = next(state);
      steps.follow(before);
    },
    /** Goes to a step, as Continue does after validation. */
    to(...path: readonly StepId[]): void {
      for (const step of path) this.move((current) => withStep(current, step));
    },
    change(changed: Partial<FlowState>): void {
      state = { ...state, ...changed };
    },
  };
}

/** Returns the mark of each form in a history entry. */
export function marksOf(entry: unknown): Readonly<Record<string, unknown>> {
  return (entry as { fundingApplication: { places: Record<string, unknown> } }).fundingApplication
    .places;
}
