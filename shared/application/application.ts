// The form's own model: its languages, and the schema of what an applicant enters.

import * as z from 'zod/mini';
import { acceptedConsentSchema } from './consent.ts';
import {
  calendarDate,
  code,
  ein,
  email,
  oneOf,
  personName,
  phone,
  ssn,
  text,
  wholeDollars,
  wholeNumber,
  zip,
} from './fields.ts';
import { industries } from './industries.ts';
import { stateCodes } from './states.ts';

export const locales = ['en', 'es'] as const;

export type Locale = (typeof locales)[number];

/** A text for people; where a language is missing, the English one stands in for it. */
export interface LocalizedText {
  readonly en: string;
  readonly es?: string | undefined;
}

export const addressSchema = z.strictObject({
  street: text(),
  city: text(100),
  state: oneOf(stateCodes),
  zip: zip(),
});

export type Address = z.infer<typeof addressSchema>;

/** Fields the service takes as optional and a partner may make required. */
export const requirableFields = [
  'birthDate',
  'ssn',
  'taxId',
  'ownershipPercent',
  'employees',
] as const;

export type RequirableField = (typeof requirableFields)[number];

/** What the schema needs to know from the partner's settings and from the clock. */
export interface ApplicationRules {
  readonly fundingReasons: readonly string[];
  readonly businessTypes: readonly string[];
  readonly creditScores: readonly string[];
  readonly requiredFields: readonly RequirableField[];
  readonly now: () => Date;
}

const minimumAge = 18;
/** Beyond it the year is a typing mistake. */
const maximumAge = 120;

/** The schema of each part of the form and of the whole; built from the partner's choices, which the service does not document. */
export function createApplicationSchemas(rules: ApplicationRules) {
  const fundingNeed = z.strictObject({
    amount: wholeDollars(1),
    reason: oneOf(rules.fundingReasons),
  });

  const business = z
    .strictObject({
      name: text(),
      type: oneOf(rules.businessTypes),
      industry: oneOf(industries),
      address: addressSchema,
      annualRevenue: wholeDollars(0),
      foundedMonth: wholeNumber(1, 12),
      foundedDay: z.optional(wholeNumber(1, 31)),
      foundedYear: wholeNumber(1800, 9999),
      employees: z.optional(wholeNumber(0, 10_000_000)),
      taxId: z.optional(ein()),
    })
    .check(
      z.refine((founded: Founded) => isDayOfMonth(founded), {
        error: code('date'),
        path: ['foundedDay'],
      }),
      z.refine((founded: Founded) => !isInFuture(founded, rules.now()), {
        error: code('date-in-future'),
        path: ['foundedYear'],
      }),
      ...requiredAmong(rules, ['employees', 'taxId']),
    );

  const owner = z
    .strictObject({
      firstName: personName(),
      lastName: personName(),
      email: email(),
      phone: phone(),
      homeAddress: addressSchema,
      birthDate: z.optional(birthDate(rules.now)),
      ssn: z.optional(ssn()),
      creditScore: oneOf(rules.creditScores),
      ownershipPercent: z.optional(wholeNumber(0, 100)),
      otherManagers: z.optional(z.boolean('invalid')),
    })
    .check(...requiredAmong(rules, ['birthDate', 'ssn', 'ownershipPercent']));

  const signature = z.strictObject({ name: text() });

  const application = z
    .strictObject({
      fundingNeed,
      business,
      owner,
      consents: z.array(acceptedConsentSchema).check(z.maxLength(20)),
      signature,
      campaignId: z.optional(text(100)),
    })
    .check(
      z.refine((value) => isSignedBy(value.signature.name, value.owner.lastName), {
        error: code('name-mismatch'),
        path: ['signature', 'name'],
      }),
    );

  return { fundingNeed, business, owner, signature, application };
}

export type ApplicationSchemas = ReturnType<typeof createApplicationSchemas>;
export type Business = z.infer<ApplicationSchemas['business']>;
export type Owner = z.infer<ApplicationSchemas['owner']>;
export type Application = z.infer<ApplicationSchemas['application']>;

/**
 * Whether a typed signature is the applicant's: it holds a word of their last name, in any case, with or without accents. First
 * names are not compared, because people sign with nicknames and initials; neither are "Jr." and the like.
 */
export function isSignedBy(signature: string, lastName: string): boolean {
  const signed = toNameWords(signature);
  const names = toNameWords(lastName);
  const essential = names.filter((word) => !nameSuffixes.has(word));
  // A name of one letter, or written together on one side only, is still found in the whole.
  return (
    essential.some((word) => signed.includes(word)) || signed.join('').includes(names.join(''))
  );
}

/** A check for each of these fields that the partner requires; it runs whatever else is wrong, so that nothing turns up late. */
function requiredAmong<Field extends RequirableField>(
  rules: ApplicationRules,
  fields: readonly Field[],
) {
  return fields
    .filter((field) => rules.requiredFields.includes(field))
    .map((field) =>
      z.refine<{ readonly [Key in Field]?: unknown }>((value) => value[field] !== undefined, {
        error: code('required'),
        path: [field],
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    );
}

function birthDate(now: () => Date) {
  return calendarDate().check(
    z.refine((value) => value >= yearsBefore(now(), maximumAge), code('date')),
    z.refine((value) => value <= toDay(now()), code('date-in-future')),
    z.refine(
      (value) => value > toDay(now()) || value <= yearsBefore(now(), minimumAge),
      code('too-young'),
    ),
  );
}

interface Founded {
  readonly foundedYear: number;
  readonly foundedMonth: number;
  readonly foundedDay?: number | undefined;
}

function isInFuture(founded: Founded, now: Date): boolean {
  const year = now.getUTCFullYear();
  return (
    founded.foundedYear > year ||
    (founded.foundedYear === year && founded.foundedMonth > now.getUTCMonth() + 1)
  );
}

function isDayOfMonth({ foundedYear, foundedMonth, foundedDay }: Founded): boolean {
  const daysInMonth = new Date(Date.UTC(foundedYear, foundedMonth, 0)).getUTCDate();
  return foundedDay === undefined || foundedDay <= daysInMonth;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function yearsBefore(now: Date, years: number): string {
  return `${now.getUTCFullYear() - years}${toDay(now).slice(4)}`;
}

/** What is longer than any name is refused for that; comparing all its words would take long. */
const maxComparedLength = 255;

function toNameWords(name: string): string[] {
  return name
    .slice(0, maxComparedLength)
    .toLowerCase()
    .replaceAll(/[øđłßæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Letters that Unicode does not take apart into a plain one and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

const nameSuffixes: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv']);
