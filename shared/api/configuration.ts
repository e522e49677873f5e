// The response of `GET /v1/configuration`: choices, limits, and texts of the form.

import * as z from 'zod/mini';
import { requirableFields } from '../application/lists.ts';
import { consentSchema } from '../application/consent.ts';
import { documentCategoryGroups } from '../application/document-categories.ts';

export const environments = ['sandbox', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

/** How applicants connect a bank. `demonstration`: the sandbox's demonstration bank. `host`: an aggregator in the host page. */
export const bankConnections = ['off', 'demonstration', 'host'] as const;

/** `value` is sent to the funding service. `label` is shown to the applicant. */
export const choiceSchema = z.strictObject({
  value: z.string().check(z.minLength(1)),
  label: z.string().check(z.minLength(1)),
});

export const expectedDecisionSchema = z.strictObject({
  within: z.int().check(z.gte(1), z.lte(60)),
  unit: z.enum(['hours', 'business-days']),
});

/** Complete when the application has `count` documents of these categories. */
const checklistItemSchema = z.object({
  id: z.string(),
  label: z.string(),
  categories: z.array(z.string()),
  count: z.int(),
});

export const configurationSchema = z.object({
  environment: z.enum(environments),
  partnerName: z.string(),
  /** The languages of the form. The partner's default is first. */
  locales: z.array(z.string()),
  /** The language of this response, selected by `?locale=`. Absent in earlier BFF versions. */
  locale: z.optional(z.string()),
  fundingReasons: z.array(choiceSchema),
  /** The amounts that the lender funds, in whole US dollars. Absent if not configured. */
  fundingNeed: z.optional(z.object({ minimum: z.optional(z.int()), maximum: z.optional(z.int()) })),
  businessTypes: z.array(choiceSchema),
  creditScores: z.array(choiceSchema),
  requiredFields: z.array(z.enum(requirableFields)),
  consents: z.array(consentSchema),
  documents: z.object({
    /** Maximum size of one file. */
    maxBytes: z.int(),
    maxFiles: z.int(),
    /** Maximum size of all files of one application. Absent in earlier BFF versions. */
    maxTotalBytes: z.optional(z.int()),
    /** Lowercase, without a dot, for example `pdf`. */
    extensions: z.array(z.string()),
    categories: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        group: z.enum(documentCategoryGroups),
      }),
    ),
    /** The documents that the lender needs first. Absent in earlier BFF versions. */
    checklist: z.optional(z.array(checklistItemSchema)),
  }),
  bankConnection: z.enum(bankConnections),
  /** The challenge that the element's `challenge` property must solve before submission. Absent in earlier BFF versions. */
  challenge: z.optional(z.nullable(z.object({ provider: z.string(), siteKey: z.string() }))),
  /** If true, an applicant can continue on a phone (`POST /v1/handoff`). Absent in earlier BFF versions. */
  handoff: z.optional(z.boolean()),
  offers: z.object({
    showMonthlyRate: z.boolean(),
    showCentsOnTheDollar: z.boolean(),
    /** The creditor's notice and address (12 CFR 1002.9), shown with the decision `not-qualified`. Empty if not configured. */
    notQualifiedNotice: z.string(),
  }),
  /** The partner's statement about credit checks, shown on the start page. Absent or empty if not configured. */
  creditCheckNotice: z.optional(z.string()),
  /** How long the lender usually takes to decide. Absent if not configured, and in earlier BFF versions. */
  expectedDecision: z.optional(expectedDecisionSchema),
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
