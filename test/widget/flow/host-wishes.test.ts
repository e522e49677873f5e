// What the host page may ask of the form.

import { describe, expect, it } from 'vitest';
import { toReached, withPrefill } from '../../../widget/flow/host-wishes.ts';
import { createFlowState, withChange, type FlowState } from '../../../widget/flow/state.ts';
import { stepIds, type StepId } from '../../../widget/app/steps.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';

function createState(step: StepId, changes: Partial<FlowState> = {}): FlowState {
  const state = createFlowState(createConfiguration(), { hasStartPage: true });
  return { ...state, step, ...changes };
}

function listReached(state: FlowState): readonly StepId[] {
  return stepIds.filter((step) => toReached(state, step)?.step === step);
}

describe('going to a step', () => {
  it('leads no further than Back does', () => {
    expect(listReached(createState('start'))).toEqual([]);
    expect(listReached(createState('owner'))).toEqual(['start', 'funding-need', 'business']);
  });

  it('leads from the review where Change does, and returns to it', () => {
    const review = createState('review');
    expect(listReached(review)).toEqual(['start', 'funding-need', 'business', 'owner', 'identity']);
    expect(toReached(review, 'business')?.returnsToReview).toBe(true);
  });

  it('leads from a step that is being changed to the review and to what Back shows from there', () => {
    expect(listReached(withChange(createState('review'), 'business'))).toContain('review');
  });

  it('leads after the submission where its record does, and never back into the form', () => {
    const sent = { application: acceptedStatus };
    expect(listReached(createState('submitted', sent))).toEqual(['documents', 'bank', 'offers']);
    const configuration = createConfiguration({ bankConnection: 'off' });
    expect(listReached(createState('offers', { ...sent, configuration }))).toEqual([
      'submitted',
      'documents',
    ]);
  });

  it('leads nowhere while the application is being sent', () => {
    expect(listReached(createState('review', { isSubmitting: true }))).toEqual([]);
  });
});

describe('a prefill', () => {
  it('fills fields that hold nothing, and leaves what was typed, also what was emptied', () => {
    const typed = createState('owner', { draft: { 'owner/firstName': 'Ana', 'owner/email': '' } });
    const prefill = { 'owner/firstName': 'Rosa', 'owner/email': 'a@b.example', 'owner/phone': '1' };
    expect(withPrefill(typed, prefill).draft).toEqual({
      'owner/firstName': 'Ana',
      'owner/email': '',
      'owner/phone': '1',
    });
  });

  it('leaves an application alone that is being sent, or was', () => {
    const sending = createState('review', { isSubmitting: true });
    const sent = createState('submitted', { application: acceptedStatus });
    expect(withPrefill(sending, { 'owner/phone': '1' })).toBe(sending);
    expect(withPrefill(sent, { 'owner/phone': '1' })).toBe(sent);
  });
});
