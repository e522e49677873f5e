// Applications as the form submits them: with every answer, or with only the required answers. Also a contact request and a
// bank report.

import type { Application } from '../../shared/application/application.ts';
import fullApplication from '../fixtures/full-application.json' with { type: 'json' };

export function createFullApplication(): Application {
  return structuredClone(fullApplication);
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
