// For each lead field that the funding service reports as missing, the form opens the step with that field.

import { describe, expect, it } from 'vitest';
import { toApplicationPointer } from '../../bff/funding-service/lead.ts';
import { classifyText, defaultTextPatterns } from '../../bff/funding-service/failure-texts.ts';
import {
  isAddressField,
  leadAddressSchema,
  leadSchema,
} from '../../shared/funding-service/lead.ts';
import { withRejection } from '../../widget/app/application-status.ts';
import { createForm } from '../../widget/app/navigation.ts';
import { createConfiguration } from '../support/configuration.ts';
import { completeDraft } from '../support/draft.ts';

/** The step with the fields of a section, unless they are in `identityFields`. */
const sectionSteps: Readonly<Record<string, string>> = {
  fundingNeed: 'funding-need',
  business: 'business',
  owner: 'owner',
  signature: 'review',
};

const identityFields = new Set(['BirthDay', 'CreditScore', 'OtherManagers', 'OwnershipPct', 'Ssn']);

/** Fields that the applicant does not enter. */
const otherFields = [
  'ID',
  'OutcomeID',
  'CampaignID',
  'Ip',
  'SignatureIp',
  'SignatureTimestamp',
  'CreatedAt',
  'IndustryNaics',
  'LeadSource',
  'NumberOfOffers',
  'BusinessTypeByIndustry',
  'Files',
];

const enteredFields = Object.keys(leadSchema.shape)
  .filter((name) => !otherFields.includes(name))
  .flatMap((name) =>
    isAddressField(name)
      ? [name, ...Object.keys(leadAddressSchema.shape).map((part) => `${name}.${part}`)]
      : [name],
  );

const draft = { ...completeDraft, 'owner/homeSameAsBusiness': '' };
const onReview = { ...createForm(createConfiguration(), { draft }), step: 'review' } as const;

function refuse(field: string) {
  const text = `Missing required field: ${field}`;
  const refusal = classifyText('create-lead', text, defaultTextPatterns);
  const named = typeof refusal === 'string' ? undefined : refusal.field;
  const pointer = toApplicationPointer(named ?? '');
  return withRejection(onReview, pointer ? [{ pointer, code: 'rejected' }] : []);
}

describe('a rejected field', () => {
  it.each(enteredFields)('opens its step: %s', (field) => {
    const path = toApplicationPointer(field)?.slice(1) ?? '';
    const [section = ''] = path.split('/');
    const step = identityFields.has(field) ? 'identity' : sectionSteps[section];
    const state = refuse(field);
    expect(state).toMatchObject({ step, draft, problem: 'application-rejected' });
    expect(state.errors.map((error) => error.path)).toEqual([path]);
  });

  it.each(otherFields)('opens the review step if the applicant does not enter it: %s', (field) => {
    const state = refuse(field);
    expect(state).toMatchObject({ step: 'review', draft, problem: 'application-rejected' });
    expect(state.errors).toEqual([]);
  });

  it('shows its error at the business address if both are equal', () => {
    const same = { ...onReview, draft: completeDraft };
    const state = withRejection(same, [{ pointer: '/owner/homeAddress/city', code: 'rejected' }]);
    expect(state).toMatchObject({ step: 'business', errors: [{ path: 'business/address/city' }] });
  });
});
