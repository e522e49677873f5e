// From the form's application to the 37 fields of Create Lead; the provenance of each is in the design's table.

import type { Address } from '../../shared/application/address.ts';
import type { Application } from '../../shared/application/application.ts';
import { leadSchema, type Lead, type LeadAddress } from '../../shared/funding-service/lead.ts';
import { toBusinessAge, toFoundedMonth, toInceptionDate, toMonthsInBusiness } from './founded.ts';
import type { BusinessAgeFormat, FoundedMonthFormat } from './founded.ts';

/** Fields that neither the applicant nor the host page may set. */
export const partnerFields = [
  'CampaignID',
  'OutcomeID',
  'IndustryNaics',
  'BusinessTypeByIndustry',
  'NumberOfOffers',
  'Files',
] as const satisfies readonly (keyof Lead)[];

export type PartnerFields = Partial<Pick<Lead, (typeof partnerFields)[number]>>;

/**
 * A partner's hook: looks at a copy of an application and answers with fields only the partner knows; it can set no others.
 * `signal` is aborted when nobody waits for the answer any more.
 */
export type EnrichLead = (
  application: Application,
  signal: AbortSignal,
) => PartnerFields | Promise<PartnerFields>;

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
