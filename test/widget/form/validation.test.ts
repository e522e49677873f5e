// Tests for the errors on a step, and for the application that the answers make.

import { describe, expect, it } from 'vitest';
import { createApplicationSchema } from '../../../shared/application/application.ts';
import type { Draft } from '../../../widget/app/draft.ts';
import { formSteps, type FormStepId } from '../../../widget/app/navigation.ts';
import { createValidation, toApplicationCandidate } from '../../../widget/form/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';

const validate = createValidation(() => new Date('2026-11-20T12:00:00Z'));
const configuration = createConfiguration();

function listPaths(step: FormStepId, draft: Draft = {}): readonly string[] {
  return validate({ configuration, draft }, step).map(({ path }) => path);
}

describe('createValidation', () => {
  it.each(formSteps)('finds no error in complete answers (%s)', (step) => {
    expect(listPaths(step, completeDraft)).toEqual([]);
  });

  it('lists the errors in the order of the fields', () => {
    expect(listPaths('business')).toEqual([
      'business/name',
      'business/type',
      'business/industry',
      'business/address/street',
      'business/address/zip',
      'business/address/city',
      'business/address/state',
      'business/annualRevenue',
      'business/foundedMonth',
      'business/foundedYear',
    ]);
  });

  it('lists the errors of one step only', () => {
    expect(listPaths('owner').filter((path) => listPaths('identity').includes(path))).toEqual([]);
  });

  it('requires the fields that the configuration names', () => {
    const required = createConfiguration({ requiredFields: ['birthDate'] });
    const draft = { ...completeDraft, 'owner/birthDate/year': '', 'owner/birthDate/month': '' };
    const without = { ...draft, 'owner/birthDate/day': '' };
    expect(listPaths('identity', without)).toEqual([]);
    expect(validate({ configuration: required, draft: without }, 'identity')).toMatchObject([
      { path: expect.stringMatching(/^owner\/birthDate/) as string, code: 'required' },
    ]);
  });

  it('requires the consents of the configuration', () => {
    const [terms] = configuration.consents;
    const consents = [{ ...terms!, id: 'privacy' }, ...configuration.consents];
    const errors = validate(
      { configuration: createConfiguration({ consents }), draft: completeDraft },
      'review',
    );
    expect(errors).toEqual([{ path: 'consents/privacy', code: 'required' }]);
  });

  it('compares the signature with the last name', () => {
    const draft = { ...completeDraft, 'signature/name': 'Ana Lopez' };
    expect(validate({ configuration, draft }, 'review')).toEqual([
      { path: 'signature/name', code: 'name-mismatch' },
    ]);
  });
});

describe('toApplicationCandidate', () => {
  const { consents } = configuration;

  it('reads every answer', () => {
    const address = { street: '100 Main St', city: 'Austin', state: 'TX', zip: '78701-1234' };
    expect(toApplicationCandidate(completeDraft, consents)).toEqual({
      fundingNeed: { amount: 75_000, reason: 'Equipment' },
      business: {
        name: 'Rosa’s Bakery LLC',
        type: 'LLC',
        industry: 'Food & Beverage',
        address,
        annualRevenue: 480_000,
        foundedMonth: 3,
        foundedDay: undefined,
        foundedYear: 2017,
        employees: 6,
        taxId: '123456789',
      },
      owner: {
        firstName: 'Rosa',
        lastName: 'Núñez',
        email: 'rosa@example.com',
        phone: '5125550134',
        homeAddress: address,
        birthDate: '1985-04-27',
        ssn: '219099999',
        creditScore: '720+',
        ownershipPercent: 100,
        otherManagers: false,
      },
      consents: [{ id: 'terms', version: '1' }],
      signature: { name: 'Rosa Nunez' },
    });
  });

  it('matches the schema of the BFF', () => {
    const application = createApplicationSchema({
      fundingReasons: ['Equipment'],
      businessTypes: ['LLC'],
      creditScores: ['720+'],
      requiredFields: ['ssn', 'taxId', 'birthDate', 'employees', 'ownershipPercent'],
      now: () => new Date('2026-11-20T12:00:00Z'),
    });
    const body = JSON.stringify(toApplicationCandidate(completeDraft, consents));
    expect(application.safeParse(JSON.parse(body)).success).toBe(true);
  });

  it('contains the home address that differs from the business address', () => {
    const draft = {
      ...completeDraft,
      'owner/homeSameAsBusiness': '',
      'owner/homeAddress/street': '7 Elm St',
      'owner/homeAddress/city': 'Waco',
      'owner/homeAddress/state': 'TX',
      'owner/homeAddress/zip': '76701',
    };
    expect(toApplicationCandidate(draft, consents).owner.homeAddress).toEqual({
      street: '7 Elm St',
      city: 'Waco',
      state: 'TX',
      zip: '76701',
    });
  });
});
