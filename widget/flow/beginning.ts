// How a form begins: with what the host page knows, what an earlier page has kept, and what the session tells.

import type { Configuration } from '../../shared/api/configuration.ts';
import { withApplication } from './after-sending.ts';
import type { DraftStore } from './draft-store.ts';
import { emptyDraft, type Draft } from '../app/draft.ts';
import type { Given } from './given.ts';
import { createFlowState, withKept, type FlowState } from './state.ts';
import type { ValidateStep } from './validation.ts';

export interface BeginningOptions {
  /** Without it the form begins with its first step. */
  readonly hasStartPage?: boolean;
  /** Where answers stay through a reload; without it they live as long as the page. */
  readonly draftStore?: DraftStore | undefined;
  /** What the host page knows already, at the beginning of each application. */
  readonly readPrefill?: () => Draft;
}

/** @param given undefined while nobody knows. */
export function beginFlow(
  configuration: Configuration,
  given: Given | undefined,
  validate: ValidateStep,
  { hasStartPage = false, draftStore, readPrefill }: BeginningOptions,
): FlowState {
  const draft = readPrefill?.() ?? emptyDraft;
  const empty = createFlowState(configuration, { hasStartPage, draft });
  const kept = draftStore?.read();
  // What was sent before, and is no longer known here, is not offered to be sent once more.
  const isLost = kept?.isSent === true && !given?.application;
  const state = kept && !isLost ? withKept(empty, kept, validate) : empty;
  return given?.application ? withApplication(state, given.application) : state;
}
