// What the host page may ask of the form; never more than an applicant could do.

import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { FailureCode, Result } from '../api/funding-api.ts';
import type { Draft } from '../app/draft.ts';
import type { FlowController } from './flow-controller.ts';
import type { FlowParts } from './flow-parts.ts';
import type { SessionEnd } from './session-end.ts';
import { toBackStep, withBack, withChange, withLater, type FlowState } from './state.ts';
import { isFormStep, isLaterStep, type StepId } from '../app/steps.ts';

/** What the page knows stands in the fields that hold nothing yet. What has been sent stays as it was sent. */
export function withPrefill(state: FlowState, prefill: Draft): FlowState {
  return state.application || state.isSubmitting
    ? state
    : { ...state, draft: { ...prefill, ...state.draft } };
}

/** The state on a step that Back, pressed as often as needed, Change or the record leads to; undefined for any other. */
export function toReached(state: FlowState, step: StepId): FlowState | undefined {
  if (state.isSubmitting || state.step === step) return undefined;
  if (state.application)
    return isLaterStep(step, state.configuration) ? withLater(state, step) : undefined;
  if (state.step === 'review' && isFormStep(step)) return withChange(state, step);
  const back = toBackStep(state) === undefined ? undefined : withBack(state);
  return back?.step === step ? back : back && toReached(back, step);
}

/** Ends the session also where an applicant would be warned of files that are not sent yet; answers with what kept it from ending. */
export async function endForGood({
  end,
  parts,
}: {
  readonly end: SessionEnd;
  readonly parts: FlowParts | undefined;
}): Promise<FailureCode | undefined> {
  const outcome = await end.end(parts?.documents);
  const final = outcome === 'warned' ? await end.end(parts?.documents) : outcome;
  return final === 'failed' ? (end.problem ?? 'internal') : undefined;
}

/**
 * Passes on a report the page has. What sends it comes with the steps after the submission; while they are loaded the session may end, and another applicant begin.
 *
 * @param load brings those steps.
 */
export async function giveReport(
  flow: Pick<FlowController, 'state' | 'submitAssetReport'>,
  report: unknown,
  load: () => Promise<void>,
): Promise<Result<BankReportStatus>> {
  const readReference = () => flow.state?.application?.reference;
  const reference = readReference();
  if (flow.state) await load();
  return readReference() === reference
    ? flow.submitAssetReport(report)
    : { ok: false, code: 'application-missing', errors: [] };
}
