// Applications as the form submits them: one with every answer, one with only the required answers.

import type { Application } from '../../shared/application/application.ts';

export function createFullApplication(): Application {
  return {
    fundingNeed: { amount: 75_000, reason: 'Equipment' },
    business: {
      name: 'Harbor Bakery LLC',
      type: 'LLC',
      industry: 'Food & Beverage',
      address: { street: '12 Wharf Street', city: 'Portland', state: 'ME', zip: '04101' },
      annualRevenue: 640_000,
      foundedMonth: 3,
      foundedDay: 20,
      foundedYear: 2019,
      employees: 9,
      taxId: '123456789',
    },
    owner: {
      firstName: 'Dana',
      lastName: 'Osei',
      email: 'dana@harborbakery.example',
      phone: '2075550134',
      homeAddress: { street: '8 Hill Road', city: 'Bangor', state: 'ME', zip: '04401-1234' },
      birthDate: '1984-07-02',
      ssn: '123456780',
      creditScore: '680-719',
      ownershipPercent: 60,
      otherManagers: true,
    },
    consents: [{ id: 'terms', version: '1' }],
    signature: { name: 'Dana Osei' },
    campaignId: 'spring-2026',
  };
}

export function createMinimalApplication(): Application {
  const { fundingNeed, business, owner, signature } = createFullApplication();
  return {
    fundingNeed,
    business: {
      name: business.name,
      type: business.type,
      industry: business.industry,
      address: business.address,
      annualRevenue: business.annualRevenue,
      foundedMonth: business.foundedMonth,
      foundedYear: business.foundedYear,
    },
    owner: {
      firstName: owner.firstName,
      lastName: owner.lastName,
      email: owner.email,
      phone: owner.phone,
      homeAddress: owner.homeAddress,
      creditScore: owner.creditScore,
    },
    consents: [],
    signature,
  };
}
