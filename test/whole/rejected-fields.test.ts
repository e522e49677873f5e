// For each lead field that the funding service reports as missing, the form opens the step with that field.

import { describe, expect, it } from 'vitest';
import { toApplicationPointer } from '../../bff/funding-service/lead.ts';
import { classifyText, defaultTextPatterns } from '../../bff/funding-service/failure-texts.ts';
import { isAddressField, leadSchema } from '../../shared/funding-service/lead.ts';
import type { StepId } from '../../widget/app/navigation.ts';
import { withRejection } from '../../widget/app/application-status.ts';
import { createForm } from '../../widget/app/navigation.ts';
import { createConfiguration } from '../support/configuration.ts';
import { completeDraft } from '../support/draft.ts';

const fieldsByStep: Readonly<Partial<Record<StepId, string>>> = {
  'funding-need': 'LoanAmount LoanReason',
  business:
    'AnnualRevenue BusinessAddress BusinessAge BusinessType Company FoundedMonth FoundedYear InceptionDate Industry NumberOfEmployees TaxId TimeInBusinessMonths',
  owner: 'ContactEmail ContactFirstName ContactLastName ContactPhone HomeAddress',
  identity: 'BirthDay CreditScore OtherManagers OwnershipPct Ssn',
  review: 'SignatureName',
};
/** Fields that the applicant does not enter. */
const otherFields =
  'BusinessTypeByIndustry CampaignID CreatedAt Files ID IndustryNaics Ip LeadSource NumberOfOffers OutcomeID SignatureIp SignatureTimestamp';

const draft = { ...completeDraft, 'owner/homeSameAsBusiness': '' };
const onReview = { ...createForm(createConfiguration(), { draft }), step: 'review' } as const;

const enteredFields = Object.entries(fieldsByStep).flatMap(([step, fields]) =>
  fields.split(' ').flatMap((field) => {
    const parts = isAddressField(field) ? ['', '.Address', '.City', '.State', '.Zip'] : [''];
    return parts.map((part) => [`${field}${part}`, step]);
  }),
);

function refuse(field: string) {
  const text = `Missing required field: ${field}`;
  const refusal = classifyText('create-lead', text, defaultTextPatterns);
  const named = typeof refusal === 'string' ? undefined : refusal.field;
  const pointer = toApplicationPointer(named ?? '');
  return withRejection(onReview, pointer ? [{ pointer, code: 'rejected' }] : []);
}

describe('a rejected field', () => {
  it.each(enteredFields)('opens its step: %s', (field = '', step) => {
    const state = refuse(field);
    expect(state).toMatchObject({ step, draft, problem: 'application-rejected' });
    expect(state.errors.map(({ path }) => `/${path}`)).toEqual([toApplicationPointer(field)]);
  });

  it.each(otherFields.split(' '))('opens the review step: %s', (field) => {
    const review = { step: 'review', draft, problem: 'application-rejected', errors: [] };
    expect(refuse(field)).toMatchObject(review);
  });

  it('is any field of a lead', () => {
    const listed = [...enteredFields.map(([field = '']) => field), ...otherFields.split(' ')];
    const whole = listed.filter((field) => !field.includes('.'));
    expect(whole.toSorted()).toEqual(Object.keys(leadSchema.shape).toSorted());
  });
});
