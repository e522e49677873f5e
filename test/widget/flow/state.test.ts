// The transitions of the form, as whole states.

import { describe, expect, it } from 'vitest';
import { withApplication } from '../../../widget/flow/after-sending.ts';
import {
  createFlowState,
  withAllChecked,
  withAnswer,
  withBack,
  withChange,
  withKept,
  withLater,
  withCorrectedErrors,
  withStepCompleted,
  type FlowState,
} from '../../../widget/flow/state.ts';
import { createStepValidation } from '../../../widget/flow/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';

const configuration = createConfiguration();
const validate = createStepValidation(configuration, () => new Date('2026-11-20T12:00:00Z'));
const start = createFlowState(configuration);
const filled: FlowState = { ...start, draft: completeDraft };
const onReview: FlowState = { ...filled, step: 'review' };

describe('leaving a step', () => {
  it('is refused while something is wrong, in the order of the screen', () => {
    const refused = withStepCompleted({ ...start, step: 'business' }, validate);
    expect(refused.step).toBe('business');
    expect(refused.errors.map(({ path }) => path)).toEqual([
      'business/name',
      'business/type',
      'business/industry',
      'business/address/street',
      'business/address/city',
      'business/address/state',
      'business/address/zip',
      'business/annualRevenue',
      'business/foundedMonth',
      'business/foundedYear',
    ]);
  });

  it('leads through the form to the review', () => {
    let state = filled;
    const seen = [state.step];
    while (state.step !== 'review') {
      state = withStepCompleted(state, validate);
      seen.push(state.step);
    }
    expect(seen).toEqual(['funding-need', 'business', 'owner', 'identity', 'review']);
  });

  it('leads straight back to the review after a change', () => {
    const changing = withChange(onReview, 'business');
    expect(withStepCompleted(changing, validate).step).toBe('review');
  });
});

describe('going back', () => {
  it('goes one step back and keeps the answers', () => {
    const back = withBack({ ...filled, step: 'owner' });
    expect(back.step).toBe('business');
    expect(back.draft).toEqual(completeDraft);
  });

  it('leads from a change to the review', () => {
    expect(withBack(withChange(onReview, 'business')).step).toBe('review');
  });

  it('never leads from what was sent back into the form, but to its record from wherever', () => {
    const submitted = withApplication(onReview, acceptedStatus);
    expect(withBack(submitted).step).toBe('submitted');
    for (const step of ['documents', 'bank', 'offers'] as const) {
      expect(withBack(withLater(submitted, step)).step).toBe('submitted');
    }
  });

  it('leads from the first step to the page before it, where there is one', () => {
    expect(withBack(start).step).toBe('funding-need');
    expect(withBack({ ...start, hasStartPage: true }).step).toBe('start');
  });
});

describe('errors', () => {
  const wrong = withStepCompleted(start, validate);

  const corrected = withCorrectedErrors(
    withAnswer(wrong, 'fundingNeed/amount', '75,000'),
    'fundingNeed/amount',
    validate,
  );

  it('are removed when the answer is corrected', () => {
    expect(corrected.errors).toEqual([{ path: 'fundingNeed/reason', code: 'required' }]);
  });

  it('keep their code while the answer is still wrong', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', 'a lot');
    expect(withCorrectedErrors(typed, 'fundingNeed/amount', validate)).toBe(typed);
  });

  it('of a date are corrected by any of its parts', () => {
    const state: FlowState = {
      ...filled,
      step: 'identity',
      errors: [{ path: 'owner/birthDate', code: 'date' }],
    };
    expect(withCorrectedErrors(state, 'owner/birthDate/year', validate).errors).toEqual([]);
  });
});

describe('a form that is taken up again', () => {
  const kept = { step: 'funding-need', returnsToReview: true, omitted: [], isSent: false } as const;
  const answers = completeDraft;

  it('still leads from an answer that was being changed straight back to the review', () => {
    const taken = withKept(start, { ...kept, answers }, validate);
    expect(taken.step).toBe('funding-need');
    expect(withStepCompleted(taken, validate).step).toBe('review');
  });

  it('does not where it is taken up on an earlier step', () => {
    const later = { ...kept, step: 'owner', answers, omitted: ['business/taxId'] } as const;
    expect(withKept(start, later, validate)).toMatchObject({
      step: 'business',
      returnsToReview: false,
    });
  });
});

describe('before sending', () => {
  it('nothing changes when all is well', () => {
    expect(withAllChecked(onReview, validate)).toBe(onReview);
  });

  it('the first wrong step is opened, and leads back to the review', () => {
    const checked = withAllChecked(withAnswer(onReview, 'owner/email', 'rosa'), validate);
    expect(checked).toMatchObject({
      step: 'owner',
      returnsToReview: true,
      errors: [{ path: 'owner/email', code: 'email' }],
    });
  });

  it('a missing consent is asked for on the review', () => {
    const checked = withAllChecked(withAnswer(onReview, 'consents/terms', ''), validate);
    expect(checked).toMatchObject({
      step: 'review',
      errors: [{ path: 'consents/terms', code: 'required' }],
    });
  });
});

describe('what comes after the submission', () => {
  it('is nowhere to be seen before it', () => {
    expect(withLater(onReview, 'offers')).toBe(onReview);
  });
});
