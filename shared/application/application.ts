// The form's model: its languages, and the schema of an application.

import * as z from 'zod/mini';
import { acceptedConsentSchema } from './consent.ts';
import {
  calendarDate,
  errorCode,
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
import type { RequirableField } from './lists.ts';
import { stateCodes } from './states.ts';

export const addressSchema = z
  .strictObject({
    /** Number and street, up to 255 characters. */
    street: text(),
    /** Apartment, suite, or floor. The funding service receives it in one line with the street. */
    suite: z.optional(text(100)),
    /** Up to 100 characters. */
    city: text(100),
    /** Two letters, for example `PA`. */
    state: oneOf(stateCodes),
    /** A ZIP code: `12345` or `12345-6789`. */
    zip: zip(),
  })
  .check(
    z.refine(
      ({ street, suite }) =>
        suite === undefined || Array.from(`${street}, ${suite}`).length <= maxStreetLength,
      {
        error: errorCode('too-long'),
        path: ['suite'],
      },
    ),
  );

/** An address in the United States. */
export type Address = z.infer<typeof addressSchema>;

/** In whole US dollars. Default: at least $1, and no more than `maxDollars`. */
export interface FundingRange {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** The partner's settings that the schema depends on, and the clock. */
export interface ApplicationRules {
  readonly fundingReasons: readonly string[];
  readonly businessTypes: readonly string[];
  readonly creditScores: readonly string[];
  readonly requiredFields: readonly RequirableField[];
  /** The amounts that the partner's lender funds. */
  readonly fundingNeed?: FundingRange | undefined;
  readonly now: () => Date;
}

/** Of street and suite together: as long as a street alone. */
const maxStreetLength = 255;

const minimumAge = 18;
/** A higher age is treated as a typing mistake. */
const maximumAge = 120;

/**
 * Creates the schema of each part of the form. To add a field, follow "Add a question" in `ARCHITECTURE.md`. The comments of the
 * fields are also in the types of the element's `prefill`.
 */
export function createApplicationSchemas(rules: ApplicationRules) {
  const fundingNeed = z.strictObject({
    /** In whole US dollars. */
    amount: wholeDollars(rules.fundingNeed?.minimum ?? 1, rules.fundingNeed?.maximum),
    /** A `value` of the configuration's `fundingReasons`. */
    reason: oneOf(rules.fundingReasons),
  });

  const business = z
    .strictObject({
      /** The legal name, up to 255 characters. */
      name: text(),
      /** A `value` of the configuration's `businessTypes`. */
      type: oneOf(rules.businessTypes),
      /** One of the 67 names in `shared/application/industries.ts`. */
      industry: oneOf(industries),
      /** In the United States. */
      address: addressSchema,
      /** In whole US dollars. */
      annualRevenue: wholeDollars(0),
      /** 1 to 12. */
      foundedMonth: wholeNumber(1, 12),
      /** 1 to 31. */
      foundedDay: z.optional(wholeNumber(1, 31)),
      /** Four digits. */
      foundedYear: wholeNumber(1800, 9999),
      /** A whole number. */
      employees: z.optional(wholeNumber(0, 10_000_000)),
      /** The employer identification number (EIN): 9 digits. */
      taxId: z.optional(ein()),
    })
    .check(
      z.refine((founded: FoundingDate) => isDayOfMonth(founded), {
        error: errorCode('date'),
        path: ['foundedDay'],
      }),
      z.refine((founded: FoundingDate) => !isInFuture(founded, rules.now()), {
        error: errorCode('date-in-future'),
        path: ['foundedYear'],
      }),
      ...checkRequired(rules, ['employees', 'taxId']),
    );

  const owner = z
    .strictObject({
      /** Up to 80 characters. */
      firstName: personName(),
      /** Up to 80 characters. */
      lastName: personName(),
      /** An email address, up to 254 characters. */
      email: email(),
      /** A US phone number: 10 digits. */
      phone: phone(),
      /** In the United States. */
      homeAddress: addressSchema,
      /** `YYYY-MM-DD`. At least 18 years ago. */
      birthDate: z.optional(birthDate(rules.now)),
      /** The Social Security number: 9 digits. */
      ssn: z.optional(ssn()),
      /** A `value` of the configuration's `creditScores`. */
      creditScore: oneOf(rules.creditScores),
      /** 0 to 100. */
      ownershipPercent: z.optional(wholeNumber(0, 100)),
      /** If true, the business has other owners or managers. */
      otherManagers: z.optional(z.boolean('invalid')),
    })
    .check(...checkRequired(rules, ['birthDate', 'ssn', 'ownershipPercent']));

  const signature = z.strictObject({
    /** The typed name. It contains the owner's last name. */
    name: text(),
  });

  return { fundingNeed, business, owner, signature };
}

/** Creates the schema of the whole application. Only the BFF uses it, so it is not in the built element. */
export function createApplicationSchema(rules: ApplicationRules) {
  const { fundingNeed, business, owner, signature } = createApplicationSchemas(rules);
  return z
    .strictObject({
      /** How much, and for what. */
      fundingNeed,
      /** The business that applies. */
      business,
      /** The person who applies for it. */
      owner,
      /** The consents that the applicant gave. At most 20. */
      consents: z.array(acceptedConsentSchema).check(z.maxLength(20)),
      /** The applicant's signature. */
      signature,
      /** The campaign that the host page named, up to 100 characters. */
      campaignId: z.optional(text(100)),
    })
    .check(
      z.refine((value) => isSignedBy(value.signature.name, value.owner.lastName), {
        error: errorCode('name-mismatch'),
        path: ['signature', 'name'],
      }),
    );
}

export type ApplicationSchemas = ReturnType<typeof createApplicationSchemas>;
/** The business of an application. */
export type Business = z.infer<ApplicationSchemas['business']>;
/** The owner of the business, who signs the application. */
export type Owner = z.infer<ApplicationSchemas['owner']>;
/** An application, as the element sends it to the BFF. */
export type Application = z.infer<ReturnType<typeof createApplicationSchema>>;

/**
 * Returns true if a typed signature contains a word of the applicant's last name, ignoring case and accents. First names are not
 * compared, because people sign with nicknames and initials. Suffixes such as "Jr." are not compared either.
 */
export function isSignedBy(signature: string, lastName: string): boolean {
  const signed = toNameWords(signature);
  const names = toNameWords(lastName);
  const essential = names.filter((word) => !nameSuffixes.has(word));
  // Also matches names that are written with spaces on one side only: "DeLaCruz" and "de la Cruz".
  return (
    essential.some((word) => signed.includes(word)) || signed.join('').includes(names.join(''))
  );
}

/** A check for each field that the partner requires. The checks run after other errors too, so that all errors appear at once. */
function checkRequired<Field extends RequirableField>(
  rules: ApplicationRules,
  fields: readonly Field[],
) {
  return fields
    .filter((field) => rules.requiredFields.includes(field))
    .map((field) =>
      z.refine<{ readonly [Key in Field]?: unknown }>((value) => value[field] !== undefined, {
        error: errorCode('required'),
        path: [field],
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    );
}

function birthDate(now: () => Date) {
  return calendarDate().check(
    z.refine((value) => value >= yearsBefore(now(), maximumAge), errorCode('date')),
    z.refine((value) => value <= toDay(now()), errorCode('date-in-future')),
    z.refine(
      (value) => value > toDay(now()) || value <= yearsBefore(now(), minimumAge),
      errorCode('too-young'),
    ),
  );
}

interface FoundingDate {
  readonly foundedYear: number;
  readonly foundedMonth: number;
  readonly foundedDay?: number | undefined;
}

function isInFuture(founded: FoundingDate, now: Date): boolean {
  const year = now.getUTCFullYear();
  return (
    founded.foundedYear > year ||
    (founded.foundedYear === year && founded.foundedMonth > now.getUTCMonth() + 1)
  );
}

function isDayOfMonth({ foundedYear, foundedMonth, foundedDay }: FoundingDate): boolean {
  const daysInMonth = new Date(Date.UTC(foundedYear, foundedMonth, 0)).getUTCDate();
  return foundedDay === undefined || foundedDay <= daysInMonth;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function yearsBefore(now: Date, years: number): string {
  return `${now.getUTCFullYear() - years}${toDay(now).slice(4)}`;
}

/** Limits the work for long input. Another check rejects text of this length. */
const maxComparedCharacters = 255;

function toNameWords(name: string): string[] {
  return name
    .slice(0, maxComparedCharacters)
    .toLowerCase()
    .replaceAll(/[øđłßæœı]/g, (letter) => baseLetters[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Letters that NFD does not decompose into a base letter and a mark. */
const baseLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

const nameSuffixes: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv']);
