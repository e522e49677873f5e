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
  withMendedErrors,
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

  it('go as soon as their field is mended', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', '75,000');
    const mended = withMendedErrors(typed, 'fundingNeed/amount', validate);
    const said = mended.errors.filter(({ isMended }) => !isMended);
    expect(said.map(({ path }) => path)).toEqual(['fundingNeed/reason']);
  });

  it('that are mended keep their room until the next Continue', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', '75,000');
    const mended = withMendedErrors(typed, 'fundingNeed/amount', validate);
    expect(mended.errors.length).toBe(wrong.errors.length);
    expect(withMendedErrors(mended, 'fundingNeed/amount', validate)).toBe(mended);
    expect(withStepCompleted(mended, validate).errors).toEqual([
      { path: 'fundingNeed/reason', code: 'required' },
    ]);
  });

  it('stay as they are while their field is still wrong', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', 'a lot');
    expect(withMendedErrors(typed, 'fundingNeed/amount', validate)).toBe(typed);
  });

  it('on a date are mended by any of its parts', () => {
    const state: FlowState = {
      ...filled,
      step: 'identity',
      errors: [{ path: 'owner/birthDate', code: 'date' }],
    };
    expect(withMendedErrors(state, 'owner/birthDate/year', validate).errors).toEqual([
      { path: 'owner/birthDate', code: 'date', isMended: true },
    ]);
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
