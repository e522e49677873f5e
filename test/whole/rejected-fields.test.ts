// For each lead field that the funding service reports as missing, the form opens the step with that field.

import { describe, expect, it } from 'vitest';
import { toApplicationPointer } from '../../bff/funding-service/lead.ts';
import { classifyText, defaultTextPatterns } from '../../bff/funding-service/failure-texts.ts';
import { leadAddressSchema, leadSchema } from '../../shared/funding-service/lead.ts';
import { withRejection } from '../../widget/flow/after-sending.ts';
import { createFlowState } from '../../widget/flow/state.ts';
import { createConfiguration } from '../support/configuration.ts';
import { completeDraft } from '../support/draft.ts';

/** The step that opens, and the field with the error. Fields that the applicant does not enter open the review step. */
const places: Readonly<Record<string, readonly [step: string, path?: string]>> = {
  ID: ['review'],
  OutcomeID: ['review'],
  CampaignID: ['review'],
  AnnualRevenue: ['business', 'business/annualRevenue'],
  BirthDay: ['identity', 'owner/birthDate'],
  BusinessAddress: ['business', 'business/address/street'],
  'BusinessAddress.Address': ['business', 'business/address/street'],
  'BusinessAddress.City': ['business', 'business/address/city'],
  'BusinessAddress.State': ['business', 'business/address/state'],
  'BusinessAddress.Zip': ['business', 'business/address/zip'],
  BusinessType: ['business', 'business/type'],
  Company: ['business', 'business/name'],
  ContactEmail: ['owner', 'owner/email'],
  ContactFirstName: ['owner', 'owner/firstName'],
  ContactLastName: ['owner', 'owner/lastName'],
  ContactPhone: ['owner', 'owner/phone'],
  CreditScore: ['identity', 'owner/creditScore'],
  FoundedMonth: ['business', 'business/foundedMonth'],
  FoundedYear: ['business', 'business/foundedYear'],
  HomeAddress: ['owner', 'owner/homeAddress/street'],
  'HomeAddress.Address': ['owner', 'owner/homeAddress/street'],
  'HomeAddress.City': ['owner', 'owner/homeAddress/city'],
  'HomeAddress.State': ['owner', 'owner/homeAddress/state'],
  'HomeAddress.Zip': ['owner', 'owner/homeAddress/zip'],
  Industry: ['business', 'business/industry'],
  Ip: ['review'],
  LoanAmount: ['funding-need', 'fundingNeed/amount'],
  LoanReason: ['funding-need', 'fundingNeed/reason'],
  OtherManagers: ['identity', 'owner/otherManagers'],
  OwnershipPct: ['identity', 'owner/ownershipPercent'],
  SignatureIp: ['review'],
  SignatureTimestamp: ['review'],
  SignatureName: ['review', 'signature/name'],
  Ssn: ['identity', 'owner/ssn'],
  TaxId: ['business', 'business/taxId'],
  TimeInBusinessMonths: ['business', 'business/foundedYear'],
  InceptionDate: ['business', 'business/foundedYear'],
  BusinessAge: ['business', 'business/foundedYear'],
  CreatedAt: ['review'],
  IndustryNaics: ['review'],
  LeadSource: ['review'],
  NumberOfOffers: ['review'],
  BusinessTypeByIndustry: ['review'],
  NumberOfEmployees: ['business', 'business/employees'],
  Files: ['review'],
};

const draft = { ...completeDraft, 'owner/homeSameAsBusiness': '' };
const onReview = { ...createFlowState(createConfiguration(), { draft }), step: 'review' } as const;

function refuse(field: string) {
  const text = `Missing required field: ${field}`;
  const refusal = classifyText('create-lead', text, defaultTextPatterns);
  const named = typeof refusal === 'string' ? undefined : refusal.field;
  const pointer = toApplicationPointer(named ?? '');
  return withRejection(onReview, pointer ? [{ pointer, code: 'rejected' }] : []);
}

describe('a rejected field', () => {
  it('has a case in this test for every field of the spec', () => {
    const names = Object.keys(leadSchema.shape);
    const parts = ['BusinessAddress', 'HomeAddress'].flatMap((address) =>
      Object.keys(leadAddressSchema.shape).map((part) => `${address}.${part}`),
    );
    expect(Object.keys(places).toSorted()).toEqual([...names, ...parts].toSorted());
  });

  it.each(Object.entries(places))('%s opens its step', (field, [step, path]) => {
    const state = refuse(field);
    expect(state).toMatchObject({ step, draft, problem: 'application-rejected' });
    expect(state.errors.map((error) => error.path)).toEqual(path === undefined ? [] : [path]);
  });

  it('shows its error at the business address if both are equal', () => {
    const same = { ...onReview, draft: completeDraft };
    const state = withRejection(same, [{ pointer: '/owner/homeAddress/city', code: 'rejected' }]);
    expect(state).toMatchObject({ step: 'business', errors: [{ path: 'business/address/city' }] });
  });
});
