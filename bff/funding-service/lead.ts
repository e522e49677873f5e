// From the form's application to the 37 fields of Create Lead; the provenance of each is in the design's table.

import type { Address, Application } from '../../shared/application/application.ts';
import { type Lead, type LeadAddress, leadSchema } from '../../shared/funding-service/lead.ts';
import { partnerFields, type PartnerFields } from '../config/hooks.ts';
import type { BusinessAgeFormat, FoundedMonthFormat } from '../config/settings.ts';

export interface LeadSettings {
  /** The partner's name unless configured otherwise. */
  readonly leadSource: string;
  /** The same for every lead. */
  readonly fields?: PartnerFields | undefined;
  /** Campaign ids the host page may pass with an application; any other is left out. Default none. */
  readonly allowedCampaignIds?: readonly string[] | undefined;
  /** The specification does not show the form; default `number`. */
  readonly foundedMonthFormat?: FoundedMonthFormat | undefined;
  /** The specification does not show the form; default `years`. */
  readonly businessAgeFormat?: BusinessAgeFormat | undefined;
}

export interface LeadContext {
  /** The lead's `ID`; it comes back as `ReferenceID`. */
  readonly id: string;
  readonly createdAt: Date;
  readonly signedAt: Date;
  /** Of the applicant's device, as far as trusted proxies tell. */
  readonly clientAddress?: string | undefined;
}

/** `enrichment` is what `EnrichLead` answered; it goes before the campaign of the application and the settings. Throws when the result is no lead. */
export function toLead(
  application: Application,
  context: LeadContext,
  settings: LeadSettings,
  enrichment: PartnerFields = {},
): Lead {
  return leadSchema.parse(
    withoutUndefined({
      ...toApplicantFields(application),
      ...toDerivedFields(application, context, settings),
      ...toContextFields(context, settings),
      ...pickPartnerFields(settings.fields ?? {}),
      ...allowedCampaign(application, settings),
      ...pickPartnerFields(enrichment),
    }),
  );
}

function toApplicantFields({ fundingNeed, business, owner, signature }: Application) {
  return {
    LoanAmount: fundingNeed.amount,
    LoanReason: fundingNeed.reason,
    Company: business.name,
    BusinessType: business.type,
    Industry: business.industry,
    BusinessAddress: toLeadAddress(business.address),
    AnnualRevenue: business.annualRevenue,
    FoundedYear: String(business.foundedYear),
    NumberOfEmployees: business.employees,
    TaxId: business.taxId,
    ContactFirstName: owner.firstName,
    ContactLastName: owner.lastName,
    ContactEmail: owner.email,
    ContactPhone: owner.phone,
    BirthDay: owner.birthDate,
    Ssn: owner.ssn,
    HomeAddress: toLeadAddress(owner.homeAddress),
    CreditScore: owner.creditScore,
    OwnershipPct: owner.ownershipPercent,
    OtherManagers: owner.otherManagers,
    SignatureName: signature.name,
  };
}

function toDerivedFields({ business }: Application, context: LeadContext, settings: LeadSettings) {
  const months = toMonthsInBusiness(business, context.createdAt);
  return {
    FoundedMonth: toFoundedMonth(business.foundedMonth, settings.foundedMonthFormat ?? 'number'),
    TimeInBusinessMonths: months,
    BusinessAge: toBusinessAge(months, settings.businessAgeFormat ?? 'years'),
    InceptionDate: toInceptionDate(business),
  };
}

function toContextFields(context: LeadContext, settings: LeadSettings) {
  return {
    ID: context.id,
    CreatedAt: context.createdAt.toISOString(),
    LeadSource: settings.leadSource,
    SignatureTimestamp: context.signedAt.toISOString(),
    SignatureIp: context.clientAddress,
    Ip: context.clientAddress,
  };
}

function toLeadAddress({ street, city, state, zip }: Address): LeadAddress {
  return { Address: street, City: city, State: state, Zip: zip };
}

function allowedCampaign({ campaignId }: Application, settings: LeadSettings): PartnerFields {
  if (campaignId === undefined || !settings.allowedCampaignIds?.includes(campaignId)) return {};
  return { CampaignID: campaignId };
}

/** A copy of the value, or `undefined` where the service takes no such value in that field. */
export function readPartnerField(
  name: (typeof partnerFields)[number],
  value: unknown,
): string | string[] | undefined {
  return leadSchema.shape[name].safeParse(value).data;
}

/** A hook is the partner's code: whatever else it answers with is left out. */
function pickPartnerFields(fields: PartnerFields): PartnerFields {
  return Object.fromEntries(
    partnerFields
      .map((name) => [name, fields[name] ?? undefined] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** Absent fields are absent on the wire, not null. */
function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export interface Founded {
  readonly foundedYear: number;
  /** 1 to 12. */
  readonly foundedMonth: number;
  readonly foundedDay?: number | undefined;
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** March is `3`, `03`, `March` or `Mar`. */
export function toFoundedMonth(month: number, format: FoundedMonthFormat): string {
  const name = monthNames[month - 1];
  if (name === undefined) throw new RangeError('No such month');
  switch (format) {
    case 'number':
      return String(month);
    case 'two-digit':
      return String(month).padStart(2, '0');
    case 'name':
      return name;
    case 'short-name':
      return name.slice(0, 3);
  }
}

/** Whole months at `now` (UTC), never negative; with an unknown day the founding month counts in full. */
export function toMonthsInBusiness(founded: Founded, now: Date): number {
  const months =
    (now.getUTCFullYear() - founded.foundedYear) * 12 +
    now.getUTCMonth() +
    1 -
    founded.foundedMonth;
  const isIncomplete = founded.foundedDay !== undefined && now.getUTCDate() < founded.foundedDay;
  return Math.max(0, isIncomplete ? months - 1 : months);
}

/** 75 months are `6`, `75` or `6 years 3 months`. */
export function toBusinessAge(months: number, format: BusinessAgeFormat): string {
  const years = Math.floor(months / 12);
  switch (format) {
    case 'years':
      return String(years);
    case 'months':
      return String(months);
    case 'years-and-months':
      return `${counted(years, 'year')} ${counted(months % 12, 'month')}`;
  }
}

/** `YYYY-MM-DD`; `undefined` when the day is not known. */
export function toInceptionDate({
  foundedYear,
  foundedMonth,
  foundedDay,
}: Founded): string | undefined {
  if (foundedDay === undefined) return undefined;
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  return `${pad(foundedYear, 4)}-${pad(foundedMonth, 2)}-${pad(foundedDay, 2)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

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
