// The settings file: the partner's choices, consents, limits, and texts. Every setting has a default.
//
// `default-settings.json` contains the default choices, consents, and checklist. It is a valid settings file. The choices are
// typical for small businesses in the US, because the funding service documents no values. Every applicant has the documents of
// the checklist, also a sole proprietor.

import * as z from 'zod/mini';
import {
  bankConnections,
  choiceSchema,
  type Environment,
  expectedDecisionSchema,
} from '../../shared/api/configuration.ts';
import {
  contactConsentId,
  type Locale,
  locales,
  type LocalizedText,
  maxDollars,
  requirableFields,
} from '../../shared/application/lists.ts';
import { consentSchema } from '../../shared/application/consent.ts';
import {
  documentCategoryIds,
  listApplicantCategories,
} from '../../shared/application/document-categories.ts';
import { tryParseJson } from '../runtime/json.ts';
import { toContrast } from './colors.ts';
import { listJsonProblems } from './json-problems.ts';
import { findNearName } from './near-name.ts';
import defaults from './default-settings.json' with { type: 'json' };
import { isThisMachine } from './environment-reader.ts';

const mebibyte = 1024 * 1024;

/** File extensions that a partner can accept. `jpg` and `jpeg` are the same type: each of them accepts both. */
export const extensionSchema = z.enum(['pdf', 'jpg', 'jpeg', 'png', 'docx', 'xlsx', 'txt', 'csv']);

/** The descriptions of all settings, for `settings.schema.json` and docs/reference/settings.md. */
export const settingDescriptions = z.registry<z.core.JSONSchema.BaseSchema>();

/** @param facts what JSON Schema can say about the setting, but not read from its schema. */
function setting<Schema extends z.core.$ZodType>(
  description: string,
  schema: Schema,
  facts: z.core.JSONSchema.BaseSchema = {},
): Schema {
  settingDescriptions.add(schema, { ...facts, description });
  return schema;
}

/** Rules that JSON Schema cannot express, with the settings that they are about. Only the BFF checks them. */
export const rulesBeyondSchema = {
  uniqueIds: { settings: 'consents, documents.checklist', rule: 'must not repeat an id' },
  uniqueLanguages: { settings: 'locales', rule: 'must not repeat a language' },
  noTrailingLinks: {
    settings: 'consents.text',
    rule: 'must not end with lines of URLs. Use links for them',
  },
  documentUrl: {
    settings: 'consents.links.url, page.homeUrl, page.privacyUrl',
    rule: 'must be an https URL with a lowercase host, without spaces and a user name, such as https://www.example.com/terms',
  },
  url: { settings: 'support.url', rule: 'must be a URL, such as https://www.example.com/help' },
  regularExpression: { settings: 'serviceTexts', rule: 'must be a regular expression' },
  backgroundContrast: {
    settings: 'page.background',
    rule: 'must be lighter: the contrast of the text #1f1c18 must be 7:1',
  },
  accentOnBackground: {
    settings: 'page.accent',
    rule: 'must be darker: its contrast with the background must be 4.5:1',
  },
  accentOnWhite: {
    settings: 'page.accent',
    rule: 'must be darker: its contrast with white must be 4.5:1',
  },
  fundingRange: { settings: 'fundingNeed.maximum', rule: 'must be at least minimum' },
  totalBytes: { settings: 'documents.maxTotalBytes', rule: 'must be at least maxBytes' },
  // A process uses 128 MiB, and up to four times the size of a scan.
  inspectionMemory: {
    settings: 'documents.inspection.memoryMegabytes',
    rule: 'must be at least 128 MiB plus four times maxBytes',
  },
  // Otherwise no applicant could complete the item.
  applicantCategory: {
    settings: 'documents.checklist.categories',
    rule: 'must be a category for applicants. Add it to showInternalCategories',
  },
  evidence: {
    settings: 'retention.evidenceDays',
    rule: 'must be at least recordDays, undeliveredDays, and rejectedDays',
  },
} as const;

/** Defaults of `documents.inspection`. */
export const inspectionDefaults = { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 };

/** A placeholder: only the funding service knows the name. A bank connection outside the sandbox needs it. */
const defaultAggregatorName = 'Aggregator';

/**
 * Each text that the partner's counsel must replace starts with a mark, such as `[Placeholder – replace before production]`.
 * Production refuses these texts. The default consents contain the mark of each language.
 */
const placeholderMarks = defaults.consents
  .flatMap(({ text }) => Object.values(text))
  .flatMap((words) => /^\[.+?\]/.exec(words) ?? []);

/** Accepts `"Equipment"` or `{"en": "Equipment", "es": "Equipo"}`. The schema `text` checks each string. */
function localized<Text extends z.core.$ZodType<string, string>>(text: Text) {
  const translation = z.optional(text);
  // `Object.fromEntries` returns any string as a key. These keys are exactly the locales.
  const translations = Object.fromEntries(locales.map((locale) => [locale, translation])) as Record<
    Locale,
    typeof translation
  >;
  return z.union([
    z.pipe(
      text,
      z.transform((en): LocalizedText => ({ en })),
    ),
    z.strictObject({ ...translations, en: text }),
  ]);
}

/** `es-MX` → `es`. */
function toLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

/** A group of settings with defaults for all members. Unknown names are errors. */
function group<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.strictObject(shape);
  return z.prefault(schema, () => ({}) as z.input<typeof schema>);
}

function integer(defaultValue: number, minimum: number, maximum: number) {
  return z._default(z.int().check(z.gte(minimum), z.lte(maximum)), defaultValue);
}

/** 0 turns it off. */
const rateLimit = z.int().check(z.gte(0), z.lte(1_000_000));

function limit(defaultValue: number) {
  return z._default(rateLimit, defaultValue);
}

/** At most ten years. */
function days(defaultValue: number, minimum: number) {
  return integer(defaultValue, minimum, 3_650);
}

const nonEmpty = z.string().check(z.minLength(1));

function isUnique(list: readonly string[]): boolean {
  return new Set(list).size === list.length;
}

const uniqueIds = z.refine<readonly { readonly id: string }[]>(
  (list) => isUnique(list.map(({ id }) => id)),
  rulesBeyondSchema.uniqueIds.rule,
);

const choiceSettingSchema = z.extend(choiceSchema, {
  value: setting(
    'The value that the funding service gets, the same in all languages.',
    z.string().check(z.minLength(1)),
  ),
  label: setting('The text that applicants see.', localized(choiceSchema.shape.label)),
});

/** A choice of the form, and its value for the funding service. */
export type ChoiceSetting = z.infer<typeof choiceSettingSchema>;

const choices = z.array(choiceSettingSchema).check(z.minLength(1));

/** The evidence of a consent has one line for its label and one for each link. */
const oneLine = z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line');

/** Otherwise the end of a text would look like links, and two different consents could have the same evidence. */
const noTrailingLinks = z.refine<string>((text) => {
  const start = text.lastIndexOf('\n\n');
  const lines = text.slice(start + 2).split('\n');
  return start < 0 || !lines.every((line) => /: https?:\/\/\S+$/.test(line));
}, rulesBeyondSchema.noTrailingLinks.rule);

/**
 * Accepts only URLs that every parser reads in the same way, because the record has to identify the document: lowercase host, no
 * user name. `http:` is valid for this machine only.
 */
function isDocumentUrl(text: string): boolean {
  if (/[\p{C}\s\\]/u.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isNormalized = text === origin || text.startsWith(`${origin}/`);
  return (
    isNormalized && (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname)))
  );
}

const linkUrl = localized(
  z.string().check(z.maxLength(2_000), z.refine(isDocumentUrl, rulesBeyondSchema.documentUrl.rule)),
);

const linkSettingSchema = z.strictObject({
  label: setting(
    'The text of the link, on one line.',
    localized(nonEmpty.check(z.maxLength(300), oneLine)),
  ),
  url: setting('An `https` URL. A page can have the same URL in all languages.', linkUrl),
});

const consentSettingSchema = z
  .extend(consentSchema, {
    id: setting(
      'Identifies the consent, such as `terms`. The consent `contact` covers calls, so it must not be required.',
      z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/, 'must match [a-z][a-z0-9-]{0,40}')),
    ),
    version: setting(
      'Change it with every change of the label, the text, or the links in any language.',
      z.string().check(z.minLength(1), z.maxLength(40)),
    ),
    label: setting(
      'The sentence next to the check box, on one line.',
      localized(consentSchema.shape.label.check(oneLine)),
    ),
    text: setting(
      'The text that the applicant accepts. Production refuses the placeholder texts.',
      localized(consentSchema.shape.text.check(noTrailingLinks)),
    ),
    links: setting(
      'The documents that the consent refers to.',
      z.optional(z.array(linkSettingSchema).check(z.maxLength(5))),
    ),
    required: setting('If true, nobody can apply without this consent.', z.boolean()),
  })
  .check(
    z.refine(({ id, required }) => id !== contactConsentId || !required, {
      path: ['required'],
      error: 'must be false: consent to calls is never a condition of applying (47 CFR 64.1200)',
    }),
  );
settingDescriptions.add(consentSettingSchema, {
  not: { properties: { id: { const: contactConsentId }, required: { const: true } } },
});

/** A consent that applicants give, with the exact text that is kept as evidence. */
export type ConsentSetting = z.infer<typeof consentSettingSchema>;

const checklistSchema = z
  .array(
    z.strictObject({
      id: setting(
        'Identifies the item, such as `tax-return`.',
        z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/, 'must match [a-z][a-z0-9-]{0,40}')),
      ),
      label: setting('The text that applicants see.', localized(nonEmpty.check(z.maxLength(300)))),
      categories: setting(
        'The categories whose documents count for the item.',
        z.array(z.enum(documentCategoryIds)).check(z.minLength(1)),
      ),
      count: setting('How many documents complete the item.', z.int().check(z.gte(1), z.lte(200))),
    }),
  )
  .check(uniqueIds);

/** Compiles a pattern of `serviceTexts`. Throws a `SyntaxError` if the source is not a regular expression. */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

const pattern = z.refine<string>((source) => {
  try {
    return compilePattern(source) instanceof RegExp;
  } catch {
    return false;
  }
}, rulesBeyondSchema.regularExpression.rule);

const patterns = () => z.optional(z.array(nonEmpty.check(pattern)));

const host = z
  .string()
  .check(z.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be a host, such as apply.example.com'));

settingDescriptions.add(host, { examples: ['apply.example.com'] });

/** Fonts that computers and phones have. The pages load no font, because no other server may learn who applies. */
export const pageFonts = {
  system: 'system-ui, sans-serif',
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', sans-serif",
  grotesque: "Inter, Roboto, 'Helvetica Neue', 'Arial Nova', 'Nimbus Sans', Arial, sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, serif",
  'old-style': "'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', P052, serif",
  slab: "Rockwell, 'Rockwell Nova', 'Roboto Slab', 'DejaVu Serif', 'Sitka Small', serif",
} as const;

const pageFont = z.enum(
  // `Object.keys` returns `string[]`. These are the keys of the object above.
  Object.keys(pageFonts) as (keyof typeof pageFonts)[],
);

/** The text color of the pages in the light appearance, for the contrast of `page.background`. */
export const pageText = '#1f1c18';

const color = z
  .string()
  .check(z.regex(/^#[\da-fA-F]{6}$/, 'must be a color of six hexadecimal digits, such as #0b5c66'));

settingDescriptions.add(color, { examples: ['#0b5c66'] });

const pageSettings = group({
  apply: setting(
    'Serves `/apply`, for partners who send a link, print a QR code, or cannot embed the element. With a challenge, the page is always off.',
    z._default(z.boolean(), true),
  ),
  handoff: setting(
    'Lets applicants continue on a phone: `/phone`, and a QR code in the step Documents.',
    z._default(z.boolean(), true),
  ),
  name: setting(
    'The name in the header. Default: the partner’s name (`FUNDING_PARTNER_NAME`).',
    z.optional(nonEmpty.check(z.maxLength(60), oneLine)),
  ),
  title: setting(
    'The title of `/apply` in browser tabs and bookmarks.',
    z._default(localized(nonEmpty.check(z.maxLength(100), oneLine)), {
      en: 'Apply for business funding',
      es: 'Solicite financiamiento para su negocio',
    }),
  ),
  intro: setting(
    'A paragraph above the form of `/apply`. If it is empty, there is none.',
    z._default(localized(z.string().check(z.maxLength(600))), { en: '' }),
  ),
  homeUrl: setting(
    'The partner’s website. The name in the header links to it. Default: no link.',
    z.optional(linkUrl),
  ),
  privacyUrl: setting(
    'The partner’s privacy policy, linked in the footer. Default: no link.',
    z.optional(linkUrl),
  ),
  accent: setting(
    'The color of buttons, links, and progress, with a contrast of 4.5:1 to the background and to white. The dark appearance gets a lighter tone. Default: the color of the element.',
    z.optional(color),
  ),
  background: setting(
    'The background in the light appearance, with a contrast of 7:1 to the text.',
    z._default(color, '#ffffff'),
  ),
  font: setting(
    'The font of the text: a list of fonts that computers and phones have.',
    z._default(pageFont, 'system'),
  ),
  headingFont: setting(
    'The font of the headings. Default: the font of the text.',
    z.optional(pageFont),
  ),
}).check(({ value: { accent, background }, issues }) => {
  const report = (path: string, message: string) =>
    issues.push({ code: 'custom', input: path, path: [path], message });
  if (toContrast(pageText, background) < 7) {
    report('background', rulesBeyondSchema.backgroundContrast.rule);
  }
  if (accent !== undefined && toContrast(accent, background) < 4.5) {
    report('accent', rulesBeyondSchema.accentOnBackground.rule);
  } else if (accent !== undefined && toContrast(accent, '#ffffff') < 4.5) {
    report('accent', rulesBeyondSchema.accentOnWhite.rule);
  }
});

const fundingAmount = () => z.optional(z.int().check(z.gte(1), z.lte(maxDollars)));

/** `en`, `es-MX`, `EN-us`: a language of the form, with or without a region. */
const localeTag = setting('A language, with or without a region.', z.string(), {
  pattern: `^(?:${locales.map(toAnyCase).join('|')})(?:-|$)`,
  examples: ['es', 'es-MX'],
});

/** `en` → `[eE][nN]`: patterns of JSON Schema have no flags. */
function toAnyCase(text: string): string {
  return Array.from(text, (letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}

/**
 * A text for applicants is either one string for all languages, such as `"Equipment"`, or an object such as
 * `{"en": "Equipment", "es": "Equipo"}`. The English text is required, and replaces a missing one.
 */
export const settingsSchema = z.strictObject({
  $schema: setting(
    'The path or URL of `settings.schema.json`, for editors. The BFF ignores it.',
    z.optional(z.string()),
  ),
  locales: setting(
    'Languages of the form. The first is the default. The form may have more languages than these: a partner who has not translated the consents must not offer them.',
    z._default(
      z
        .array(z.pipe(z.pipe(localeTag, z.transform(toLanguage)), z.enum(locales)))
        .check(z.minLength(1), z.refine(isUnique, rulesBeyondSchema.uniqueLanguages.rule)),
      ['en', 'es'],
    ),
  ),
  fundingReasons: setting(
    'The choices of “What do you need the funding for?” (`LoanReason`).',
    z.prefault(choices, defaults.fundingReasons),
  ),
  fundingNeed: setting(
    'The amounts that the lender funds, in whole US dollars. The form names them, and the BFF refuses others.',
    group({
      minimum: setting(
        'The smallest amount, in whole US dollars. Default: no limit.',
        fundingAmount(),
      ),
      maximum: setting(
        'The largest amount, in whole US dollars. Default: no limit.',
        fundingAmount(),
      ),
    }).check(
      z.refine(({ minimum = 1, maximum = maxDollars }) => maximum >= minimum, {
        path: ['maximum'],
        error: rulesBeyondSchema.fundingRange.rule,
      }),
    ),
  ),
  businessTypes: setting(
    'The choices of the legal form of the business (`BusinessType`).',
    z.prefault(choices, defaults.businessTypes),
  ),
  creditScores: setting(
    'The choices of the owner’s credit score (`CreditScore`).',
    z.prefault(choices, defaults.creditScores),
  ),
  requiredFields: setting(
    'Optional lead fields that the form requires.',
    z._default(z.array(z.enum(requirableFields)), []),
  ),
  consents: setting(
    'The consents of the step Review. Production refuses the default texts.',
    z.prefault(z.array(consentSettingSchema).check(uniqueIds), defaults.consents),
  ),
  documents: setting(
    'Uploads, and their inspection.',
    group({
      maxBytes: setting(
        'The maximum size of one file, in bytes. The funding service does not document a limit.',
        integer(10 * mebibyte, 1, 100 * mebibyte),
      ),
      maxFiles: setting(
        'The maximum number of files of one application, not counting rejected documents.',
        integer(20, 1, 200),
      ),
      maxTotalBytes: setting(
        'The maximum size of all files of one application, in bytes, not counting rejected documents.',
        integer(60 * mebibyte, 1, 1_024 * mebibyte),
      ),
      undoSeconds: setting(
        'Seconds between the upload of a document and its delivery, in which the applicant can remove it or change its category. 0 delivers each document at once, and offers no Undo.',
        integer(30, 0, 600),
      ),
      extensions: setting(
        'Accepted types. By default no office files, which can hide content, and no text files, which have no signature.',
        z._default(z.array(extensionSchema).check(z.minLength(1)), ['pdf', 'jpg', 'jpeg', 'png']),
      ),
      scripts: setting(
        'Scripts in PDFs. `accept` allows scripts of forms (formatting, calculation, XFA). `refuse` rejects every script, XFA forms such as fillable tax forms, and PDFs that a viewer must repair.',
        z._default(z.enum(['accept', 'refuse']), 'accept'),
      ),
      showInternalCategories: setting(
        'Categories of the lender’s staff that applicants may use.',
        z._default(z.array(z.enum(documentCategoryIds)), []),
      ),
      checklist: setting(
        'Documents that the lender needs first. An item is complete when `count` files of its `categories` have arrived. `[]` hides the checklist.',
        z._default(checklistSchema, checklistSchema.parse(defaults.documents.checklist)),
      ),
      inspection: setting(
        'The child processes that inspect documents. They use at most `processes` × `memoryMegabytes` in addition to the BFF.',
        group({
          timeoutSeconds: setting(
            'Seconds per attempt, from the moment the whole file is available.',
            integer(inspectionDefaults.timeoutSeconds, 1, 30),
          ),
          memoryMegabytes: setting(
            'MiB of resident memory per process. An idle process uses about 90.',
            integer(inspectionDefaults.memoryMegabytes, 256, 16_384),
          ),
          processes: setting(
            'Documents inspected at the same time.',
            integer(inspectionDefaults.processes, 1, 16),
          ),
        }),
      ),
    }).check(
      z.refine(({ maxBytes, maxTotalBytes }) => maxTotalBytes >= maxBytes, {
        path: ['maxTotalBytes'],
        error: rulesBeyondSchema.totalBytes.rule,
      }),
      z.refine(
        ({ maxBytes, inspection }) =>
          inspection.memoryMegabytes >= 128 + 4 * Math.ceil(maxBytes / mebibyte),
        {
          path: ['inspection', 'memoryMegabytes'],
          error: rulesBeyondSchema.inspectionMemory.rule,
        },
      ),
      ({ value: { checklist, showInternalCategories }, issues }) => {
        const shown = new Set(listApplicantCategories(showInternalCategories).map(({ id }) => id));
        for (const [index, { categories }] of checklist.entries()) {
          for (const [place, id] of categories.entries()) {
            if (shown.has(id)) continue;
            const message = rulesBeyondSchema.applicantCategory.rule;
            const path = ['checklist', index, 'categories', place];
            issues.push({ code: 'custom', input: id, path, message });
          }
        }
      },
    ),
  ),
  aggregatorName: setting(
    'The name of the bank aggregator at the funding service. It completes one document category and the path of the bank report. The default is a placeholder: a bank connection outside the sandbox needs the real name.',
    z._default(nonEmpty.check(z.maxLength(60)), defaultAggregatorName),
  ),
  bankConnection: setting(
    'How applicants connect a bank. `demonstration`: the demonstration bank of the sandbox. `host`: an aggregator in the host page. Default: `demonstration` in the sandbox, `off` in the other environments.',
    z.optional(z.enum(bankConnections)),
  ),
  offers: setting(
    'What applicants see of their offers.',
    group({
      showMonthlyRate: setting(
        'Shows the monthly rate of an offer, besides its APR.',
        z._default(z.boolean(), false),
      ),
      showCentsOnTheDollar: setting(
        'Shows the cost per borrowed dollar, besides the APR.',
        z._default(z.boolean(), false),
      ),
      notQualifiedNotice: setting(
        'Shown to applicants who do not qualify: the creditor’s notice and address (12 CFR 1002.9). Required in production, in every language of `locales`.',
        z._default(localized(z.string().check(z.maxLength(20_000))), { en: '' }),
      ),
      noticeElsewhere: setting(
        'Applicants get the notice another way, for example by letter. Production then accepts an empty `notQualifiedNotice`.',
        z._default(z.boolean(), false),
      ),
    }),
  ),
  creditCheckNotice: setting(
    'Shown on the start page: how applying affects the applicant’s credit score. One paragraph that your counsel approved. If it is empty, the page says nothing.',
    z._default(localized(z.string().check(z.maxLength(1_000))), { en: '' }),
  ),
  expectedDecision: setting(
    'How long the lender usually takes to decide, counted from its receipt of the application. Shown after the submission, for example `{"within": 2, "unit": "business-days"}`. Default: the page names no time.',
    z.optional(
      z.extend(expectedDecisionSchema, {
        within: setting('How many of the unit.', expectedDecisionSchema.shape.within),
        unit: setting('The unit of `within`.', expectedDecisionSchema.shape.unit),
      }),
    ),
  ),
  support: setting(
    'How applicants reach you. The form shows what is set.',
    group({
      name: setting('The name of your support. Default: none.', z.optional(z.string())),
      phone: setting(
        'Shown as a `tel:` link. Include the area code: `512-555-0199`. Default: none.',
        z.optional(z.string()),
      ),
      email: setting('An email address. Default: none.', z.optional(z.string())),
      url: setting(
        'The URL of a help page. Default: none.',
        z.optional(z.url({ error: rulesBeyondSchema.url.rule })),
        // The formats of JSON Schema refuse some URLs that browsers accept.
        { format: undefined, examples: ['https://www.example.com/help'] },
      ),
    }),
  ),
  lead: setting(
    'Fields of the lead that the applicant does not type.',
    group({
      leadSource: setting(
        'The field `LeadSource`. Default: the partner’s name (`FUNDING_PARTNER_NAME`).',
        z.optional(nonEmpty),
      ),
      campaignId: setting(
        'The field `CampaignID` if the page names no campaign. Default: none.',
        z.optional(nonEmpty),
      ),
      allowedCampaignIds: setting(
        'Campaigns that a page may name.',
        z._default(z.array(nonEmpty), []),
      ),
      outcomeId: setting('The field `OutcomeID`. Default: none.', z.optional(nonEmpty)),
      foundedMonthFormat: setting(
        'How the field `FoundedMonth` is written. March is `3`, `03`, `March`, or `Mar`.',
        z._default(z.enum(['number', 'two-digit', 'name', 'short-name']), 'number'),
      ),
      businessAgeFormat: setting(
        'How the field `BusinessAge` is written. 75 months are `6`, `75`, or `6 years 3 months`.',
        z._default(z.enum(['years', 'months', 'years-and-months']), 'years'),
      ),
    }),
  ),
  page: setting(
    'The pages that the BFF serves: `/apply`, and `/phone` for documents from a phone. They need the widget (`WIDGET_FOLDER`).',
    pageSettings,
  ),
  serviceTexts: setting(
    'Regular expressions for failure texts that the specification of the funding service does not show. They ignore case, and a list replaces the default list in `funding-service/failure-texts.ts`. The entry `default` stands for that list. `npm run conformance` finds the patterns of a real service.',
    group({
      duplicate: setting('The application exists already.', patterns()),
      invalidToken: setting('The token is not valid. The BFF logs in again.', patterns()),
      invalidField: setting(
        'A field has a wrong value. A match rejects the row, so begin the pattern with `^`. It must capture the name of the field: `^The value of (?<field>\\w+) is wrong`.',
        patterns(),
      ),
      leadNotFound: setting('The application does not exist.', patterns()),
      categoryNotAllowed: setting(
        'The category of a document is not allowed. A match rejects the row, so begin the pattern with `^`.',
        patterns(),
      ),
      contentNotBase64: setting('The content of a document is not Base64.', patterns()),
    }),
  ),
  retention: setting(
    'How many days the store keeps data. Accepted content is always erased at once.',
    group({
      recordDays: setting(
        'File names and tracking URLs of finished applications, in days from their end (16 CFR 314.4(c)(6)). A session shows them until it ends.',
        days(30, 2),
      ),
      undeliveredDays: setting(
        'Everything of an application that the funding service never confirmed, in days from its receipt. The BFF retries for three days.',
        days(30, 4),
      ),
      rejectedDays: setting(
        'Encrypted content of a rejected row, in days from the rejection. Until then, `retry --rejected` can send it again.',
        days(7, 0),
      ),
      evidenceDays: setting(
        'Consents, ids, states, and times, in days from the receipt. 16 CFR 310.5 requires five years.',
        days(1_825, 4),
      ),
    }).check(
      z.refine(
        ({ evidenceDays, ...others }) => evidenceDays >= Math.max(...Object.values(others)),
        { path: ['evidenceDays'], error: rulesBeyondSchema.evidence.rule },
      ),
    ),
  ),
  limits: setting(
    'Rate limits per address (an IPv6 address counts as its /64), per session, and per process. 0 turns a limit off.',
    group({
      requestsPerMinutePerAddress: setting('Requests to the API.', limit(300)),
      widgetRequestsPerMinutePerAddress: setting(
        'Files of the widget. The first visit loads about ten.',
        limit(3_000),
      ),
      sessionsPerMinutePerAddress: setting('New sessions.', limit(20)),
      applicationsPerHourPerAddress: setting(
        'Stored applications. A repeated request does not count. Default: 60, so that applicants who share the tablet of a shop can apply one after another; 0 in the sandbox, where one address sends all applications.',
        z.optional(rateLimit),
      ),
      requestsPerMinutePerSession: setting('Requests to the API.', limit(120)),
      applicationsPerHourPerSession: setting('Submissions of the form.', limit(5)),
      uploadsPerHourPerSession: setting('Documents and bank reports.', limit(60)),
      handoffsPerHourPerSession: setting('QR codes for phones.', limit(30)),
      handoffClaimsPerHourPerAddress: setting(
        'Phones that scan a QR code or send a typed code.',
        limit(60),
      ),
      handoffCodesPerHourPerAddress: setting(
        'Wrong codes that are typed on a phone. This limit cannot be turned off: it protects the codes against guessing.',
        integer(5, 1, 100),
      ),
      requestsAtOnce: setting(
        'Concurrent requests of one process, without uploads. Above half of it, requests do not wait for the funding service.',
        limit(200),
      ),
      minimumFillSeconds: setting(
        'Bot check: minimum seconds from the start of a session to its application.',
        integer(4, 0, 60),
      ),
    }),
  ),
  delivery: setting(
    'Deliveries to the funding service.',
    group({
      maxConcurrent: setting(
        'Maximum concurrent deliveries of one process. Of these, at most two are of each kind of attachment.',
        integer(64, 1, 256),
      ),
    }),
  ),
  trackingHosts: setting(
    'Hosts that a tracking URL may have, with a port unless it is the default port. Default: the host of the funding service.',
    z.optional(z.array(host)),
  ),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The content of a settings file, before its defaults. */
export type SettingsFile = z.input<typeof settingsSchema>;

export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** Parses the text of a settings file. A problem is a clause that begins with the path: `documents.maxBytes must be at least 1`. */
export function parseSettings(
  text: string,
): { readonly settings: Settings } | { readonly problems: readonly string[] } {
  // Editors on Windows begin files with a byte order mark.
  const withoutMark = text.replace(/^\uFEFF/, '');
  const mistakes = listJsonProblems(withoutMark);
  if (mistakes.length > 0) return { problems: mistakes };
  const json = tryParseJson(withoutMark);
  if (json === undefined)
    return { problems: ['the file is not JSON. Check it with a JSON editor'] };
  const parsed = settingsSchema.safeParse(json);
  if (parsed.success) return { settings: parsed.data };
  return { problems: parsed.error.issues.flatMap((issue) => toProblems(issue, json)) };
}

function toProblems(issue: z.core.$ZodIssue, json: unknown): readonly string[] {
  const path = toPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const near = findNearName(name, listNames(issue.path));
      const fix = near === undefined ? 'Remove it' : `Did you mean ${near}?`;
      return `${toPath([...issue.path, name])} is not a setting. ${fix}`;
    });
  }
  if (issue.code !== 'invalid_union') return [`${path} ${toClause(issue, json)}`];
  // All unions are localized texts. Report the problems of the form that has the type of the value.
  const meant = issue.errors.find(
    (errors) =>
      !errors.some(({ code, path: inner }) => code === 'invalid_type' && inner.length === 0),
  );
  if (!meant) {
    return findValue(json, issue.path) === undefined
      ? [`${path} is missing. Add it`]
      : [`${path} must be a text, or texts such as {"en": "…", "es": "…"}`];
  }
  return meant.flatMap((inner) =>
    toProblems({ ...inner, path: [...issue.path, ...inner.path] }, json),
  );
}

function toPath(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'the file';
}

function findValue(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
    json,
  );
}

/** The names of the settings at a path. */
function listNames(path: readonly PropertyKey[]): readonly string[] {
  let schema = unwrap(settingsSchema);
  for (const name of path) {
    if (schema instanceof z.ZodMiniArray) schema = unwrap(schema.def.element);
    else if (schema instanceof z.ZodMiniObject)
      schema = unwrap(schema.shape[String(name)] ?? schema);
  }
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

/** Removes defaults, and chooses the object of a localized text. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniUnion) {
    return (
      schema.def.options.find((option: unknown) => option instanceof z.ZodMiniObject) ?? schema
    );
  }
  const isWrapper =
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniPrefault ||
    schema instanceof z.ZodMiniOptional;
  return isWrapper ? unwrap(schema.def.innerType) : schema;
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number, without quotation marks, units, and separators, such as 5000',
  // All numbers of the settings are whole.
  number: 'a whole number, without quotation marks, units, and separators, such as 5000',
  boolean: 'true or false, without quotation marks',
  string: 'a text, in quotation marks',
  array: 'a list, in [ ]',
  object: 'an object, in { }',
};

function toClause(issue: z.core.$ZodIssue, json: unknown): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin in units ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'invalid_type':
      return findValue(json, issue.path) === undefined
        ? 'is missing. Add it'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value': {
      const values = issue.values.map(String);
      const value = findValue(json, issue.path);
      const near = typeof value === 'string' ? findNearName(value, values) : undefined;
      const fix = near === undefined ? '' : `. Did you mean ${near}?`;
      return `must be one of ${values.join(', ')}${fix}`;
    }
    default:
      return issue.message;
  }
}

/**
 * Lists settings that are valid, but that the environment refuses. The sandbox refuses none.
 *
 * @returns clauses that continue `FUNDING_SETTINGS`, each with its fix.
 */
export function listRefusedSettings(
  settings: Settings,
  environment: Environment,
): readonly string[] {
  if (environment === 'sandbox') return [];
  const { aggregatorName, bankConnection, consents, page } = settings;
  const links = [
    ...consents.flatMap((consent, index) =>
      (consent.links ?? []).map(
        ({ url }, place) => [`consents.${index}.links.${place}.url`, url] as const,
      ),
    ),
    ['page.homeUrl', page.homeUrl],
    ['page.privacyUrl', page.privacyUrl],
  ] as const;
  const localLinks = links
    .filter(
      ([, url]) => url && listTexts(url).some((text) => isThisMachine(new URL(text).hostname)),
    )
    .map(([path]) => `links to this machine in ${path}. Use a public URL.`);
  const problems = [
    bankConnection !== 'off' &&
      aggregatorName === defaultAggregatorName &&
      'connects banks, but aggregatorName is not set. Set it to the name that the funding service uses, or set bankConnection to off.',
    ...localLinks,
    ...(environment === 'production' ? listUnfinishedSettings(settings) : []),
  ];
  return problems.filter((problem) => problem !== false);
}

/** Numbers for fiction (ATIS-0300115, section 6.1), and names that nobody owns (RFC 2606, section 2). Our examples use both. */
const fictionalValues = [
  [/555[-. ]?01\d\d(?!\d)/, 'phone number'],
  [/[\w-]\.example(?![\w-]|\.\w)/i, 'host'],
] as const;

function listFictionalValues(settings: Settings): readonly string[] {
  const problems = listStrings(settings).flatMap(([path, text]) =>
    fictionalValues
      .filter(([pattern]) => pattern.test(text))
      .map(([, name]) => `has the fictional ${name} of an example in ${path}. Use your own.`),
  );
  return [...new Set(problems)];
}

/** Every text with its path, as `support.phone`. The languages of one text share a path. */
function listStrings(value: unknown, path: readonly string[] = []): readonly [string, string][] {
  if (typeof value === 'string') {
    const isTranslation = locales.some((locale) => locale === path.at(-1));
    return [[(isTranslation ? path.slice(0, -1) : path).join('.'), value]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => listStrings(one, [...path, name]));
}

/** Applicants must be able to read what they consent to, and who refused them (12 CFR 1002.9), in their language. */
function listUnfinishedSettings(settings: Settings): readonly (string | false)[] {
  const { bankConnection, consents, creditCheckNotice, locales: offered, offers } = settings;
  const problems = consents.flatMap((consent) => [
    isPlaceholder(consent) &&
      `has a placeholder text in the consent ${consent.id}. Use the text that your counsel approved, with a version of its own.`,
    findTexts(consent).some(({ text }) => offered.some((locale) => text[locale] === undefined)) &&
      `lacks a translation of the consent ${consent.id}. Translate its label, its text, and the labels of its links, or set locales to ["en"].`,
  ]);
  const notice = offers.notQualifiedNotice;
  const isEmpty = listTexts(notice).every((text) => text.trim() === '');
  return [
    ...problems,
    ...listFictionalValues(settings),
    isEmpty &&
      !offers.noticeElsewhere &&
      'lacks offers.notQualifiedNotice, the notice to applicants who do not qualify (12 CFR 1002.9). Use the text that your counsel approved, or set offers.noticeElsewhere to true if applicants get the notice another way.',
    hasPlaceholderMark(notice) &&
      'has a placeholder text in offers.notQualifiedNotice. Use the text that your counsel approved.',
    !isEmpty &&
      offered.some((locale) => !notice[locale]?.trim()) &&
      'lacks a translation of offers.notQualifiedNotice. Translate it, or set locales to ["en"].',
    hasPlaceholderMark(creditCheckNotice) &&
      'has a placeholder text in creditCheckNotice. Use the text that your counsel approved, or remove it.',
    bankConnection === 'demonstration' &&
      'uses the demonstration bank. Set bankConnection to off or host.',
  ];
}

/** True if the consent has a default version or a placeholder mark. */
export function isPlaceholder(consent: ConsentSetting): boolean {
  return (
    consent.version.startsWith('placeholder') ||
    findTexts(consent).some(({ text }) => hasPlaceholderMark(text))
  );
}

/** True if the text has the mark in any language. */
function hasPlaceholderMark(text: LocalizedText): boolean {
  return listTexts(text).some((words) => placeholderMarks.some((mark) => words.includes(mark)));
}

/** The text in all its languages. */
function listTexts(text: LocalizedText): readonly string[] {
  return locales.map((locale) => text[locale]).filter((words) => words !== undefined);
}

/** Returns the requested language if it is offered, or the first offered one. */
export function pickLocale(offered: readonly Locale[], asked: string | undefined): Locale {
  const language = asked && toLanguage(asked);
  return offered.find((locale) => locale === language) ?? offered[0] ?? 'en';
}

export function toText(text: LocalizedText, locale: Locale): string {
  return text[locale] ?? text.en;
}

/** Returns paths such as `fundingReasons.2.label (es)`. An empty text needs no translation. */
export function listUntranslatedTexts(settings: Settings): readonly string[] {
  return findTexts(settings).flatMap(({ path, text }) =>
    settings.locales
      .filter((locale) => text.en !== '' && text[locale] === undefined)
      .map((locale) => `${path} (${locale})`),
  );
}

/** One sentence for the operator; `undefined` if nothing is missing. */
export function describeUntranslatedTexts(settings: Settings): string | undefined {
  const missing = listUntranslatedTexts(settings);
  if (missing.length === 0) return undefined;
  const more = missing.length > 5 ? `, and ${missing.length - 5} more` : '';
  return `FUNDING_SETTINGS lacks translations, so applicants see English texts. Translate ${missing.slice(0, 5).join(', ')}${more}.`;
}

/** All texts that applicants read in a part of the settings. A page can have the same URL in all languages. */
function findTexts(
  value: unknown,
  path = '',
): readonly { readonly path: string; readonly text: LocalizedText }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isLocalizedText(value)) return [{ path, text: value }];
  return Object.entries(value).flatMap(([name, inner]) =>
    /^url$|Url$/.test(name) ? [] : findTexts(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** No other setting has a member `en`. */
function isLocalizedText(value: object): value is LocalizedText {
  return 'en' in value && typeof value.en === 'string';
}
