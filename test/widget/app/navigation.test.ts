// Tests for answers, errors, and the way from step to step.

import { describe, expect, it } from 'vitest';
import {
  createForm,
  type FormStepId,
  type StepId,
  stepIds,
  toReachable,
  type ValidateStep,
  withAnswer,
  withBack,
  withStepToEdit,
  withLaterStep,
  withPrefill,
} from '../../../widget/app/navigation.ts';
import type { FormState } from '../../../widget/app/store.ts';
import {
  withAllStepsChecked,
  withCorrectedErrors,
  withStepCompleted,
  withStoredDraft,
} from '../../../widget/form/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';
import { acceptedStatus } from '../../support/fake-funding-api.ts';

const configuration = createConfiguration();
/** Fields of each step, and when they are correct. */
const fields: Partial<Record<FormStepId, Readonly<Record<string, RegExp>>>> = {
  'funding-need': { 'fundingNeed/amount': /\d/, 'fundingNeed/reason': /./ },
  business: { 'business/name': /./ },
  owner: { 'owner/email': /@/ },
  review: { 'consents/terms': /yes/ },
};

const validate: ValidateStep = ({ draft }, step) =>
  Object.entries(fields[step] ?? {})
    .filter(([path, pattern]) => !pattern.test(draft[path] ?? ''))
    .map(([path]) => ({ path, code: 'required' }));

const start = createForm(configuration);
const filled: FormState = { ...start, draft: completeDraft };
const review: FormState = { ...filled, step: 'review' };

describe('withStepCompleted', () => {
  it('shows the errors of the step', () => {
    expect(withStepCompleted({ ...start, step: 'business' }, validate)).toMatchObject({
      step: 'business',
      errors: [{ path: 'business/name', code: 'required' }],
    });
  });

  it('returns to the review after a change', () => {
    expect(withStepCompleted(withStepToEdit(review, 'business'), validate).step).toBe('review');
  });
});

describe('withBack', () => {
  it.each<[string, FormState, StepId]>([
    ['to the previous step', { ...filled, step: 'owner' }, 'business'],
    ['from a change to the review', withStepToEdit(review, 'business'), 'review'],
    ['from the first step to the start page', { ...start, hasStartPage: true }, 'start'],
    ['nowhere without a start page', start, 'funding-need'],
  ])('leads %s, with all answers', (_where, form, step) => {
    expect(withBack(form)).toMatchObject({ step, draft: form.draft });
  });

  it.each(['submitted', 'documents', 'bank', 'offers'] as const)(
    'leads from "%s" to the record',
    (step) => {
      expect(withBack({ ...start, application: acceptedStatus, step }).step).toBe('submitted');
    },
  );
});

describe('withCorrectedErrors', () => {
  const wrong = withStepCompleted(start, validate);

  it('removes the error of a corrected answer', () => {
    const path = 'fundingNeed/amount';
    const form = withCorrectedErrors(withAnswer(wrong, path, '75,000'), path, validate);
    expect(form.errors).toEqual([{ path: 'fundingNeed/reason', code: 'required' }]);
  });

  it('keeps the code of an error while the answer is still wrong', () => {
    const typed = withAnswer(wrong, 'fundingNeed/amount', 'a lot');
    expect(withCorrectedErrors(typed, 'fundingNeed/amount', validate)).toBe(typed);
  });

  it('removes the error of a date when any of its parts corrects it', () => {
    const form: FormState = {
      ...filled,
      step: 'identity',
      errors: [{ path: 'owner/birthDate', code: 'date' }],
    };
    expect(withCorrectedErrors(form, 'owner/birthDate/year', validate).errors).toEqual([]);
  });
});

describe('withStoredDraft', () => {
  const stored = { returnsToReview: true, answers: completeDraft, isSubmitted: false } as const;

  it('returns to the review from an answer that was being changed', () => {
    const form = withStoredDraft(start, { ...stored, step: 'funding-need', omitted: [] }, validate);
    expect(form.step).toBe('funding-need');
    expect(withStepCompleted(form, validate).step).toBe('review');
  });

  it('shows an earlier step that is incomplete', () => {
    const form = withStoredDraft(
      start,
      { ...stored, step: 'owner', omitted: ['business/taxId'] },
      validate,
    );
    expect(form).toMatchObject({ step: 'business', returnsToReview: false });
  });
});

describe('withAllStepsChecked', () => {
  it('returns the same form if there is no error', () => {
    expect(withAllStepsChecked(review, validate)).toBe(review);
  });

  it.each([
    ['owner/email', 'rosa', 'owner'],
    ['consents/terms', '', 'review'],
  ])('shows the first step with an error (%s: %j)', (path, value, step) => {
    const form = withAllStepsChecked(withAnswer(review, path, value), validate);
    expect(form).toMatchObject({ step, errors: [{ path, code: 'required' }] });
    expect(form.returnsToReview).toBe(step !== 'review');
  });
});

describe('withLaterStep', () => {
  it('returns the same form before the submission', () => {
    expect(withLaterStep(review, 'offers')).toBe(review);
  });
});

describe('toReachable', () => {
  function create(step: StepId, changes: Partial<FormState> = {}): FormState {
    return { ...createForm(configuration, { hasStartPage: true }), step, ...changes };
  }

  function listReachable(form: FormState): readonly StepId[] {
    return stepIds.filter((step) => toReachable(form, step)?.step === step);
  }

  const sent = { application: acceptedStatus };
  const editable: StepId[] = ['start', 'funding-need', 'business', 'owner', 'identity'];

  it.each<[string, FormState, readonly StepId[]]>([
    ['no step before the first one', create('start'), []],
    ['the steps that Back leads to', create('owner'), ['start', 'funding-need', 'business']],
    ['every step that the review can change', create('review'), editable],
    [
      'the other steps after the submission',
      create('submitted', sent),
      ['documents', 'bank', 'offers'],
    ],
    [
      'no bank step without a bank connection',
      create('offers', {
        ...sent,
        configuration: createConfiguration({ bankConnection: 'off' }),
      }),
      ['submitted', 'documents'],
    ],
    ['no step during the submission', create('review', { isSubmitting: true }), []],
  ])('allows %s', (_what, form, steps) => {
    expect(listReachable(form)).toEqual(steps);
  });

  it('returns to the review after a change', () => {
    const form = toReachable(create('review'), 'business')!;
    expect(form.returnsToReview).toBe(true);
    expect(listReachable(form)).toContain('review');
  });
});

describe('withPrefill', () => {
  const prefill = { 'owner/firstName': 'Rosa', 'owner/email': 'a@b.example', 'owner/phone': '1' };

  it('keeps typed answers, also those that were cleared', () => {
    const draft = { 'owner/firstName': 'Ana', 'owner/email': '' };
    expect(withPrefill({ ...start, draft }, prefill).draft).toEqual({
      'owner/firstName': 'Ana',
      'owner/email': '',
      'owner/phone': '1',
    });
  });

  it('does not count as typing', () => {
    const form = withPrefill(start, prefill);
    expect(form.initialDraft).toBe(form.draft);
  });

  it.each<[string, Partial<FormState>]>([
    ['during the submission', { isSubmitting: true }],
    ['after the submission', { application: acceptedStatus }],
  ])('changes nothing %s', (_when, changes) => {
    const form = { ...start, ...changes };
    expect(withPrefill(form, prefill)).toBe(form);
  });
});
