// The transitions of the form, as whole states.

import { describe, expect, it } from 'vitest';
import {
  createFlowState,
  withAllChecked,
  withAnswer,
  withApplication,
  withBack,
  withChange,
  withMendedErrors,
  withNext,
  withRejection,
  withStepCompleted,
  type FlowState,
} from '../../../widget/flow/state.ts';
import { createStepValidation } from '../../../widget/flow/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';

const configuration = createConfiguration();
const validate = createStepValidation(configuration, () => new Date('2026-11-20T12:00:00Z'));
const start = createFlowState(configuration, undefined);
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

  it('never leads from what was sent back into the form', () => {
    const submitted = withApplication(onReview, acceptedStatus);
    expect(withBack(submitted).step).toBe('submitted');
    expect(withBack(withNext(submitted)).step).toBe('submitted');
  });
});

describe('errors', () => {
  const wrong = withStepCompleted(start, validate);

  it('go as soon as their field is mended', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', '75,000');
    const mended = withMendedErrors(typed, 'fundingNeed/amount', validate);
    expect(mended.errors.map(({ path }) => path)).toEqual(['fundingNeed/reason']);
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
    expect(withMendedErrors(state, 'owner/birthDate/year', validate).errors).toEqual([]);
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

describe('the answer of the service', () => {
  it('clears the answers once it has accepted them', () => {
    const state = withApplication(onReview, acceptedStatus);
    expect(state).toMatchObject({ step: 'submitted', draft: {}, application: acceptedStatus });
  });

  it('keeps the answers while they are on their way', () => {
    const state = withApplication(onReview, { ...acceptedStatus, status: 'received' });
    expect(state).toMatchObject({ step: 'submitted', draft: completeDraft });
  });

  it('does not move an applicant who has gone on to a later step', () => {
    const received = withApplication(onReview, { ...acceptedStatus, status: 'received' });
    const later = withApplication(withNext(received), acceptedStatus);
    expect(later.step).toBe('documents');
  });

  it('opens the step of the field it refused, with everything still there', () => {
    const state = withRejection(onReview, [
      { pointer: '/business/annualRevenue', code: 'rejected' },
    ]);
    expect(state).toMatchObject({
      step: 'business',
      returnsToReview: true,
      draft: completeDraft,
      errors: [{ path: 'business/annualRevenue', code: 'rejected' }],
      problem: 'application-rejected',
    });
    expect(withStepCompleted(state, validate)).toMatchObject({ step: 'review', rejections: [] });
  });

  it('stays on the review when it names no field', () => {
    expect(withRejection(onReview, [])).toMatchObject({
      step: 'review',
      problem: 'application-rejected',
      draft: completeDraft,
    });
  });

  it('leads through every refused step before the application can be sent again', () => {
    const refused = withRejection(onReview, [
      { pointer: '/business/name', code: 'rejected' },
      { pointer: '/owner/phone', code: 'rejected' },
    ]);
    const next = withAllChecked(withStepCompleted(refused, validate), validate);
    expect(next).toMatchObject({
      step: 'owner',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
  });

  it('says so when it refused an earlier visit’s application', () => {
    const state = createFlowState(configuration, { ...acceptedStatus, status: 'rejected' });
    expect(state).toMatchObject({ step: 'funding-need', problem: 'rejected-earlier' });
  });
});
