// The documented rules for hostile input: which strings a field accepts, and what a response may contain. The names of the fields
// come from the schema; the rules do not. Also a parser of application bodies without the rest of the BFF.

import { Hono } from 'hono';
import * as z from 'zod/mini';
import { problems } from '../../../shared/api/problems.ts';
import { createApplicationSchema } from '../../../shared/application/application.ts';
import { fieldErrorCodes } from '../../../shared/application/field-errors.ts';
import {
  isAddressField,
  leadAddressSchema,
  leadSchema,
} from '../../../shared/funding-service/lead.ts';
import { toApplicationPointer } from '../../../bff/funding-service/lead.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { toProblemResponse } from '../../../bff/middleware/errors.ts';
import { requestId } from '../../../bff/middleware/request-log.ts';
import { readJson } from '../../../bff/routes/request-body.ts';
import { createApplication } from '../../support/applications.ts';
import { createTestConfig } from '../../support/bff.ts';
import { testNow } from '../../support/manual-time.ts';

export type Json = Record<string, unknown>;
export type Body = string | Uint8Array<ArrayBuffer>;

type Accepts = (value: string) => boolean;

export interface StringField {
  /** Path in an application, with dots. */
  readonly path: string;
  /** Path in the lead, with dots. Absent if the field is not sent. */
  readonly lead: string | undefined;
  /** Returns true if the field accepts this untrimmed string. */
  readonly accepts: Accepts;
  /** If true, the BFF trims the string. */
  readonly isTrimmed: boolean;
}

/** For fields with a list of choices or a strict pattern: no test string matches. */
const none: Accepts = () => false;
const personName: Accepts = (value) => isLine(value, 80) && /\p{L}/u.test(value);
/** The suite is sent in one line with the street, whose test values are short. */
const shortLine: Accepts = (value) => isLine(value, 100);
const zip: Accepts = (value) => /^\d{5}(-\d{4})?$/.test(value);
const upTo =
  (length: number): Accepts =>
  (value) =>
    countCharacters(value) <= length;

/** A field without a rule accepts a line of up to 255 characters. */
const defaultRule: Accepts = (value) => isLine(value, 255);

const lineRules: Readonly<Record<string, Accepts>> = {
  'business.address.suite': shortLine,
  'business.address.city': shortLine,
  'owner.firstName': personName,
  'owner.lastName': personName,
  'owner.email': none,
  'owner.homeAddress.suite': shortLine,
  'owner.homeAddress.city': shortLine,
  'signature.name': (value) => isLine(`Osei ${value}`, 255),
  campaignId: shortLine,
};

const choices =
  'fundingNeed.reason business.type business.industry business.address.state business.taxId owner.phone owner.homeAddress.state owner.birthDate owner.ssn owner.creditScore'.split(
    ' ',
  );

/** Of fields that the BFF does not trim. */
const exactRules: Readonly<Record<string, Accepts>> = {
  ...Object.fromEntries(choices.map((path) => [path, none])),
  'business.address.zip': zip,
  'owner.homeAddress.zip': zip,
  'consents.0.id': upTo(41),
  'consents.0.version': upTo(40),
  'consents.0.locale': (value) => /^[a-z]{2}$/.test(value),
};

const applicationFields = listFields(z.toJSONSchema(createSchema()));

/** Every field of the application schema that is a string. */
export const stringFields: readonly StringField[] = applicationFields
  .filter(({ type }) => type === 'string')
  .map(({ path }) => ({
    path,
    accepts: exactRules[path] ?? lineRules[path] ?? defaultRule,
    isTrimmed: !(path in exactRules),
    lead: listLeadFields().find(
      (lead) => toApplicationPointer(lead) === `/${path.replaceAll('.', '/')}`,
    ),
  }));

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

/** Lists the fields that are not objects, with the paths of the first item of each list. */
function listFields(
  { type, properties = {}, items }: z.core.JSONSchema.BaseSchema,
  path: readonly string[] = [],
): { readonly path: string; readonly type: unknown }[] {
  if (type === undefined) throw new TypeError(`${path.join('.')} has several types`);
  const inner = type === 'array' ? { 0: items } : properties;
  if (type !== 'array' && type !== 'object') return [{ path: path.join('.'), type }];
  return Object.entries(inner).flatMap(([name, schema]) =>
    typeof schema === 'object' && !Array.isArray(schema) ? listFields(schema, [...path, name]) : [],
  );
}

/** Lead fields, with the parts of an address instead of the address. */
function listLeadFields(): string[] {
  return Object.keys(leadSchema.shape).flatMap((name) =>
    isAddressField(name)
      ? Object.keys(leadAddressSchema.shape).map((part) => `${name}.${part}`)
      : [name],
  );
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
const fieldNames = new Set([
  ...applicationFields.flatMap(({ path }) => path.split('.')),
  // A contact request has one consent.
  'consent',
]);

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

export type BodyReader = (body: Body) => Promise<ReadBody>;

const neverFires = () => () => undefined;

export function createBodyReader(): BodyReader {
  const schema = createSchema();
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

function createSchema() {
  const { settings } = createTestConfig();
  return createApplicationSchema({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    now: () => new Date(testNow),
  });
}
