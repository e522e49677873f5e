// The request body of Create Lead: the fields of a lead (spec, "Lead (application)" and operation 2).

import * as z from 'zod/mini';
import { industries } from '../application/industries.ts';

export const leadAddressSchema = z.strictObject({
  Address: z.string(),
  City: z.string(),
  State: z.string().check(z.regex(/^[A-Z]{2}$/)),
  Zip: z.string(),
});

const dateSchema = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/**
 * In the order of the spec's table. The sandbox names the first missing field in this order. To add a field, follow the steps in
 * `bff/funding-service/lead.ts`.
 */
export const leadSchema = z.strictObject({
  ID: z.string(),
  /** The outcome identifier of the funding service. */
  OutcomeID: z.optional(z.string()),
  /** The campaign identifier of the funding service. */
  CampaignID: z.optional(z.string()),
  AnnualRevenue: z.int(),
  BirthDay: z.optional(dateSchema),
  BusinessAddress: leadAddressSchema,
  BusinessType: z.string(),
  Company: z.string(),
  ContactEmail: z.string(),
  ContactFirstName: z.string(),
  ContactLastName: z.string(),
  ContactPhone: z.string(),
  CreditScore: z.string(),
  FoundedMonth: z.string(),
  FoundedYear: z.string(),
  HomeAddress: leadAddressSchema,
  Industry: z.enum(industries),
  Ip: z.optional(z.string()),
  LoanAmount: z.int(),
  LoanReason: z.string(),
  OtherManagers: z.optional(z.boolean()),
  OwnershipPct: z.optional(z.int()),
  SignatureIp: z.optional(z.string()),
  SignatureTimestamp: z.optional(z.iso.datetime()),
  SignatureName: z.optional(z.string()),
  Ssn: z.optional(z.string()),
  TaxId: z.optional(z.string()),
  TimeInBusinessMonths: z.int(),
  CreatedAt: z.iso.datetime(),
  /** The NAICS code of the industry. */
  IndustryNaics: z.optional(z.string()),
  LeadSource: z.string(),
  InceptionDate: z.optional(dateSchema),
  BusinessAge: z.string(),
  /** How many offers the applicant has received elsewhere, as text. */
  NumberOfOffers: z.optional(z.string()),
  /** The type of business, as the industry names it. */
  BusinessTypeByIndustry: z.optional(z.string()),
  NumberOfEmployees: z.optional(z.int()),
  /** URLs or identifiers of files that the funding service has. */
  Files: z.optional(z.array(z.string())),
});

export type Lead = z.infer<typeof leadSchema>;
export type LeadAddress = z.infer<typeof leadAddressSchema>;

export function isAddressField(name: string): boolean {
  const shape: Readonly<Record<string, z.ZodMiniType>> = leadSchema.shape;
  return shape[name] === leadAddressSchema;
}
