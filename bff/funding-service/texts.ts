// What a failure's text means: the texts the specification shows, and patterns for those it does not.

import { leadAddressSchema, leadSchema } from '../../shared/funding-service/lead.ts';
import type { Operation, Rejection, RejectionReason } from './funding-service.ts';

/** Patterns for texts whose wording is not shown (spec, "Errors"); a list matches when any of its patterns does. */
export interface TextPatterns {
  /** Create Lead: the ID was submitted earlier. */
  readonly duplicate: readonly RegExp[];
  /** Create Lead and Upload File: token invalid or expired. */
  readonly invalidToken: readonly RegExp[];
  /** Create Lead and Upload File: a field's value is not accepted. A group named `field` may give the field's name. */
  readonly invalidField: readonly RegExp[];
  /** Upload File: leadId matches no lead. */
  readonly leadNotFound: readonly RegExp[];
  /** Upload File: category not in the list. */
  readonly categoryNotAllowed: readonly RegExp[];
  /** Upload File: content is no valid Base64. */
  readonly contentNotBase64: readonly RegExp[];
}

/** The same as settings hold them: sources of regular expressions, one or several, matched without regard to case. */
export type TextPatternSettings = {
  readonly [Name in keyof TextPatterns]?: string | readonly string[] | undefined;
};

export const defaultTextPatterns: TextPatterns = {
  // Bound to the beginning, so that an echoed company name ("… for Company: Duplicate Print LLC") is no duplicate.
  duplicate: [
    /^duplicated?( ((reference ?)?id|lead|application|request|record|entry|submission|value)\b|[:.,]|$)/i,
    /^DUPLICATE_VALUE\b|^(insert|upsert) failed\b.{0,60}\bDUPLICATE_VALUE\b/i,
    /^((an?|the|this|that|your) )?((reference ?)?id|lead|application|request|record)( [0-9a-f-]{4,40})?( with (this|the same|that) (reference ?)?id)?( (has|was|is|have))? already (been )?(exists?|submitted|received|used|registered|on file|in use)\b/i,
  ],
  // Bound to the beginning as well, so that a value echoed further on ("… for Company: Token Expired Inc") is no login problem.
  invalidToken: [
    /^(invalid|expired|missing|bad)( (or|and|\/) (invalid|expired))?( (access|session|bearer|oauth|auth\w*))* ?(token|session)\b/i,
    /^(the |your )?((access|session|bearer|oauth|auth\w*) )*(token|session)( id)? (is |has |was )?(invalid|expired|not valid|revoked|missing)/i,
    /^(INVALID_SESSION_ID|unauthori[sz]ed|not authori[sz]ed|authentication (failed|failure|required))\b/i,
  ],
  invalidField: [
    /\b(invalid|illegal|incorrect|unsupported|unexpected|out of range)\b/i,
    /\b(must|should|has to) (be|match|have|contain)\b/i,
    /\b(is not|isn't|not) (an? )?(valid|numeric|number|integer|allowed|accepted|supported)\b/i,
    /\btoo (long|short|large|small|many)\b/i,
  ],
  leadNotFound: [
    /\b(lead|application)( ?id)?\b.*\b(not found|not exist|no match|not match|unknown|invalid)/i,
    /\b(no|invalid|unknown|non-?existent)( such| matching| existing)? (lead|application)/i,
  ],
  categoryNotAllowed: [/\bcategory\b/i],
  contentNotBase64: [/\bbase ?-?64\b/i],
};

/** Throws a SyntaxError when the source is no regular expression. */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

/** A list given in the settings takes the place of the default one. */
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

/** Longer texts are stack traces or pages; their beginning says what there is to know. */
const maxTextLength = 2_000;

/** What the text of a failure means; `authentication` when our token or login was refused. The text itself is not kept. */
export function classifyText(
  operation: Operation,
  text: string,
  patterns: TextPatterns,
): Rejection | 'authentication' {
  const words = text
    .slice(0, maxTextLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^error: ?/i, '');
  const matches = (list: readonly RegExp[]) => list.some((pattern) => pattern.test(words));

  const missing = /^missing required fields?:? ?(.*)$/i.exec(words);
  if (missing) return withField('missing-field', toFieldName(missing[1] ?? ''));
  if (/^invalid username (and|or) password\b/i.test(words)) return 'authentication';
  const shown = shownTexts.find(({ pattern }) => pattern.test(words));
  if (shown) return { reason: shown.reason };
  if (matches(patterns.invalidToken)) return 'authentication';

  if (operation === 'create-lead' && matches(patterns.duplicate)) return { reason: 'duplicate-id' };
  if (operation === 'upload-file') {
    if (matches(patterns.contentNotBase64)) return { reason: 'content-not-base64' };
    if (matches(patterns.categoryNotAllowed)) return { reason: 'category-not-allowed' };
    if (matches(patterns.leadNotFound)) return { reason: 'application-not-found' };
  }
  if (operation === 'create-lead' || operation === 'upload-file') {
    const invalid = firstMatch(patterns.invalidField, words);
    const field = toFieldName(invalid?.groups?.['field'] ?? '');
    if (invalid) return withField('invalid-field', field ?? leadFieldIn(words));
  }
  return { reason: 'unrecognised' };
}

/** The texts of the specification's table "Errors"; what follows them (an id, a full stop) does not matter. */
const shownTexts: readonly { readonly pattern: RegExp; readonly reason: RejectionReason }[] = [
  { pattern: /^missing application ?id\b/i, reason: 'application-id-missing' },
  { pattern: /^invalid application ?id\b/i, reason: 'application-id-invalid' },
  { pattern: /^application not found\b/i, reason: 'application-not-found' },
  { pattern: /^invalid request header\b.*\bpartner/i, reason: 'partner-headers-missing' },
  // Not shown for Create Lead, whose headers must be valid as well (spec, "Authentication" 5).
  {
    pattern: /^(invalid|missing|unknown) partner ?(name|id)?\b/i,
    reason: 'partner-headers-missing',
  },
  // Any other header, and the body's form, are ours to mend, not the applicant's.
  {
    pattern:
      /^invalid request header\b|^((invalid|unsupported|missing|unknown|wrong|incorrect) content-?type\b|content-?type( header)? (is|must|missing|not)\b)/i,
    reason: 'request-malformed',
  },
  { pattern: /^(malformed|invalid|unparsable) json\b/i, reason: 'request-malformed' },
  { pattern: /^applicationid is required\b/i, reason: 'application-id-missing' },
  { pattern: /^assetreportjson is required\b/i, reason: 'asset-report-missing' },
  { pattern: /^invalid asset report json\b/i, reason: 'asset-report-invalid' },
  { pattern: /^asset report submission failed\b/i, reason: 'processing-failed' },
];

function firstMatch(list: readonly RegExp[], words: string): RegExpExecArray | undefined {
  for (const pattern of list) {
    const match = pattern.exec(words);
    if (match) return match;
  }
  return undefined;
}

function withField(reason: RejectionReason, field: string | undefined): Rejection {
  return field === undefined ? { reason } : { reason, field };
}

/** A name at the text's beginning, for example `BusinessAddress.City`; a missing field's text has no value to echo. */
function toFieldName(words: string): string | undefined {
  return /^["'`]?([A-Za-z][A-Za-z0-9_]{0,39}(\.[A-Za-z][A-Za-z0-9_]{0,39})?)/.exec(words)?.[1];
}

const leadFieldPattern = createLeadFieldPattern();

/** The first name of a lead field in the text; only names we know, because the text may hold the value too. */
function leadFieldIn(words: string): string | undefined {
  return leadFieldPattern.exec(words)?.[0];
}

function createLeadFieldPattern(): RegExp {
  const parts = Object.keys(leadAddressSchema.shape);
  const names = Object.keys(leadSchema.shape).flatMap((name) =>
    name.endsWith('Address') ? [...parts.map((part) => `${name}\\.${part}`), name] : [name],
  );
  return new RegExp(`(?<![\\w.])(${names.join('|')})(?!\\w)`);
}
