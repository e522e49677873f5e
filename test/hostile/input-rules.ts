// What the documentation says an application's texts may be, written down once more and in other words than the schema's.

import { createApplication } from '../bff/bff-rig.ts';

type Json = Record<string, unknown>;

export interface StringField {
  /** Where it stands in an application, with dots. */
  readonly path: string;
  /** Whether this text is taken, before anything is cut off it. */
  readonly takes: (value: string) => boolean;
  /** The field of the lead it becomes, with dots; absent for what is not sent. */
  readonly lead?: string;
}

export const stringFields: readonly StringField[] = [
  { path: 'fundingNeed.reason', takes: isNone, lead: 'LoanReason' },
  { path: 'business.name', takes: (value) => isLine(value, 255), lead: 'Company' },
  { path: 'business.type', takes: isNone, lead: 'BusinessType' },
  { path: 'business.industry', takes: isNone, lead: 'Industry' },
  ...listAddress('business.address', 'BusinessAddress'),
  { path: 'business.taxId', takes: isNone, lead: 'TaxId' },
  { path: 'owner.firstName', takes: isPersonName, lead: 'ContactFirstName' },
  { path: 'owner.lastName', takes: isPersonName, lead: 'ContactLastName' },
  { path: 'owner.email', takes: isNone, lead: 'ContactEmail' },
  { path: 'owner.phone', takes: isNone, lead: 'ContactPhone' },
  ...listAddress('owner.homeAddress', 'HomeAddress'),
  { path: 'owner.birthDate', takes: isNone, lead: 'BirthDay' },
  { path: 'owner.ssn', takes: isNone, lead: 'Ssn' },
  { path: 'owner.creditScore', takes: isNone, lead: 'CreditScore' },
  { path: 'signature.name', takes: (value) => isLine(`Osei ${value}`, 255), lead: 'SignatureName' },
  { path: 'campaignId', takes: (value) => isLine(value, 100) },
  { path: 'consents.0.id', takes: (value) => countCharacters(value) <= 41 },
  { path: 'consents.0.version', takes: (value) => countCharacters(value) <= 40 },
];

/** A valid application with this text in these fields. Who is named by it also signs with it. */
export function placeText(paths: readonly string[], value: string): Json {
  const application: Json = createApplication();
  for (const path of paths) setAt(application, path, value);
  if (paths.includes('signature.name')) setAt(application, 'signature.name', `Osei ${value}`);
  if (paths.includes('owner.lastName')) setAt(application, 'signature.name', value);
  return application;
}

/** The value at a path with dots. */
export function readAt(from: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Json)[name], from);
}

export function setAt(into: Json, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce<unknown>((inner, name) => (inner as Json)[name], into);
  (parent as Json)[last] = value;
}

/** Without the blanks at both ends, as ECMAScript lists them (ECMA-262, tables "White Space" and "Line Terminator"). */
export function withoutBlankEnds(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && blanks.has(value.charCodeAt(start))) start += 1;
  while (end > start && blanks.has(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

const blanks: ReadonlySet<number> = new Set([
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

function listAddress(path: string, lead: string): StringField[] {
  return [
    { path: `${path}.street`, takes: (value) => isLine(value, 255), lead: `${lead}.Address` },
    { path: `${path}.city`, takes: (value) => isLine(value, 100), lead: `${lead}.City` },
    { path: `${path}.state`, takes: isNone, lead: `${lead}.State` },
    { path: `${path}.zip`, takes: (value) => /^\d{5}(-\d{4})?$/.test(value), lead: `${lead}.Zip` },
  ];
}

/** Values of a list and of the other patterns: none of the strings that are tried is one. */
function isNone(): boolean {
  return false;
}

function isPersonName(value: string): boolean {
  return isLine(value, 80) && /\p{L}/u.test(value);
}

function isLine(value: string, maxLength: number): boolean {
  const line = withoutBlankEnds(value);
  return line !== '' && countCharacters(line) <= maxLength && [...line].every(isShown);
}

/** Those of Unicode: one outside of its first plane is one, not two. */
function countCharacters(value: string): number {
  return [...value].length;
}

function isShown(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const isEndOfLine = code === 0x2028 || code === 0x2029;
  const isDirection = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return !isControl && !isEndOfLine && !isDirection && !isHalf;
}
