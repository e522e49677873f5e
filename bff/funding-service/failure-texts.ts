// Classifies the text of a failure: the texts that the specification shows, and patterns for those it does not show.

import { leadAddressSchema, leadSchema } from '../../shared/funding-service/lead.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import { compilePattern } from '../config/settings.ts';
import type { Refusal, RefusalReason } from './funding-service.ts';

/**
 * Patterns for texts whose wording the specification does not show (spec, "Errors"). A list matches when any of its patterns
 * does. `invalidField` and `categoryNotAllowed` can end in a rejection that the applicant sees, and in erasure: each of
 * their patterns must describe one sentence from its first word on.
 */
export interface TextPatterns {
  /** Create Lead: the ID was submitted earlier. */
  readonly duplicate: readonly RegExp[];
  /** Create Lead and Upload File: the token is invalid or expired. */
  readonly invalidToken: readonly RegExp[];
  /** Create Lead: a field's value is not accepted. The group `field` captures the field's name; without it nothing is rejected. */
  readonly invalidField: readonly RegExp[];
  /** Upload File: leadId matches no lead. */
  readonly leadNotFound: readonly RegExp[];
  /** Upload File: the category is not in the service's list. */
  readonly categoryNotAllowed: readonly RegExp[];
  /** Upload File: the content is not valid Base64. */
  readonly contentNotBase64: readonly RegExp[];
}

/** The same lists in the settings file: sources of regular expressions, matched without regard to case. */
export type TextPatternSettings = {
  readonly [Name in keyof TextPatterns]?: string | readonly string[] | undefined;
};

/** Each field of a lead by its exact name, and each part of its addresses. */
const leadField = `["'\`]?(?<field>${listLeadFields().join('|')})["'\`]?`;
/** After the sentence comes its end, or the rejected value behind a colon or in brackets. */
const sentenceEnd = String.raw`(?=\s*(?:$|[.:;(\[]))`;
const invalidPredicate = [
  'is invalid',
  String.raw`is not (?:an? )?(?:valid|allowed|accepted|supported|numeric|number|integer)(?: (?:value|number|date|email|address))?`,
  'is too (?:long|short|large|small)',
  'is out of range',
].join('|');
const requiredForm = String.raw`(?:an? )?(?:valid|numeric|positive|number|integer|whole number|date|digits|one of|between|at least|at most|greater than|less than)\b`;

/** Patterns that apply when the settings give none. */
export const defaultTextPatterns: TextPatterns = {
  // Anchored, so that an echoed company name ("… for Company: Duplicate Print LLC") does not count as a duplicate.
  duplicate: [
    /^duplicated?( ((reference ?)?id|lead|application|request|record|entry|submission|value)\b|[:.,]|$)/i,
    /^DUPLICATE_VALUE\b|^(insert|upsert) failed\b.{0,60}\bDUPLICATE_VALUE\b/i,
    /^((an?|the|this|that|your) )?((reference ?)?id|lead|application|request|record)( [0-9a-f-]{4,40})?( with (this|the same|that) (reference ?)?id)?( (has|was|is|have))? already (been )?(exists?|submitted|received|used|registered|on file|in use)\b/i,
  ],
  // Anchored as well, so that an echoed value ("… for Company: Token Expired Inc") does not start a login.
  invalidToken: [
    /^(invalid|expired|missing|bad)( (or|and|\/) (invalid|expired))?( (access|session|bearer|oauth|auth\w*))* ?(token|session)\b/i,
    /^(the |your )?((access|session|bearer|oauth|auth\w*) )*(token|session)( id)? (is |has |was )?(invalid|expired|not valid|revoked|missing)/i,
    /^(INVALID_SESSION_ID|unauthori[sz]ed|not authori[sz]ed|authentication (failed|failure|required))\b/i,
  ],
  invalidField: [
    new RegExp(
      `^invalid (?:value|format) (?:for|in|of) (?:the )?(?:field:? )?${leadField}${sentenceEnd}`,
      'i',
    ),
    new RegExp(`^invalid (?:field(?: value)?:? )?${leadField}${sentenceEnd}`, 'i'),
    new RegExp(
      `^(?:the )?(?:(?:field|value of|value for) )?${leadField} (?:${invalidPredicate})${sentenceEnd}`,
      'i',
    ),
    new RegExp(
      `^(?:the )?(?:(?:field|value of|value for) )?${leadField} (?:must|should|has to) be ${requiredForm}`,
      'i',
    ),
  ],
  leadNotFound: [
    /\b(lead|application)( ?id)?\b.*\b(not found|not exist|no match|not match|unknown|invalid)/i,
    /\b(no|invalid|unknown|non-?existent)( such| matching| existing)? (lead|application)/i,
  ],
  categoryNotAllowed: [
    /^(?:the )?(?:file |document )?category (?:is )?(?:invalid|unknown|not (?:allowed|valid|supported|accepted|recognized))(?=\s*(?:$|[.:;([]))/i,
    /^(?:invalid|unknown|unsupported) (?:file |document )?category(?=\s*(?:$|[.:;([]))/i,
  ],
  contentNotBase64: [/\bbase ?-?64\b/i],
};

/** A list given in the settings replaces the default list. */
export function createTextPatterns(settings: TextPatternSettings = {}): TextPatterns {
  const compile = (name: keyof TextPatterns) => {
    const sources = settings[name];
    if (sources === undefined) return defaultTextPatterns[name];
    return [sources].flat().map(compilePattern);
  };
  return {
    duplicate: compile('duplicate'),
    invalidToken: compile('invalidToken'),
    invalidField: compile('invalidField'),
    leadNotFound: compile('leadNotFound'),
    categoryNotAllowed: compile('categoryNotAllowed'),
    contentNotBase64: compile('contentNotBase64'),
  };
}

/** A longer text is a stack trace or a page; its beginning is enough to classify it. */
const maxTextLength = 2_000;

/**
 * What the text of a failure means; `authentication` when our token or login was refused. The text itself is not kept,
 * because it may echo what the applicant typed. Whether a rejection may end in erasure is decided by `answers.ts`.
 */
export function classifyText(
  operation: PartnerOperation,
  text: string,
  patterns: TextPatterns,
): Refusal | 'authentication' {
  const words = text
    .slice(0, maxTextLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^error: ?/i, '');
  const matches = (list: readonly RegExp[]) => list.some((pattern) => pattern.test(words));

  const missing = missingField.exec(words)?.groups?.['field'];
  if (missing !== undefined) return { reason: 'missing-field', field: missing };
  if (/^invalid username (and|or) password\b/i.test(words)) return 'authentication';
  const shown = shownTexts.find(({ pattern }) => pattern.test(words));
  if (shown) return { reason: shown.reason };
  if (matches(patterns.invalidToken)) return 'authentication';

  if (operation === 'create-lead') {
    if (matches(patterns.duplicate)) return { reason: 'duplicate-id' };
    return classifyInvalidField(words, patterns) ?? { reason: 'unrecognized' };
  }
  if (operation === 'upload-file') {
    if (matches(patterns.categoryNotAllowed)) return { reason: 'category-not-allowed' };
    if (matches(patterns.contentNotBase64)) return { reason: 'content-not-base64' };
    if (matches(patterns.leadNotFound)) return { reason: 'application-not-found' };
  }
  return { reason: 'unrecognized' };
}

/** Spec, "Errors": `Missing required field: <field_name>`, and nothing after the name. */
const missingField =
  /^missing required field:? ?["'`]?(?<field>[A-Za-z]\w{0,39}(?:\.[A-Za-z]\w{0,39})?)["'`]?\.?$/i;

/**
 * Texts of the specification's table "Errors"; what follows them (an id, a period) does not matter. None of these reasons
 * but `asset-report-invalid` ends in a rejection: they are about our request, which an operator can fix.
 */
const shownTexts: readonly { readonly pattern: RegExp; readonly reason: RefusalReason }[] = [
  { pattern: /^missing application ?id\b/i, reason: 'application-id-missing' },
  { pattern: /^invalid application ?id\b/i, reason: 'application-id-invalid' },
  { pattern: /^application not found\b/i, reason: 'application-not-found' },
  { pattern: /^invalid request header\b.*\bpartner/i, reason: 'partner-headers-missing' },
  // Not shown for Create Lead, whose headers must be valid as well (spec, "Authentication" 5).
  {
    pattern: /^(invalid|missing|unknown) partner ?(name|id)?\b/i,
    reason: 'partner-headers-missing',
  },
  // Other headers and the form of the body are ours to fix, not the applicant's.
  {
    pattern:
      /^invalid request header\b|^((invalid|unsupported|missing|unknown|wrong|incorrect) content-?type\b|content-?type( header)? (is|must|missing|not)\b)/i,
    reason: 'request-malformed',
  },
  { pattern: /^(malformed|invalid|unparsable) json\b/i, reason: 'request-malformed' },
  { pattern: /^applicationid is required\b/i, reason: 'application-id-missing' },
  { pattern: /^assetreportjson is required\b/i, reason: 'asset-report-missing' },
  {
    pattern: /^invalid asset report json ?- ?missing report data\.?$/i,
    reason: 'asset-report-invalid',
  },
  { pattern: /^asset report submission failed\b/i, reason: 'processing-failed' },
];

const fieldName = /^[A-Za-z]\w{0,39}(\.[A-Za-z]\w{0,39})?$/;

function classifyInvalidField(words: string, { invalidField }: TextPatterns): Refusal | undefined {
  for (const pattern of invalidField) {
    const match = pattern.exec(words);
    if (!match) continue;
    const field = match.groups?.['field'] ?? '';
    // Without a field's name nobody could correct anything, so the row waits for an operator. A pattern of the settings
    // may also capture a value, which must not reach the log.
    return fieldName.test(field) ? { reason: 'invalid-field', field } : undefined;
  }
  return undefined;
}

/** Longer names first, so that `BusinessAddress.City` is not read as `BusinessAddress`. */
function listLeadFields(): string[] {
  const parts = Object.keys(leadAddressSchema.shape);
  return Object.keys(leadSchema.shape).flatMap((name) =>
    name.endsWith('Address') ? [...parts.map((part) => `${name}\\.${part}`), name] : [name],
  );
}
