// The documented rules for hostile input, implemented independently of the schema: which strings a field accepts, and what a
// response may contain. Also a parser of application bodies without the rest of the BFF.

import { Hono } from 'hono';
import { problems } from '../../shared/api/problems.ts';
import { createApplicationSchemas } from '../../shared/application/application.ts';
import { fieldErrorCodes } from '../../shared/application/field-errors.ts';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { toProblemResponse } from '../../bff/middleware/errors.ts';
import { requestId } from '../../bff/middleware/request-log.ts';
import { readJson } from '../../bff/routes/request-body.ts';
import { createApplication } from '../support/applications.ts';
import { createTestConfig } from '../support/bff.ts';
import { testNow } from '../support/manual-time.ts';

type Json = Record<string, unknown>;

export interface StringField {
  /** Path in an application, with dots. */
  readonly path: string;
  /** Whether the field accepts this untrimmed string. */
  readonly accepts: (value: string) => boolean;
  /** Path in the lead, with dots. Absent if the field is not sent. */
  readonly lead?: string;
}

export const stringFields: readonly StringField[] = [
  { path: 'fundingNeed.reason', accepts: acceptsNone, lead: 'LoanReason' },
  { path: 'business.name', accepts: (value) => isLine(value, 255), lead: 'Company' },
  { path: 'business.type', accepts: acceptsNone, lead: 'BusinessType' },
  { path: 'business.industry', accepts: acceptsNone, lead: 'Industry' },
  ...listAddress('business.address', 'BusinessAddress'),
  { path: 'business.taxId', accepts: acceptsNone, lead: 'TaxId' },
  { path: 'owner.firstName', accepts: isPersonName, lead: 'ContactFirstName' },
  { path: 'owner.lastName', accepts: isPersonName, lead: 'ContactLastName' },
  { path: 'owner.email', accepts: acceptsNone, lead: 'ContactEmail' },
  { path: 'owner.phone', accepts: acceptsNone, lead: 'ContactPhone' },
  ...listAddress('owner.homeAddress', 'HomeAddress'),
  { path: 'owner.birthDate', accepts: acceptsNone, lead: 'BirthDay' },
  { path: 'owner.ssn', accepts: acceptsNone, lead: 'Ssn' },
  { path: 'owner.creditScore', accepts: acceptsNone, lead: 'CreditScore' },
  {
    path: 'signature.name',
    accepts: (value) => isLine(`Osei ${value}`, 255),
    lead: 'SignatureName',
  },
  { path: 'campaignId', accepts: (value) => isLine(value, 100) },
  { path: 'consents.0.id', accepts: (value) => countCharacters(value) <= 41 },
  { path: 'consents.0.version', accepts: (value) => countCharacters(value) <= 40 },
];

/** Creates a valid application with this string in these fields. The signature contains the same last name. */
export function createApplicationWith(paths: readonly string[], value: string): Json {
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

/** Trims white space and line terminators at both ends, as ECMA-262 defines them. */
export function trimWhiteSpace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && whiteSpace.has(value.charCodeAt(start))) start += 1;
  while (end > start && whiteSpace.has(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

const whiteSpace: ReadonlySet<number> = new Set([
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

function listAddress(path: string, lead: string): StringField[] {
  return [
    { path: `${path}.street`, accepts: (value) => isLine(value, 255), lead: `${lead}.Address` },
    { path: `${path}.city`, accepts: (value) => isLine(value, 100), lead: `${lead}.City` },
    { path: `${path}.state`, accepts: acceptsNone, lead: `${lead}.State` },
    {
      path: `${path}.zip`,
      accepts: (value) => /^\d{5}(-\d{4})?$/.test(value),
      lead: `${lead}.Zip`,
    },
  ];
}

/** For fields with a list of choices or a strict pattern: no test string matches. */
function acceptsNone(): boolean {
  return false;
}

function isPersonName(value: string): boolean {
  return isLine(value, 80) && /\p{L}/u.test(value);
}

function isLine(value: string, maxLength: number): boolean {
  const line = trimWhiteSpace(value);
  return line !== '' && countCharacters(line) <= maxLength && [...line].every(isPrintable);
}

/** Counts code points: a surrogate pair counts once. */
function countCharacters(value: string): number {
  return [...value].length;
}

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const isLineSeparator = code === 0x2028 || code === 0x2029;
  const isBidiControl = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return !isControl && !isLineSeparator && !isBidiControl && !isSurrogate;
}

const problemNames = new Set(['type', 'title', 'status', 'code', 'requestId', 'errors']);
/** The names that a JSON pointer may contain. Array indexes are checked separately. */
const fieldNames = new Set([...listNames(createApplication()), 'consent']);

/** Describes the first violation of the rules. @param body The parsed body; read only if `status` is 400 or higher. */
export function findFault(status: number, body: unknown): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return undefined;
  if (typeof body !== 'object' || body === null) return `${status} without a problem`;
  const problem = body as Readonly<Record<string, unknown>>;
  const other = Object.keys(problem).find((name) => !problemNames.has(name));
  if (other !== undefined) return 'a problem with an unknown member';
  const code = problem['code'] as keyof typeof problems;
  const known = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (known?.title !== problem['title'] || known?.status !== status) return 'an unknown problem';
  if (problem['type'] !== `urn:funding-application:problem:${code}`) return 'an unknown type';
  if (!/^[0-9a-f-]{36}$/.test(String(problem['requestId']))) return 'an invalid request ID';
  const errors = (problem['errors'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return errors.every(isKnownError)
    ? undefined
    : 'a field error with an unknown pointer, code, or member';
}

function isKnownError(error: Readonly<Record<string, unknown>>): boolean {
  const { pointer, code, ...rest } = error;
  const names = String(pointer).split('/').slice(1);
  return (
    Object.keys(rest).length === 0 &&
    fieldErrorCodes.some((known) => known === code) &&
    names.every((name) => fieldNames.has(name) || /^\d{1,2}$/.test(name))
  );
}

function listNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listNames(inner)]);
}

/** Lists the properties of the built-in prototypes. Compare two results to detect prototype pollution. */
export function describePrototypes(): string {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
  return JSON.stringify(prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String)));
}

export interface ReadBody {
  readonly status: number;
  /** The parsed application, or the problem. */
  readonly json: unknown;
}

export type BodyReader = (body: string | Uint8Array<ArrayBuffer>) => Promise<ReadBody>;

const neverFires = () => () => undefined;

export function createBodyReader(): BodyReader {
  const { settings } = createTestConfig();
  const { application: schema } = createApplicationSchemas({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    now: () => new Date(testNow),
  });
  const time = { clock: () => testNow, startTimer: neverFires };
  const app = new Hono<BffEnv>()
    .use(requestId())
    .post('/', async (c) => c.json(await readJson(c, schema, 64 * 1024, time)))
    .onError((error, c) => toProblemResponse(c, error));

  return async (body) => {
    const response = await app.request('/', { method: 'POST', body });
    return { status: response.status, json: await response.json() };
  };
}
