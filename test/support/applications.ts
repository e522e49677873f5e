// Applications as the form submits them: with every answer, or with only the required answers. Also a contact request and a
// bank report.

import type { Application } from '../../shared/application/application.ts';

export function createFullApplication(): Application {
  return {
    fundingNeed: { amount: 75_000, reason: 'Equipment' },
    business: {
      name: 'Harbor Bakery LLC',
      type: 'LLC',
      industry: 'Food & Beverage',
      address: {
        street: '12 Wharf Street',
        suite: 'Suite 4',
        city: 'Portland',
        state: 'ME',
        zip: '04101',
      },
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
      address: { street: '12 Wharf Street', city: 'Portland', state: 'ME', zip: '04101' },
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

/** The version of every consent that the sandbox requires by default. */
const consentVersion = 'placeholder-1';

/** The full application with the consents that the sandbox requires by default. */
export function createApplication(
  business: object = {},
  others: Partial<Application> = {},
): Application {
  const application = createFullApplication();
  return {
    ...application,
    business: { ...application.business, ...business },
    consents: ['credit-authorization', 'electronic-records', 'terms', 'contact'].map((id) => ({
      id,
      version: consentVersion,
    })),
    ...others,
  };
}

export const contactRequest = JSON.stringify({
  consent: { id: 'contact', version: consentVersion },
});

/** The smallest bank report that the BFF accepts. */
export function createBankReport(id: string): string {
  return JSON.stringify({
    report: { asset_report_id: id, items: [{ accounts: [{ account_id: id }] }] },
  });
}
