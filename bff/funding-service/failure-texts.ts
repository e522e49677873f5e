// Classifies the text of a failure: the texts that the spec shows, and patterns for those that it does not show.

import {
  isAddressField,
  leadAddressSchema,
  leadSchema,
} from '../../shared/funding-service/lead.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import { compilePattern, type Settings } from '../config/settings.ts';

/** Reasons that `retry-policy.ts` may turn into a rejection. `responses.ts` accepts them in the documented form only. */
const rejectingReasons = [
  'missing-field',
  'invalid-field',
  'category-not-allowed',
  'asset-report-invalid',
] as const;

export type RejectingReason = (typeof rejectingReasons)[number];

/** Why the funding service refused a call. To add a reason, give it a text below and a row in `retry-policy.ts`. */
export const refusalReasons = [
  ...rejectingReasons,
  'duplicate-id',
  'application-id-missing',
  'application-id-invalid',
  'application-not-found',
  'partner-headers-missing',
  'request-malformed',
  'asset-report-missing',
  'processing-failed',
  'content-not-base64',
  'too-large',
  'unrecognized',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** A refusal, without the text of the funding service, because the text may repeat what the applicant entered. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** The field that the text names, as the funding service spells it, such as `AnnualRevenue`. */
  readonly field?: string;
  /** With `duplicate-id`: perhaps the ApplicationID of the earlier lead. Call `verifyReference` before using it. */
  readonly candidateId?: string;
}

export function isRejectingReason(reason: RefusalReason): reason is RejectingReason {
  return rejectingReasons.some((rejecting) => rejecting === reason);
}

/** True if the funding service says that it has no application with the given id. */
export function isUnknownApplication(reason: RefusalReason): boolean {
  return reason === 'application-id-invalid' || reason === 'application-not-found';
}

/**
 * Patterns for texts whose wording the spec does not show (spec, "Errors"). A text matches a list if it matches one of its
 * patterns. `invalidField` and `categoryNotAllowed` can end in a rejection, so their patterns describe a whole sentence
 * from its first word.
 */
export type TextPatterns = Readonly<Record<keyof Settings['serviceTexts'], readonly RegExp[]>>;

/** Matches the exact name of a lead field or of a part of an address. A field that is added to the lead schema matches too. */
const leadField = `["'\`]?(?<field>${listLeadFields().join('|')})["'\`]?`;
/** The sentence ends here, or the refused value follows after a colon or in brackets. */
const sentenceEnd = String.raw`(?=\s*(?:$|[.:;(\[]))`;
const invalidPredicate = [
  'is invalid',
  String.raw`is not (?:an? )?(?:valid|allowed|accepted|supported|numeric|number|integer)(?: (?:value|number|date|email|address))?`,
  'is too (?:long|short|large|small)',
  'is out of range',
].join('|');
const requiredForm = String.raw`(?:an? )?(?:valid|numeric|positive|number|integer|whole number|date|digits|one of|between|at least|at most|greater than|less than)\b`;

/** The patterns that apply unless the settings replace them. */
export const defaultTextPatterns: TextPatterns = {
  // Create Lead: the ID was submitted before.
  // Anchored, so that a repeated company name ("… for Company: Duplicate Print LLC") does not match.
  duplicate: [
    /^duplicated?( ((reference ?)?id|lead|application|request|record|entry|submission|value)\b|[:.,]|$)/i,
    /^DUPLICATE_VALUE\b|^(insert|upsert) failed\b.{0,60}\bDUPLICATE_VALUE\b/i,
    /^((an?|the|this|that|your) )?((reference ?)?id|lead|application|request|record)( [0-9a-f-]{4,40})?( with (this|the same|that) (reference ?)?id)?( (has|was|is|have))? already (been )?(exists?|submitted|received|used|registered|on file|in use)\b/i,
  ],
  // Create Lead and Upload File: the token is invalid or expired.
  // Anchored, so that a repeated value ("… for Company: Token Expired Inc") does not cause a login.
  invalidToken: [
    /^(invalid|expired|missing|bad)( (or|and|\/) (invalid|expired))?( (access|session|bearer|oauth|auth\w*))* ?(token|session)\b/i,
    /^(the |your )?((access|session|bearer|oauth|auth\w*) )*(token|session)( id)? (is |has |was )?(invalid|expired|not valid|revoked|missing)/i,
    /^(INVALID_SESSION_ID|unauthori[sz]ed|not authori[sz]ed|authentication (failed|failure|required))\b/i,
  ],
  // Create Lead: a value is not accepted. The group `field` must capture the name of the field.
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
  // Upload File: leadId matches no lead.
  leadNotFound: [
    /\b(lead|application)( ?id)?\b.*\b(not found|not exist|no match|not match|unknown|invalid)/i,
    /\b(no|invalid|unknown|non-?existent)( such| matching| existing)? (lead|application)/i,
  ],
  // Upload File: the category is not in the funding service's list.
  categoryNotAllowed: [
    /^(?:the )?(?:file |document )?category (?:is )?(?:invalid|unknown|not (?:allowed|valid|supported|accepted|recognized))(?=\s*(?:$|[.:;([]))/i,
    /^(?:invalid|unknown|unsupported) (?:file |document )?category(?=\s*(?:$|[.:;([]))/i,
  ],
  // Upload File: the content is not valid Base64.
  contentNotBase64: [/\bbase ?-?64\b/i],
};

/**
 * A list from the settings replaces the default list. Its entry `default` stands for that list. Throws a SyntaxError if a source is
 * not a regular expression.
 */
export function createTextPatterns(settings: Settings['serviceTexts']): TextPatterns {
  const compile = (name: keyof TextPatterns): readonly RegExp[] => {
    const defaults = defaultTextPatterns[name];
    return (
      settings[name]?.flatMap((source) =>
        source === 'default' ? defaults : [compilePattern(source)],
      ) ?? defaults
    );
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

/** A longer text is a stack trace or a page. Its beginning is enough to classify it. */
const maxTextLength = 2_000;

/** Returns `authentication` if the text says that the token or the login was refused. */
export function classifyText(
  operation: PartnerOperation,
  text: string,
  patterns: TextPatterns,
): Refusal | 'authentication' {
  const message = text
    .slice(0, maxTextLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^error: ?/i, '');
  for (const [source, meaning, onlyOperation = operation] of meanings) {
    const list = source instanceof RegExp ? [source] : patterns[source];
    const match = list.map((pattern) => pattern.exec(message)).find(Boolean);
    if (!match || onlyOperation !== operation) continue;
    if (meaning === 'authentication') return meaning;
    if (meaning !== 'missing-field' && meaning !== 'invalid-field') return { reason: meaning };
    const field = match.groups?.['field'] ?? '';
    // A pattern of the settings may capture a value instead of a field name. Such a value must not reach the log.
    if (fieldName.test(field)) return { reason: meaning, field };
  }
  return { reason: 'unrecognized' };
}

const fieldName = /^[A-Za-z]\w{0,39}(\.[A-Za-z]\w{0,39})?$/;

type Meaning = RefusalReason | 'authentication';

/**
 * The texts of the spec's table "Errors" and similar ones, and the pattern lists by name. The first match decides. Without an
 * operation, a row applies to all of them. Anything may follow a text, such as an id or a period, if the pattern has no end.
 */
const meanings: readonly (readonly [RegExp | keyof TextPatterns, Meaning, PartnerOperation?])[] = [
  // `Missing required field: <field_name>`. Nothing may follow the name.
  [/^missing required field:? ?["'`]?(?<field>\w+(?:\.\w+)?)["'`]?\.?$/i, 'missing-field'],
  [/^invalid username (and|or) password\b/i, 'authentication'],
  [/^missing application ?id\b/i, 'application-id-missing'],
  [/^invalid application ?id\b/i, 'application-id-invalid'],
  [/^application not found\b/i, 'application-not-found'],
  [/^invalid request header\b.*\bpartner/i, 'partner-headers-missing'],
  // The spec shows no such text for Create Lead, but its headers must be valid too (spec, "Authentication" 5).
  [/^(invalid|missing|unknown) partner ?(name|id)?\b/i, 'partner-headers-missing'],
  [
    /^invalid request header\b|^((invalid|unsupported|missing|unknown|wrong|incorrect) content-?type\b|content-?type( header)? (is|must|missing|not)\b)/i,
    'request-malformed',
  ],
  [/^(malformed|invalid|unparsable) json\b/i, 'request-malformed'],
  [/^applicationid is required\b/i, 'application-id-missing'],
  [/^assetreportjson is required\b/i, 'asset-report-missing'],
  [/^invalid asset report json ?- ?missing report data\.?$/i, 'asset-report-invalid'],
  [/^asset report submission failed\b/i, 'processing-failed'],
  ['invalidToken', 'authentication'],
  ['duplicate', 'duplicate-id', 'create-lead'],
  ['invalidField', 'invalid-field', 'create-lead'],
  ['categoryNotAllowed', 'category-not-allowed', 'upload-file'],
  ['contentNotBase64', 'content-not-base64', 'upload-file'],
  ['leadNotFound', 'application-not-found', 'upload-file'],
];

/** Longer names first, so that `BusinessAddress.City` does not match as `BusinessAddress`. */
function listLeadFields(): string[] {
  const parts = Object.keys(leadAddressSchema.shape);
  return Object.keys(leadSchema.shape).flatMap((name) =>
    isAddressField(name) ? [...parts.map((part) => `${name}\\.${part}`), name] : [name],
  );
}
