// The way from typed answers to the application that is sent.

import { describe, expect, it } from 'vitest';
import { createApplicationSchemas } from '../../../shared/application/application.ts';
import { toApplicationCandidate } from '../../../widget/app/draft.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';

const { consents } = createConfiguration();

describe('toApplicationCandidate', () => {
  it('reads every answer as it is meant', () => {
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

  it('makes an application the BFF’s own schema accepts', () => {
    const { application } = createApplicationSchemas({
      fundingReasons: ['Equipment'],
      businessTypes: ['LLC'],
      creditScores: ['720+'],
      requiredFields: ['ssn', 'taxId', 'birthDate', 'employees', 'ownershipPercent'],
      now: () => new Date('2026-11-20T12:00:00Z'),
    });
    const sent: unknown = JSON.parse(
      JSON.stringify(toApplicationCandidate(completeDraft, consents)),
    );
    expect(application.safeParse(sent).success).toBe(true);
  });

  it('takes the home address that was typed when it is not the business’s', () => {
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
