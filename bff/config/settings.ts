// The partner's own choices: what the form offers, asks and allows. One strict JSON file; every value has a default.

import * as z from 'zod/mini';
import { bankConnections, choiceSchema } from '../../shared/api/configuration.ts';
import {
  type Locale,
  locales,
  type LocalizedText,
  requirableFields,
} from '../../shared/application/application.ts';
import { consentSchema, contactConsentId } from '../../shared/application/consent.ts';
import {
  type DocumentCategoryId,
  documentCategoryIds,
  listApplicantCategories,
} from '../../shared/application/document-categories.ts';
import { tryParseJson } from '../runtime/json.ts';
import {
  defaultBusinessTypes,
  defaultChecklist,
  defaultConsents,
  defaultCreditScores,
  defaultFundingReasons,
} from './default-settings.ts';
import { isThisMachine } from './environment-reader.ts';
import { listTexts, localized, toLanguage } from './localized-text.ts';

/** The evidence has a line for the label of a consent, and one for each link. */
export const oneLine = z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be on one line');

/** No two consents have the same evidence: what stands at its end are links, and never the end of a text. */
export const endsUnlikeLinks = z.refine<string>(
  (text) => !endsLikeLinks(text),
  'must not end in lines of addresses: give them as links',
);

const linkLabel = z.string().check(z.minLength(1), z.maxLength(300), oneLine);

const linkUrl = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine(
      isDocumentUrl,
      'must be an https address without blanks or a password, its host in lower case, as in https://www.example.com/terms',
    ),
  );

export const consentLinksSettingSchema = z
  .array(z.strictObject({ label: localized(linkLabel), url: localized(linkUrl) }))
  .check(z.maxLength(5));

export type ConsentLinkSetting = z.infer<typeof consentLinksSettingSchema>[number];

/** In any language: a document on this machine, which applicants elsewhere cannot read. */
export function isLocalLink({ url }: ConsentLinkSetting): boolean {
  return listTexts(url).some((text) => isThisMachine(new URL(text).hostname));
}

function endsLikeLinks(text: string): boolean {
  const place = text.lastIndexOf('\n\n');
  const lines = text.slice(place + 2).split('\n');
  return place >= 0 && lines.every((line) => /: https?:\/\/\S+$/.test(line));
}

/**
 * Only what every reader of addresses takes apart in the same way: the record has to say which document it was. Scheme and
 * host are as browsers write them, so that no name or password stands before the host; `http:` leads to this machine only.
 */
function isDocumentUrl(text: string): boolean {
  if (/[\p{C}\s\\]/u.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isWhole = text === origin || text.startsWith(`${origin}/`);
  return isWhole && (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname)));
}

/** `value` goes on the wire and is the same in every language. */
export const choiceSettingSchema = z.extend(choiceSchema, {
  label: localized(choiceSchema.shape.label),
});

/**
 * One consent in all its languages: whoever changes or adds a text or a link in one of them gives the consent a new `version`. The
 * contact consent is never `required`: it must not be a condition of applying (47 CFR 64.1200(f)(9)(i)(B)).
 */
export const consentSettingSchema = z
  .extend(consentSchema, {
    label: localized(consentSchema.shape.label.check(oneLine)),
    text: localized(consentSchema.shape.text.check(endsUnlikeLinks)),
    /** The documents it speaks of, to be read before it is given: `[{"label": "Terms of use", "url": "https://…"}]`, five at most. */
    links: z.optional(consentLinksSettingSchema),
  })
  .check(
    z.refine(({ id, required }) => id !== contactConsentId || !required, {
      path: ['required'],
      error: 'must be false: nobody has to accept calls to apply (47 CFR 64.1200)',
    }),
  );

/** A line of the checklist is ticked once `count` files of its `categories` are there; the categories have to be open to applicants. */
export const checklistSettingSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/)),
  label: localized(z.string().check(z.minLength(1), z.maxLength(300))),
  categories: z.array(z.enum(documentCategoryIds)).check(z.minLength(1)),
  count: z.int().check(z.gte(1), z.lte(200)),
});

export type ChoiceSetting = z.infer<typeof choiceSettingSchema>;
export type ConsentSetting = z.infer<typeof consentSettingSchema>;
export type ChecklistSetting = z.infer<typeof checklistSettingSchema>;

/** Stands for the name only the service's operator can tell; a bank connection outside the sandbox needs that one. */
export const defaultAggregatorName = 'Aggregator';

const mebibyte = 1024 * 1024;

/** File extensions that a partner can accept. `jpg` and `jpeg` are the same type: each of them accepts both. */
export const documentExtensions = [
  'pdf',
  'jpg',
  'jpeg',
  'png',
  'docx',
  'xlsx',
  'txt',
  'csv',
] as const;

/** Office files can hide content from a reader, and text files have no signature, so a partner has to turn them on. */
const defaultDocumentExtensions = ['pdf', 'jpg', 'jpeg', 'png'] as const;

/** Defaults of `documents.inspection`. */
export const inspectionDefaults = { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 };

/** Forms of the lead's FoundedMonth. March is `3`, `03`, `March`, or `Mar`. */
export const foundedMonthFormats = ['number', 'two-digit', 'name', 'short-name'] as const;
export type FoundedMonthFormat = (typeof foundedMonthFormats)[number];

/** Forms of the lead's BusinessAge. 75 months are `6`, `75`, or `6 years 3 months`. */
export const businessAgeFormats = ['years', 'months', 'years-and-months'] as const;
export type BusinessAgeFormat = (typeof businessAgeFormats)[number];

/** Sources of regular expressions, in any case; a list given here takes the place of the default one. */
const patterns = z.optional(
  z.array(z.string().check(z.minLength(1), z.refine(isPattern, 'is no regular expression'))),
);

const host = z
  .string()
  .check(z.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'is no host, for example apply.example.com'));

/** A group of settings: strict, and whole even when the file leaves it out. */
function group<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.strictObject(shape);
  return z.prefault(schema, () => ({}) as z.input<typeof schema>);
}

export const settingsSchema = z.strictObject({
  /** Languages the form offers, with a region (`en-US`) or without; the first is for applicants whose page asks for none, or for another. */
  locales: z._default(
    z
      .array(z.pipe(z.pipe(z.string(), z.transform(toLanguage)), z.enum(locales)))
      .check(z.minLength(1), z.refine(isWithoutRepeats, 'names a language twice')),
    [...locales],
  ),
  /**
   * Every text that applicants read, here and below, is one for all languages, as in `"Equipment"`, or one for each, as in
   * `{"en": "Equipment", "es": "Equipo"}`; the English one has to be there and stands in for one that is missing.
   */
  fundingReasons: choices(defaultFundingReasons),
  businessTypes: choices(defaultBusinessTypes),
  creditScores: choices(defaultCreditScores),
  /** Fields the service takes as optional and this partner wants. */
  requiredFields: z._default(z.array(z.enum(requirableFields)), []),
  /** One `version` is one wording in all languages: a change in any of them takes a new one. */
  consents: z._default(
    z.array(consentSettingSchema).check(z.refine(hasUniqueIds, 'holds an id twice')),
    [...defaultConsents],
  ),
  documents: group({
    /** Bytes of one file; the service's own limit is not documented. */
    maxBytes: z._default(z.int().check(z.gte(1), z.lte(100 * mebibyte)), 10 * mebibyte),
    /** Of one application; those the service refused do not count. */
    maxFiles: z._default(z.int().check(z.gte(1), z.lte(200)), 20),
    /** Bytes of all files of one application; those the service refused do not count. */
    maxTotalBytes: z._default(z.int().check(z.gte(1), z.lte(1024 * mebibyte)), 60 * mebibyte),
    /** Types that are accepted, where their content agrees. Without a value: `pdf`, `jpg` and `png`. */
    extensions: z._default(z.array(z.enum(documentExtensions)).check(z.minLength(1)), [
      ...defaultDocumentExtensions,
    ]),
    /**
     * PDFs with scripts: `accept` lets in what a form needs (formatting, calculation, XFA). `refuse` is the strict mode: it also
     * refuses every script, XFA forms such as fillable tax forms, and PDFs that a viewer must repair.
     */
    scripts: z._default(z.enum(['accept', 'refuse']), 'accept'),
    /** Categories written by the lender's staff that applicants may use all the same. */
    showInternalCategories: z._default(z.array(z.enum(documentCategoryIds)), []),
    /** What the lender wants first, ticked as it arrives; `[]` for none. Without a value: statements, a photo ID, a voided check. */
    checklist: z._default(
      z.array(checklistSettingSchema).check(z.refine(hasUniqueIds, 'holds an id twice')),
      [...defaultChecklist],
    ),
    /** Limits of the processes that inspect documents. They need `processes` × `memoryMegabytes` at worst, besides the BFF. */
    inspection: group({
      /** Seconds for one attempt, once the whole file is there. The longest still lets an answer arrive before the connection is closed. */
      timeoutSeconds: z._default(
        z.int().check(z.gte(1), z.lte(30)),
        inspectionDefaults.timeoutSeconds,
      ),
      /** MiB of resident memory of one process; an idle one takes about 90. */
      memoryMegabytes: z._default(
        z.int().check(z.gte(256), z.lte(16_384)),
        inspectionDefaults.memoryMegabytes,
      ),
      /** Documents inspected at once. */
      processes: z._default(z.int().check(z.gte(1), z.lte(16)), inspectionDefaults.processes),
    }),
  }).check(
    z.refine(({ maxBytes, maxTotalBytes }) => maxTotalBytes >= maxBytes, {
      path: ['maxTotalBytes'],
      error: 'must not be less than maxBytes',
    }),
    refuseTooLittleMemory,
    refuseHiddenCategories,
  ),
  /** Completes one document category and the asset report's path (spec, operation 5). */
  aggregatorName: z._default(
    z.string().check(z.minLength(1), z.maxLength(60)),
    defaultAggregatorName,
  ),
  /** Without a value: the demonstration bank in the sandbox, off elsewhere. */
  bankConnection: z.optional(z.enum(bankConnections)),
  offers: group({
    showMonthlyRate: z._default(z.boolean(), false),
    showCentsOnTheDollar: z._default(z.boolean(), false),
    /** Stands below "not qualified": the creditor's notice and address (12 CFR 1002.9). `production` refuses an empty one. */
    notQualifiedNotice: z._default(localized(z.string().check(z.maxLength(20_000))), { en: '' }),
    /** That applicants get this notice another way, by letter for example; `production` then takes an empty one. */
    noticeElsewhere: z._default(z.boolean(), false),
  }),
  support: group({
    name: z.optional(z.string()),
    /** Shown as a `tel:` link: with its area code, for example `512-555-0199`. */
    phone: z.optional(z.string()),
    email: z.optional(z.string()),
    url: z.optional(z.url()),
  }),
  lead: group({
    /** Without a value: the partner's name. */
    leadSource: z.optional(z.string().check(z.minLength(1))),
    /** Sent when the page names no campaign. */
    campaignId: z.optional(z.string().check(z.minLength(1))),
    /** Campaigns a page may name. */
    allowedCampaignIds: z._default(z.array(z.string().check(z.minLength(1))), []),
    outcomeId: z.optional(z.string().check(z.minLength(1))),
    foundedMonthFormat: z._default(z.enum(foundedMonthFormats), 'number'),
    businessAgeFormat: z._default(z.enum(businessAgeFormats), 'years'),
  }),
  /**
   * Texts of the funding service whose wording its specification does not show ("Errors"), as regular expressions without
   * regard to case; a list replaces the default one (`funding-service/texts.ts`). A match of `invalidField` or
   * `categoryNotAllowed` rejects, so each pattern should begin with `^`; `invalidField` has to capture the field's name in a
   * group, for example `^The value of (?<field>\\w+) is wrong`.
   */
  serviceTexts: group({
    duplicate: patterns,
    invalidToken: patterns,
    invalidField: patterns,
    leadNotFound: patterns,
    categoryNotAllowed: patterns,
    contentNotBase64: patterns,
  }),
  /** How long the store keeps what, in days. The content of what the funding service accepted is erased at once. */
  retention: group({
    /**
     * File names and tracking addresses of what was taken or refused, from then on. Not longer than they serve
     * (16 CFR 314.4(c)(6)); at least as long as a session, which shows them and lasts a day.
     */
    recordDays: days(30, 2),
    /**
     * Everything of an application that the service never confirmed, from its receipt. It is given up after three days;
     * the rest is for somebody to look into it.
     */
    undeliveredDays: days(30, 4),
    /**
     * The encrypted content of an application, document or report that was rejected, from the rejection on: so long an
     * operator can send it again (`retry --rejected`). 0: until the next purge, within ten minutes.
     */
    rejectedDays: days(7, 0),
    /**
     * Consents, ids, states and times, from the receipt. Five years, as proof of a consent to be called has to be kept
     * (16 CFR 310.5).
     */
    evidenceDays: days(1825, 4),
  }).check(
    z.refine(isEvidenceLongest, {
      path: ['evidenceDays'],
      error: 'must not be less than recordDays, undeliveredDays and rejectedDays',
    }),
  ),
  /** How much is too much, for one address (an IPv6 address counts as its /64), one session, one process; 0 for no limit. */
  limits: group({
    requestsPerMinutePerAddress: limit(300),
    /** Files of the widget. A page loads about ten when it is opened for the first time. */
    widgetRequestsPerMinutePerAddress: limit(3_000),
    sessionsPerMinutePerAddress: limit(20),
    /** Applications that are kept; one that is sent again is not counted. */
    applicationsPerHourPerAddress: limit(20),
    requestsPerMinutePerSession: limit(120),
    applicationsPerHourPerSession: limit(5),
    /** Documents and asset reports. */
    uploadsPerHourPerSession: limit(60),
    /** Of one process, without uploads. Above half of them nobody waits here for the funding service's answer. */
    requestsAtOnce: limit(200),
    /** From the beginning of a session to its application: nobody fills the form in faster. */
    minimumFillSeconds: z._default(z.int().check(z.gte(0), z.lte(60)), 4),
  }),
  /** Hosts, with a port unless it is the usual one, that an application's tracking address may have. Without a value: the service's own host. */
  trackingHosts: z.optional(z.array(host)),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The settings of an empty file. */
export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** Settings from the text of a file, or what is wrong with it, one line each. */
export function parseSettings(
  text: string,
): { readonly settings: Settings } | { readonly problems: readonly string[] } {
  const json = tryParseJson(text);
  if (json === undefined) return { problems: ['is no JSON'] };
  const parsed = settingsSchema.safeParse(json);
  if (parsed.success) return { settings: parsed.data };
  return { problems: parsed.error.issues.flatMap(toProblems) };
}

function choices(defaults: readonly ChoiceSetting[]) {
  return z._default(z.array(choiceSettingSchema).check(z.minLength(1)), [...defaults]);
}

function limit(preset: number) {
  return z._default(z.int().check(z.gte(0), z.lte(1_000_000)), preset);
}

/** At most ten years. */
function days(preset: number, least: number) {
  return z._default(z.int().check(z.gte(least), z.lte(3650)), preset);
}

function isEvidenceLongest(kept: {
  readonly recordDays: number;
  readonly undeliveredDays: number;
  readonly rejectedDays: number;
  readonly evidenceDays: number;
}): boolean {
  return kept.evidenceDays >= Math.max(kept.recordDays, kept.undeliveredDays, kept.rejectedDays);
}

/** Compiles a pattern of `serviceTexts`. Throws a `SyntaxError` if the source is not a regular expression. */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

function isPattern(source: string): boolean {
  try {
    return compilePattern(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/** A process takes 128 MiB for itself, and an honest scan four times its own size. */
function refuseTooLittleMemory({
  value: { maxBytes, inspection },
  issues,
}: z.core.ParsePayload<{
  readonly maxBytes: number;
  readonly inspection: { readonly memoryMegabytes: number };
}>): void {
  const least = 128 + 4 * Math.ceil(maxBytes / mebibyte);
  if (inspection.memoryMegabytes >= least) return;
  const message = `must not be less than ${least} with documents of maxBytes. Raise it, or lower maxBytes`;
  const path = ['inspection', 'memoryMegabytes'];
  issues.push({ code: 'custom', input: inspection.memoryMegabytes, path, message });
}

/** Nobody could ever tick such a line. */
function refuseHiddenCategories({
  value: { checklist, showInternalCategories },
  issues,
}: z.core.ParsePayload<{
  readonly checklist: readonly ChecklistSetting[];
  readonly showInternalCategories: readonly DocumentCategoryId[];
}>): void {
  const open = new Set(listApplicantCategories(showInternalCategories).map(({ id }) => id));
  for (const [line, { categories }] of checklist.entries()) {
    for (const [place, id] of categories.entries()) {
      if (open.has(id)) continue;
      const message = 'is not open to applicants; list it in showInternalCategories too';
      const path = ['checklist', line, 'categories', place];
      issues.push({ code: 'custom', input: id, path, message });
    }
  }
}

function isWithoutRepeats(list: readonly string[]): boolean {
  return new Set(list).size === list.length;
}

function hasUniqueIds(list: readonly { readonly id: string }[]): boolean {
  return isWithoutRepeats(list.map(({ id }) => id));
}

/** Of what zod found; several where a text is given by language. */
export function toProblems(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_union') return toTextProblems(issue);
  const path = toPath(issue);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.join(', ');
    return [path === '' ? `unknown: ${names}` : `${path}: unknown: ${names}`];
  }
  return [`${path === '' ? 'the whole' : path}: ${toExpectation(issue)}`];
}

/** The only unions are texts: one for every language, or one for each. What is wrong is told for the form that was meant. */
function toTextProblems(issue: z.core.$ZodIssueInvalidUnion): readonly string[] {
  const meant = issue.errors.find((inner) => !inner.some(isOtherKind));
  if (meant) {
    return meant.flatMap((inner) => toProblems({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [`${toPath(issue)}: must be a text, or texts by language as in {"en": "…", "es": "…"}`];
}

/** Whether it is about the value as a whole. */
function isOtherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function toPath({ path }: z.core.$ZodIssue): string {
  return path.map(String).join('.');
}

function toExpectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `must not be less than ${issue.minimum}`;
    case 'too_big':
      return `must not be more than ${issue.maximum}`;
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}

/** By their place in the file and the language, for example `fundingReasons.2.label (es)`; an empty text is missed in none. */
export function listUntranslatedTexts(settings: Settings): readonly string[] {
  return findTexts(settings, '').flatMap(({ place, text }) =>
    settings.locales
      .filter((locale) => text.en !== '' && isMissing(text, locale))
      .map((locale) => `${place} (${locale})`),
  );
}

/** For the operator, in one sentence; `undefined` when nothing is missing. */
export function describeUntranslatedTexts(settings: Settings): string | undefined {
  const missing = listUntranslatedTexts(settings);
  if (missing.length === 0) return undefined;
  const [some, rest] = [missing.slice(0, 5).join(', '), missing.length - 5];
  return `FUNDING_SETTINGS leaves texts in English where the form speaks another language: ${some}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

interface FoundText {
  readonly place: string;
  readonly text: LocalizedText;
}

/** An address may well be the same in all languages. */
const notRead: ReadonlySet<string> = new Set(['url']);

function findTexts(value: unknown, place: string): readonly FoundText[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isLocalizedText(value)) return [{ place, text: value }];
  return Object.entries(value).flatMap(([name, inner]) =>
    notRead.has(name) ? [] : findTexts(inner, place === '' ? name : `${place}.${name}`),
  );
}

/** No other setting has a member of that name. */
function isLocalizedText(value: object): value is LocalizedText {
  return 'en' in value && typeof value.en === 'string';
}

function isMissing(text: LocalizedText, locale: Locale): boolean {
  return text[locale] === undefined;
}
