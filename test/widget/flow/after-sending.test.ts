// What becomes of a form that was sent: its record, and the way back where the service refuses it.

import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import {
  withApplication,
  withRecord,
  withRejection,
  withSubmitting,
} from '../../../widget/flow/after-sending.ts';
import {
  createFlowState,
  isRestoredHere,
  withAllChecked,
  withKept,
  withNext,
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
const onReview: FlowState = { ...start, draft: completeDraft, step: 'review' };
const received = { ...acceptedStatus, status: 'received' } as const;

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

  it('shows what else was refused as soon as its step is reached, not only when it is sent again', () => {
    const refused = withRejection(onReview, [
      { pointer: '/business/name', code: 'rejected' },
      { pointer: '/owner/phone', code: 'rejected' },
    ]);
    const walking = { ...refused, returnsToReview: false };
    expect(withStepCompleted(walking, validate)).toMatchObject({
      step: 'owner',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
  });
});

describe('the record of what was sent', () => {
  const filed = withApplication(withRecord(withSubmitting(onReview)), acceptedStatus);

  it('has every answer, of secret numbers the last four digits, and of the date of birth the year', () => {
    expect(filed.draft).toEqual({});
    expect(filed.record?.answers).toEqual({
      ...completeDraft,
      'owner/ssn': '9999',
      'business/taxId': '6789',
      'owner/birthDate/month': '',
      'owner/birthDate/day': '',
    });
  });

  it('has the consents that were given, in the words that were read, and knows their language', () => {
    expect(filed.record).toMatchObject({ consents: [configuration.consents[0]], locale: 'en' });
  });

  it('goes when the service refuses the application', () => {
    const refused = withApplication(
      withApplication(withRecord(withSubmitting(onReview)), received),
      { ...acceptedStatus, status: 'rejected' },
    );
    expect(refused).toMatchObject({
      step: 'review',
      problem: 'application-rejected',
      record: undefined,
    });
  });
});

describe('a refusal of what an earlier page sent', () => {
  const rejected: ApplicationStatus = {
    ...acceptedStatus,
    status: 'rejected',
    errors: [{ pointer: '/owner/phone', code: 'rejected' }],
  };
  const { 'owner/ssn': _ssn, 'consents/terms': _terms, ...answers } = completeDraft;

  it('leads to the first step when nothing was kept, and accuses nobody there', () => {
    expect(withApplication(start, rejected)).toMatchObject({
      step: 'funding-need',
      problem: 'rejected-earlier',
      errors: [],
    });
  });

  it('leads to what was refused, with the answers that were kept', () => {
    const kept = {
      step: 'review',
      returnsToReview: false,
      answers,
      omitted: ['owner/ssn'],
      isSent: true,
    } as const;
    const state = withApplication(withKept(start, kept, validate), rejected);
    expect(state).toMatchObject({
      step: 'owner',
      draft: answers,
      problem: 'rejected-earlier',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
    expect(isRestoredHere(state)).toBe(true);
  });

  it('leads on to what was not kept', () => {
    const kept = {
      step: 'review',
      returnsToReview: false,
      answers,
      omitted: ['owner/ssn'],
      isSent: true,
    } as const;
    const state = withApplication(withKept(start, kept, validate), rejected);
    const next = withStepCompleted(state, validate);
    expect([next.step, isRestoredHere(next)]).toEqual(['identity', true]);
  });

  it('of other answers than those on the page leads to the review of these', () => {
    const state = withApplication(withSubmitting(onReview), { ...rejected, errors: [] });
    expect(state).toMatchObject({ step: 'review', problem: 'rejected-earlier' });
  });
});
