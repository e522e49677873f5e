// Tests for the state of the form during and after a submission.

import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import {
  isUndecided,
  toSubmittedRecord,
  withApplicationStatus,
  withFailure,
  withNewConsents,
  withRejection,
  withSession,
  withSubmitting,
  withUnknownStatus,
} from '../../../widget/app/application-status.ts';
import { honeypotPath } from '../../../widget/app/draft.ts';
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
import { acceptedStatus, createSession } from '../../support/fake-funding-api.ts';

const configuration = createConfiguration();
const start = createForm(configuration);
const review: FormState = { ...start, draft: completeDraft, step: 'review' };
const submitted: FormState = {
  ...withSubmitting(review),
  record: toSubmittedRecord(review),
};
const received = { ...acceptedStatus, status: 'received' } as const;
const rejected = { ...acceptedStatus, status: 'rejected' } as const;
const noErrors = () => [];

function toState(form: FormState, changes: Partial<AppState> = {}): AppState {
  return createAcceptedState({ form, ...changes });
}

function apply(form: FormState, status: ApplicationStatus): FormState | undefined {
  return withApplicationStatus(toState(form), status).form;
}

describe('withSubmitting', () => {
  it('empties the honeypot', () => {
    const form = withSubmitting({
      ...review,
      draft: { ...completeDraft, [honeypotPath]: 'x' },
    });
    expect(form).toMatchObject({ isSubmitting: true, draft: completeDraft });
    expect(form.draft).not.toHaveProperty([honeypotPath]);
  });
});

describe('withFailure', () => {
  it('shows the problem', () => {
    const form = withFailure(submitted, { problem: 'network', errors: [], retryAfterMs: 1000 });
    expect(form).toMatchObject({
      step: 'review',
      isSubmitting: false,
      problem: 'network',
      retryAfterMs: 1000,
    });
  });

  it('shows errors of fields on their step', () => {
    const form = withFailure(submitted, {
      problem: 'invalid-request',
      errors: [{ pointer: '/business/name', code: 'required' }],
    });
    expect(form).toMatchObject({
      step: 'business',
      problem: 'invalid-request',
      errors: [{ path: 'business/name', code: 'required' }],
    });
  });
});

describe('withNewConsents', () => {
  it('removes the consents', () => {
    const form = withNewConsents(submitted, configuration);
    const { 'consents/terms': _terms, ...answers } = completeDraft;
    expect(form).toMatchObject({ step: 'review', problem: 'consent-required' });
    expect(form.draft).toEqual(answers);
  });
});

describe('withApplicationStatus', () => {
  it('keeps the time of the last check', () => {
    const state = toState(review);
    expect(withApplicationStatus(state, received).statusCheck).toBe(state.statusCheck);
  });

  it('shows the record', () => {
    expect(apply(submitted, received)).toMatchObject({
      step: 'submitted',
      application: received,
      isSubmitting: false,
    });
  });

  it('keeps the answers until the application is accepted', () => {
    expect(apply(submitted, received)?.draft).toEqual(completeDraft);
    expect(apply(submitted, acceptedStatus)?.draft).toEqual({});
  });

  it('does not change a later step', () => {
    const later = withNext(apply(submitted, received) ?? start);
    expect(apply(later, acceptedStatus)?.step).toBe('documents');
  });

  it('returns the same state after the application was closed', () => {
    const closed = createAcceptedState({ form: undefined });
    expect(withApplicationStatus(closed, acceptedStatus)).toBe(closed);
  });

  it('removes the record of a rejected application', () => {
    const form = apply(apply(submitted, received) ?? start, rejected);
    expect(form).toMatchObject({
      step: 'review',
      problem: 'application-rejected',
      application: undefined,
      record: undefined,
      rejectedReference: acceptedStatus.reference,
    });
  });

  it('removes the attachments of a rejected application', () => {
    const state = withApplicationStatus(
      toState(
        { ...submitted, application: received },
        { bank: { ...createAcceptedState().bank, report: { status: 'received', delayed: false } } },
      ),
      rejected,
    );
    expect(state.bank.report).toBeUndefined();
    expect(state.form?.problem).toBe('rejected-with-documents');
  });
});

describe('withRejection', () => {
  it('shows the step of the first error with all answers', () => {
    const form = withRejection(review, [{ pointer: '/business/annualRevenue', code: 'rejected' }]);
    expect(form).toMatchObject({
      step: 'business',
      returnsToReview: true,
      draft: completeDraft,
      errors: [{ path: 'business/annualRevenue', code: 'rejected' }],
      problem: 'application-rejected',
    });
    expect(withStepCompleted(form, noErrors)).toMatchObject({ step: 'review', rejections: [] });
  });

  it('shows the review if no field is wrong', () => {
    expect(withRejection(review, [])).toMatchObject({
      step: 'review',
      problem: 'application-rejected',
      draft: completeDraft,
    });
  });

  it('shows an error of the home address on the business address if both are the same', () => {
    const draft = { ...completeDraft, 'owner/homeSameAsBusiness': 'yes' };
    const errors = [{ pointer: '/owner/homeAddress/zip', code: 'rejected' } as const];
    expect(withRejection({ ...review, draft }, errors)).toMatchObject({
      step: 'business',
      errors: [{ path: 'business/address/zip', code: 'rejected' }],
    });
  });

  const twoSteps = withRejection(review, [
    { pointer: '/business/name', code: 'rejected' },
    { pointer: '/owner/phone', code: 'rejected' },
  ]);

  it('leads to every rejected step before the next submission', () => {
    const form = withAllStepsChecked(withStepCompleted(twoSteps, noErrors), noErrors);
    expect(form).toMatchObject({
      step: 'owner',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
  });

  it('shows the errors of a step when the applicant reaches it', () => {
    const form = withStepCompleted({ ...twoSteps, returnsToReview: false }, noErrors);
    expect(form).toMatchObject({
      step: 'owner',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
  });
});

describe('a rejection of an application that an earlier page submitted', () => {
  const phoneRejected: ApplicationStatus = {
    ...rejected,
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

  it('shows the rejected answer if the answers were stored', () => {
    const form = apply(restored, phoneRejected);
    expect(form).toMatchObject({
      step: 'owner',
      draft: answers,
      problem: 'rejected-earlier',
      errors: [{ path: 'owner/phone', code: 'rejected' }],
    });
    expect(form && isRestoredHere(form)).toBe(true);
  });

  it('continues with the answers that are never stored', () => {
    const next = withStepCompleted(apply(restored, phoneRejected) ?? start, noErrors);
    expect(next.step).toBe('identity');
    expect(isRestoredHere(next)).toBe(true);
  });

  it('shows the review if the page has submitted other answers', () => {
    expect(apply(withSubmitting(review), { ...rejected, errors: [] })).toMatchObject({
      step: 'review',
      problem: 'rejected-earlier',
    });
  });
});

describe('withSession', () => {
  const documents = [
    { number: 1, category: 'other', bytes: 1, status: 'received', delayed: false },
  ] as const;

  it('applies the application with its attachments', () => {
    const session = createSession({ application: received, documents: [...documents] });
    const state = withSession(toState(start), session);
    expect(state.form).toMatchObject({ step: 'submitted', application: received });
    expect(state.documents.uploaded.map(({ status }) => status)).toEqual(documents);
  });

  it('ignores the attachments of a rejected application', () => {
    const session = createSession({ application: rejected, documents: [...documents] });
    const state = withSession(toState(start), session);
    expect(state.form?.problem).toBe('rejected-earlier');
    expect(state.documents).toEqual(emptyDocuments);
  });

  it('returns the same state without an application', () => {
    const state = toState(start);
    expect(withSession(state, createSession())).toBe(state);
  });
});

describe('withUnknownStatus', () => {
  it('shows the problem', () => {
    expect(withUnknownStatus(review, 'network', 1000)).toMatchObject({
      problem: 'network',
      retryAfterMs: 1000,
    });
  });

  it('keeps the problem already-sent', () => {
    const form: FormState = { ...review, problem: 'already-sent' };
    expect(withUnknownStatus(form, 'network')).toBe(form);
  });
});

describe('isUndecided', () => {
  it.each([
    ['received', true],
    ['confirming', true],
    ['accepted', false],
  ] as const)('returns for "%s": %s', (status, expected) => {
    expect(isUndecided({ ...start, application: { ...acceptedStatus, status } })).toBe(expected);
  });
});

describe('toSubmittedRecord', () => {
  const record = toSubmittedRecord(review);

  it('contains no secrets', () => {
    expect(record.answers).toEqual({
      ...completeDraft,
      'owner/ssn': '9999',
      'business/taxId': '6789',
      'owner/birthDate/month': '',
      'owner/birthDate/day': '',
    });
  });

  it('contains the accepted consents with their language', () => {
    expect(record).toMatchObject({ consents: [configuration.consents[0]], locale: 'en' });
  });
});
