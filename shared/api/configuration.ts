// `GET /v1/configuration`: what the form needs and may show.

import * as z from 'zod/mini';
import { requirableFields } from '../application/application.ts';
import { consentSchema } from '../application/consent.ts';
import { documentCategoryGroups } from '../application/document-categories.ts';

export const environments = ['sandbox', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

/** How an applicant may connect a bank: not at all, through the sandbox's demonstration bank, or through the host page's own aggregator. */
export const bankConnections = ['off', 'demonstration', 'host'] as const;

/** A choice whose `value` goes on the wire and whose `label` is read by people. */
export const choiceSchema = z.strictObject({
  value: z.string().check(z.minLength(1)),
  label: z.string().check(z.minLength(1)),
});

/** Is there once `count` files of these categories are. */
const checklistItemSchema = z.object({
  id: z.string(),
  label: z.string(),
  categories: z.array(z.string()),
  count: z.int(),
});

export const configurationSchema = z.object({
  environment: z.enum(environments),
  partnerName: z.string(),
  /** Languages the form offers, the partner's own default first. */
  locales: z.array(z.string()),
  /** The one this answer is in, which `?locale=` asks for; a BFF of an earlier version does not say. */
  locale: z.optional(z.string()),
  fundingReasons: z.array(choiceSchema),
  businessTypes: z.array(choiceSchema),
  creditScores: z.array(choiceSchema),
  requiredFields: z.array(z.enum(requirableFields)),
  consents: z.array(consentSchema),
  documents: z.object({
    /** Bytes of one file. */
    maxBytes: z.int(),
    maxFiles: z.int(),
    /** Bytes of all files of one application; a BFF of an earlier version does not say. */
    maxTotalBytes: z.optional(z.int()),
    /** Extensions without dot, lower-case, for example `pdf`. */
    extensions: z.array(z.string()),
    categories: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        group: z.enum(documentCategoryGroups),
      }),
    ),
    /** What the lender wants first; a BFF of an earlier version does not say. */
    checklist: z.optional(z.array(checklistItemSchema)),
  }),
  bankConnection: z.enum(bankConnections),
  /** What the page has to have solved before an application is sent, through the widget's property `challenge`; an earlier BFF asks for none. */
  challenge: z.optional(z.nullable(z.object({ provider: z.string(), siteKey: z.string() }))),
  offers: z.object({
    showMonthlyRate: z.boolean(),
    showCentsOnTheDollar: z.boolean(),
    /** Shown with the outcome "not qualified": the creditor's notice and address (12 CFR 1002.9); empty when not set. */
    notQualifiedNotice: z.string(),
  }),
  support: z.object({
    name: z.optional(z.string()),
    /** Shown as a `tel:` link. */
    phone: z.optional(z.string()),
    email: z.optional(z.string()),
    url: z.optional(z.string()),
  }),
});

export type Choice = z.infer<typeof choiceSchema>;
export type ChecklistItem = z.infer<typeof checklistItemSchema>;
export type Configuration = z.infer<typeof configurationSchema>;
