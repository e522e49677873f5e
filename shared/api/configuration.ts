// The response of `GET /v1/configuration`: choices, limits, and texts of the form.

import * as z from 'zod/mini';
import { requirableFields } from '../application/lists.ts';
import { consentSchema } from '../application/consent.ts';
import { documentCategoryGroups } from '../application/document-categories.ts';

export const environments = ['sandbox', 'staging', 'production'] as const;
/** The environment of the funding service. */
export type Environment = (typeof environments)[number];

/** How applicants connect a bank. `demonstration`: the sandbox's demonstration bank. `host`: an aggregator in the host page. */
export const bankConnections = ['off', 'demonstration', 'host'] as const;

/** One choice of a list. */
export const choiceSchema = z.strictObject({
  /** Sent to the funding service. */
  value: z.string().check(z.minLength(1)),
  /** Shown to the applicant. */
  label: z.string().check(z.minLength(1)),
});

export const expectedDecisionSchema = z.strictObject({
  /** How many of the unit, 1 to 60. */
  within: z.int().check(z.gte(1), z.lte(60)),
  /** The unit of `within`. */
  unit: z.enum(['hours', 'business-days']),
});

/** Complete when the application has `count` documents of these categories. */
const checklistItemSchema = z.object({
  /** Unique within the checklist. */
  id: z.string(),
  /** Shown to the applicant. */
  label: z.string(),
  /** The ids of document categories. */
  categories: z.array(z.string()),
  /** The number of documents that the lender needs. */
  count: z.int(),
});

/** The choices, limits, and texts of the form. */
export const configurationSchema = z.object({
  /** The environment of the funding service. In the sandbox, the form says that nothing is real. */
  environment: z.enum(environments),
  /** The partner's name, as applicants read it. */
  partnerName: z.string(),
  /** The languages of the form. The partner's default is first. */
  locales: z.array(z.string()),
  /** The language of this response, selected by `?locale=`. */
  locale: z.string(),
  /** The choices of the reason for the funding. */
  fundingReasons: z.array(choiceSchema),
  /** The amounts that the lender funds, in whole US dollars. Absent if not configured. */
  fundingNeed: z.optional(
    z.object({
      /** The smallest amount. Absent: no limit. */
      minimum: z.optional(z.int()),
      /** The largest amount. Absent: no limit. */
      maximum: z.optional(z.int()),
    }),
  ),
  /** The choices of the legal form of the business. */
  businessTypes: z.array(choiceSchema),
  /** The choices of the credit score. */
  creditScores: z.array(choiceSchema),
  /** The optional fields of the funding service that the partner requires. */
  requiredFields: z.array(z.enum(requirableFields)),
  /** The consents, in the order in which the form shows them. */
  consents: z.array(consentSchema),
  /** The limits and categories of documents. */
  documents: z.object({
    /** Maximum size of one file. */
    maxBytes: z.int(),
    /** Maximum number of files of one application. */
    maxFiles: z.int(),
    /** Maximum size of all files of one application. */
    maxTotalBytes: z.int(),
    /** Lowercase, without a dot, for example `pdf`. */
    extensions: z.array(z.string()),
    /** The categories among which the applicant chooses. */
    categories: z.array(
      z.object({
        /** Sent with an upload. */
        id: z.string(),
        /** Shown to the applicant. */
        label: z.string(),
        /** The heading below which the form lists the category. */
        group: z.enum(documentCategoryGroups),
      }),
    ),
    /** The documents that the lender needs first. */
    checklist: z.array(checklistItemSchema),
  }),
  /** How applicants connect a bank. */
  bankConnection: z.enum(bankConnections),
  /** The challenge that the element's `challenge` property must solve before submission. `null`: none. */
  challenge: z.nullable(
    z.object({
      /** For example `turnstile` or `hcaptcha`. */
      provider: z.string(),
      /** The public key of the page. */
      siteKey: z.string(),
    }),
  ),
  /** If true, an applicant can continue on a phone (`POST /v1/handoff`). */
  handoff: z.boolean(),
  /** The parts of an offer that the partner turned on, and its notice. */
  offers: z.object({
    /** If true, offers show the monthly rate. */
    showMonthlyRate: z.boolean(),
    /** If true, offers show the cost for each dollar. */
    showCentsOnTheDollar: z.boolean(),
    /** The creditor's notice and address (12 CFR 1002.9), shown with the decision `not-qualified`. Empty if not configured. */
    notQualifiedNotice: z.string(),
  }),
  /** The partner's statement about credit checks, shown on the start page. Absent or empty if not configured. */
  creditCheckNotice: z.optional(z.string()),
  /** How long the lender usually takes to decide. Absent if not configured. */
  expectedDecision: z.optional(expectedDecisionSchema),
  /** The contact for questions, shown below the form. */
  support: z.object({
    /** Who answers. */
    name: z.optional(z.string()),
    /** Shown as a `tel:` link. */
    phone: z.optional(z.string()),
    /** Shown as a `mailto:` link. */
    email: z.optional(z.string()),
    /** Shown as a link. */
    url: z.optional(z.string()),
  }),
});

export type Choice = z.infer<typeof choiceSchema>;
export type ChecklistItem = z.infer<typeof checklistItemSchema>;
export type Configuration = z.infer<typeof configurationSchema>;
