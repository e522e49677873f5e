// Builds the lead of Create Lead from an application, and finds the form field behind a lead field.

import * as z from 'zod/mini';
import type { Address, Application } from '../../shared/application/application.ts';
import {
  isAddressField,
  type Lead,
  type LeadAddress,
  leadSchema,
} from '../../shared/funding-service/lead.ts';
import type { PartnerFields } from '../config/hooks.ts';
import type { Settings } from '../config/settings.ts';
import { compileSchema } from '../runtime/compile-schema.ts';
import { readObject } from './responses.ts';

/** The partner's settings, with the default of `leadSource`. */
export type LeadSettings = Settings['lead'] & { readonly leadSource: string };

export interface LeadContext {
  /** The lead's `ID`. The funding service returns it as `ReferenceID`. */
  readonly id: string;
  readonly createdAt: Date;
  readonly signedAt: Date;
  /** IP address of the applicant, as far as trusted proxies report it. */
  readonly clientAddress?: string | undefined;
}

interface Sources {
  readonly application: Application;
  readonly context: LeadContext;
  readonly settings: LeadSettings;
  readonly enrichment: PartnerFields;
}

type Section = 'fundingNeed' | 'business' | 'owner' | 'signature';
/** JSON Pointer (RFC 6901) to a field of the application. */
type ApplicationPointer = {
  [Name in Section]: `/${Name}/${keyof Application[Name] & string}`;
}[Section];

interface LeadField {
  /** The form shows an error about the lead field at this field of the application. Default: at none. */
  readonly pointer?: ApplicationPointer;
  /** The value, or undefined to leave the field out. Default: the value at `pointer`. */
  readonly toValue?: (sources: Sources) => unknown;
}

/**
 * Where each field of a lead comes from. To add a field:
 *
 * 1. `shared/application/application.ts`: add the field to its section of the form.
 * 2. `shared/funding-service/lead.ts`: add the lead field. `failure-texts.ts` builds its patterns from these names.
 * 3. Here: add the lead field with the pointer to the form field.
 * 4. `test/fixtures/lead-fields.json`: add the row of the spec's table, in the order of step 2.
 * 5. `test/support/applications.ts`: add a value to `createFullApplication`.
 * 6. `test/bff/funding-service/lead.test.ts`: add the expected value.
 *
 * The type check or a test fails if a step is missing. A field that the BFF or the partner sets needs no steps 1 and 5; add a
 * partner's field to `partnerFields` in `bff/config/hooks.ts`. A text field with other rules than `text()` also
 * needs a rule in `test/campaigns/hostile/input-rules.ts`, and a field with personal data a value in `test/support/canaries.ts`.
 */
const leadFields: Readonly<Record<keyof Lead, LeadField>> = {
  // Entered by the applicant.
  LoanAmount: { pointer: '/fundingNeed/amount' },
  LoanReason: { pointer: '/fundingNeed/reason' },
  Company: { pointer: '/business/name' },
  BusinessType: { pointer: '/business/type' },
  Industry: { pointer: '/business/industry' },
  BusinessAddress: {
    pointer: '/business/address',
    toValue: ({ application }) => toLeadAddress(application.business.address),
  },
  AnnualRevenue: { pointer: '/business/annualRevenue' },
  FoundedMonth: { pointer: '/business/foundedMonth', toValue: toFoundedMonth },
  FoundedYear: {
    pointer: '/business/foundedYear',
    toValue: ({ application }) => String(application.business.foundedYear),
  },
  NumberOfEmployees: { pointer: '/business/employees' },
  TaxId: { pointer: '/business/taxId' },
  ContactFirstName: { pointer: '/owner/firstName' },
  ContactLastName: { pointer: '/owner/lastName' },
  ContactEmail: { pointer: '/owner/email' },
  ContactPhone: { pointer: '/owner/phone' },
  BirthDay: { pointer: '/owner/birthDate' },
  Ssn: { pointer: '/owner/ssn' },
  HomeAddress: {
    pointer: '/owner/homeAddress',
    toValue: ({ application }) => toLeadAddress(application.owner.homeAddress),
  },
  CreditScore: { pointer: '/owner/creditScore' },
  OwnershipPct: { pointer: '/owner/ownershipPercent' },
  OtherManagers: { pointer: '/owner/otherManagers' },
  SignatureName: { pointer: '/signature/name' },

  // Computed from the founding date, which the applicant can correct.
  TimeInBusinessMonths: { pointer: '/business/foundedYear', toValue: toMonthsInBusiness },
  BusinessAge: { pointer: '/business/foundedYear', toValue: toBusinessAge },
  InceptionDate: { pointer: '/business/foundedYear', toValue: toInceptionDate },

  // Set by the BFF.
  ID: { toValue: ({ context }) => context.id },
  CreatedAt: { toValue: ({ context }) => context.createdAt.toISOString() },
  LeadSource: { toValue: ({ settings }) => settings.leadSource },
  SignatureTimestamp: { toValue: ({ context }) => context.signedAt.toISOString() },
  SignatureIp: { toValue: ({ context }) => context.clientAddress },
  Ip: { toValue: ({ context }) => context.clientAddress },

  // Set by the partner: by the `enrichLead` hook first, then by the host page and the settings.
  CampaignID: {
    toValue: ({ application, settings, enrichment }) =>
      enrichment.CampaignID ?? application.campaignId ?? settings.campaignId,
  },
  OutcomeID: { toValue: ({ settings, enrichment }) => enrichment.OutcomeID ?? settings.outcomeId },
  IndustryNaics: { toValue: ({ enrichment }) => enrichment.IndustryNaics },
  BusinessTypeByIndustry: { toValue: ({ enrichment }) => enrichment.BusinessTypeByIndustry },
  NumberOfOffers: { toValue: ({ enrichment }) => enrichment.NumberOfOffers },
  Files: { toValue: ({ enrichment }) => enrichment.Files },
};

/** `enrichment`: the result of the `enrichLead` hook. Throws a ZodError if the result is not a valid lead. */
export function toLead(
  application: Application,
  context: LeadContext,
  settings: LeadSettings,
  enrichment: PartnerFields = {},
): Lead {
  const sources = { application, context, settings, enrichment };
  const fields: Record<string, unknown> = {};
  for (const [name, toValue] of leadValues) {
    const value = toValue(sources);
    // A field without a value is left out, not null.
    if (value !== undefined && value !== null) fields[name] = value;
  }
  return z.parse(compiledLeadSchema, fields);
}

const compiledLeadSchema = compileSchema(leadSchema);

const leadValues = Object.entries(leadFields).map(
  ([name, { pointer, toValue = readPointer(pointer) }]) => [name, toValue] as const,
);

/** Returns a function that reads the value at the pointer. */
function readPointer(pointer: ApplicationPointer | undefined): (sources: Sources) => unknown {
  const [, section = '', name = ''] = pointer?.split('/') ?? [];
  return ({ application }) => readObject(readObject(application)?.[section])?.[name];
}

/** Returns a valid value of a partner's field, or undefined if the wire format does not allow the value. */
export function readPartnerField(
  name: keyof PartnerFields,
  value: unknown,
): string | string[] | undefined {
  return leadSchema.shape[name].safeParse(value).data;
}

const addressFields = ['street', 'city', 'state', 'zip'] satisfies (keyof Address)[];

/**
 * Returns the JSON Pointer of the form field behind a lead field, or undefined if the applicant did not enter the lead
 * field. Ignores case. `BusinessAddress` is `/business/address/street`, because an error is shown at a single field.
 */
export function toApplicationPointer(field: string): string | undefined {
  const [name = '', part] = field.toLowerCase().split('.');
  const entry = Object.entries(leadFields).find(([key]) => key.toLowerCase() === name);
  if (!entry) return undefined;
  const [key, { pointer }] = entry;
  if (pointer === undefined || !isAddressField(key)) return pointer;
  return `${pointer}/${addressFields.find((addressField) => addressField === part) ?? 'street'}`;
}

/** A lead has one line for street and suite. The schema of the form limits their length together. */
function toLeadAddress({ street, suite, city, state, zip }: Address): LeadAddress {
  const line = suite === undefined ? street : `${street}, ${suite}`;
  return { Address: line, City: city, State: state, Zip: zip };
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

function toFoundedMonth({ application, settings }: Sources): string {
  const { foundedMonth } = application.business;
  const name = monthNames[foundedMonth - 1] ?? '';
  switch (settings.foundedMonthFormat) {
    case 'number':
      return String(foundedMonth);
    case 'two-digit':
      return String(foundedMonth).padStart(2, '0');
    case 'name':
      return name;
    case 'short-name':
      return name.slice(0, 3);
  }
}

/** Whole months in UTC, never negative. If the day is unknown, the founding month counts as a whole. */
function toMonthsInBusiness({ application, context }: Sources): number {
  const { foundedYear, foundedMonth, foundedDay } = application.business;
  const now = context.createdAt;
  const months = (now.getUTCFullYear() - foundedYear) * 12 + now.getUTCMonth() + 1 - foundedMonth;
  const isIncomplete = foundedDay !== undefined && now.getUTCDate() < foundedDay;
  return Math.max(0, isIncomplete ? months - 1 : months);
}

function toBusinessAge(sources: Sources): string {
  const months = toMonthsInBusiness(sources);
  const years = Math.floor(months / 12);
  switch (sources.settings.businessAgeFormat) {
    case 'years':
      return String(years);
    case 'months':
      return String(months);
    case 'years-and-months':
      return `${toCount(years, 'year')} ${toCount(months % 12, 'month')}`;
  }
}

/** `YYYY-MM-DD`, or undefined if the day is unknown. */
function toInceptionDate({ application }: Sources): string | undefined {
  const { foundedYear, foundedMonth, foundedDay } = application.business;
  if (foundedDay === undefined) return undefined;
  return new Date(Date.UTC(foundedYear, foundedMonth - 1, foundedDay)).toISOString().slice(0, 10);
}

function toCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
