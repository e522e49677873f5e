// Tests for the state of the form during and after a submission.

import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import {
  toSubmittedRecord,
  withApplicationStatus,
  withFailure,
  withRejection,
  withSession,
  withSubmitting,
} from '../../../widget/app/application-status.ts';
import { createForm, withNext } from '../../../widget/app/navigation.ts';
import { isRestoredHere } from '../../../widget/form/saved-answers.ts';
import { emptyDocuments, type AppState, type FormState } from '../../../widget/app/store.ts';
import {
  withAllStepsChecked,
  withStepCompleted,
  withStoredDraft,
} from '../../../widget/form/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createAcceptedState } from '../../support/create-feature.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  receivedStatus,
  rejectedStatus,
} from '../../support/fake-funding-api.ts';

const configuration = createConfiguration();
const start = createForm(configuration);
const review: FormState = { ...start, draft: completeDraft, step: 'review' };
const submitted: FormState = { ...withSubmitting(review), record: toSubmittedRecord(review) };
const noErrors = () => [];

function toState(form: FormState, changes: Partial<AppState> = {}): AppState {
  return createAcceptedState({ form, ...changes });
}

function apply(form: FormState, status: ApplicationStatus): FormState {
  return withApplicationStatus(toState(form), status).form!;
}

describe('withApplicationStatus', () => {
  it('keeps the time of the last check', () => {
    const state = toState(review);
    expect(withApplicationStatus(state, receivedStatus).statusCheck).toBe(state.statusCheck);
  });

  it('shows the record, with the answers until the application is accepted', () => {
    const shown = { step: 'submitted', isSubmitting: false };
    const received = apply(submitted, receivedStatus);
    expect(received).toMatchObject({ ...shown, application: receivedStatus });
    expect(received.draft).toEqual(completeDraft);
    expect(apply(submitted, acceptedStatus)).toMatchObject({ ...shown, draft: {} });
  });

  it('does not change a later step', () => {
    const later = withNext(apply(submitted, receivedStatus));
    expect(apply(later, acceptedStatus).step).toBe('documents');
  });

  it('returns the same state after the application was closed', () => {
    const closed = createAcceptedState({ form: undefined });
    expect(withApplicationStatus(closed, acceptedStatus)).toBe(closed);
  });

  it('removes the record of a rejected application', () => {
    expect(apply(apply(submitted, receivedStatus), rejectedStatus)).toMatchObject({
      step: 'review',
      problem: 'application-rejected',
      application: undefined,
      record: undefined,
      rejectedReference: acceptedStatus.reference,
    });
  });
});

describe('withRejection', () => {
  const toRejected = (pointer: string) => ({ pointer, code: 'rejected' }) as const;

  it.each<[string, string[], Partial<FormState>]>([
    [
      'the step of the first error',
      ['/business/annualRevenue'],
      { step: 'business', errors: [{ path: 'business/annualRevenue', code: 'rejected' }] },
    ],
    ['the review if no field is wrong', [], { step: 'review' }],
    [
      'the business address instead of the home address if both are the same',
      ['/owner/homeAddress/zip'],
      { step: 'business', errors: [{ path: 'business/address/zip', code: 'rejected' }] },
    ],
  ])('shows %s, with all answers', (_what, pointers, expected) => {
    const form = withRejection(review, pointers.map(toRejected));
    expect(form).toMatchObject({ ...expected, problem: 'application-rejected' });
    expect(form.draft).toEqual(completeDraft);
  });

  const twoSteps = withRejection(review, ['/business/name', '/owner/phone'].map(toRejected));
  const phoneError = { step: 'owner', errors: [{ path: 'owner/phone', code: 'rejected' }] };

  it('leads to every rejected step, then to the review', () => {
    const second = withAllStepsChecked(withStepCompleted(twoSteps, noErrors), noErrors);
    expect(second).toMatchObject({ ...phoneError, returnsToReview: true });
    expect(withStepCompleted(second, noErrors)).toMatchObject({ step: 'review', rejections: [] });
  });

  it('shows the errors of a step when the applicant reaches it', () => {
    const form = withStepCompleted({ ...twoSteps, returnsToReview: false }, noErrors);
    expect(form).toMatchObject(phoneError);
  });

  it('of the BFF counts like one of the funding service', () => {
    const errors = [{ pointer: '/business/name', code: 'required' } as const];
    expect(withFailure(submitted, { problem: 'invalid-request', errors })).toMatchObject({
      step: 'business',
      problem: 'invalid-request',
      errors: [{ path: 'business/name', code: 'required' }],
    });
  });
});

describe('a rejection of an application that an earlier page submitted', () => {
  const phoneRejected: ApplicationStatus = {
    ...rejectedStatus,
    errors: [{ pointer: '/owner/phone', code: 'rejected' }],
  };
  const { 'owner/ssn': _ssn, 'consents/terms': _terms, ...answers } = completeDraft;
  const restored = withStoredDraft(
    start,
    { step: 'review', returnsToReview: false, answers, omitted: ['owner/ssn'], isSubmitted: true },
    noErrors,
  );

  it('shows the first step without errors if no answers were stored', () => {
    expect(apply(start, phoneRejected)).toMatchObject({
      step: 'funding-need',
      problem: 'rejected-earlier',
      errors: [],
    });
  });

  it('shows the rejected answer, then the answers that are never stored', () => {
    const form = apply(restored, phoneRejected);
    expect(form).toMatchObject({
      step: 'owner',
      draft: answers,
      problem: 'rejected-earlier',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
    expect(isRestoredHere(form)).toBe(true);
    const next = withStepCompleted(form, noErrors);
    expect(next.step).toBe('identity');
    expect(isRestoredHere(next)).toBe(true);
  });

  it('shows the review if the page has submitted other answers', () => {
    expect(apply(withSubmitting(review), rejectedStatus)).toMatchObject({
      step: 'review',
      problem: 'rejected-earlier',
    });
  });

  it('ignores its attachments', () => {
    const session = createSession({
      application: rejectedStatus,
      documents: [deliveredDocument],
    });
    const state = withSession(toState(start), session);
    expect(state.form?.problem).toBe('rejected-earlier');
    expect(state.documents).toEqual(emptyDocuments);
  });
});

it('withSession returns the same state without an application', () => {
  const state = toState(start);
  expect(withSession(state, createSession())).toBe(state);
});

it('the record contains the answers without secrets, and the accepted consents', () => {
  expect(toSubmittedRecord(review)).toMatchObject({
    consents: [configuration.consents[0]],
    locale: 'en',
  });
  expect(toSubmittedRecord(review).answers).toEqual({
    ...completeDraft,
    'owner/ssn': '9999',
    'business/taxId': '6789',
    'owner/birthDate/month': '',
    'owner/birthDate/day': '',
  });
});
