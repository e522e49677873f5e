// Where a lead field that the service objects to stands in the applicant's own form.

import type { Lead, LeadAddress } from '../../shared/funding-service/lead.ts';

/** JSON Pointers (RFC 6901) into the body of `POST /v1/application`; `undefined` for what the applicant did not give. */
const pointers: Readonly<Record<keyof Lead, string | undefined>> = {
  ID: undefined,
  OutcomeID: undefined,
  CampaignID: undefined,
  AnnualRevenue: '/business/annualRevenue',
  BirthDay: '/owner/birthDate',
  BusinessAddress: '/business/address',
  BusinessType: '/business/type',
  Company: '/business/name',
  ContactEmail: '/owner/email',
  ContactFirstName: '/owner/firstName',
  ContactLastName: '/owner/lastName',
  ContactPhone: '/owner/phone',
  CreditScore: '/owner/creditScore',
  FoundedMonth: '/business/foundedMonth',
  FoundedYear: '/business/foundedYear',
  HomeAddress: '/owner/homeAddress',
  Industry: '/business/industry',
  Ip: undefined,
  LoanAmount: '/fundingNeed/amount',
  LoanReason: '/fundingNeed/reason',
  OtherManagers: '/owner/otherManagers',
  OwnershipPct: '/owner/ownershipPercent',
  SignatureIp: undefined,
  SignatureTimestamp: undefined,
  SignatureName: '/signature/name',
  Ssn: '/owner/ssn',
  TaxId: '/business/taxId',
  // These three are derived from the founding month and year, which is where the applicant can mend them.
  TimeInBusinessMonths: '/business/foundedYear',
  InceptionDate: '/business/foundedYear',
  BusinessAge: '/business/foundedYear',
  CreatedAt: undefined,
  IndustryNaics: undefined,
  LeadSource: undefined,
  NumberOfOffers: undefined,
  BusinessTypeByIndustry: undefined,
  NumberOfEmployees: '/business/employees',
  Files: undefined,
};

const addressParts: Readonly<Record<keyof LeadAddress, string>> = {
  Address: 'street',
  City: 'city',
  State: 'state',
  Zip: 'zip',
};

const byName = toLowerCaseKeys(pointers);
const partsByName = toLowerCaseKeys(addressParts);

/**
 * `AnnualRevenue` → `/business/annualRevenue`; `BusinessAddress` and `BusinessAddress.Address` → `/business/address/street`,
 * because an error needs one field to stand at. Case does not matter.
 */
export function toApplicationPointer(field: string): string | undefined {
  const [name = '', part] = field.toLowerCase().split('.');
  const pointer = byName.get(name);
  if (pointer === undefined || !name.endsWith('address')) return pointer;
  return `${pointer}/${partsByName.get(part ?? 'address') ?? addressParts.Address}`;
}

function toLowerCaseKeys<Value>(
  table: Readonly<Record<string, Value>>,
): ReadonlyMap<string, Value> {
  return new Map(Object.entries(table).map(([key, value]) => [key.toLowerCase(), value]));
}
