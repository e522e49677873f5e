// What every answer to hostile input has to be: no fault of ours, and not a word of what was sent.

import { fieldErrorCodes } from '../../shared/application/field-errors.ts';
import { problems } from '../../shared/api/problems.ts';
import { createApplication } from '../bff/bff-rig.ts';

const problemNames = new Set(['type', 'title', 'status', 'code', 'requestId', 'errors']);
/** Every name a pointer may hold; a number is a place in a list. */
const fieldNames = new Set([...listNames(createApplication()), 'consent']);

/** What is wrong with an answer; `undefined` when nothing is. @param body the parsed one of a refusal. */
export function findFault(status: number, body: unknown): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return undefined;
  if (typeof body !== 'object' || body === null) return `a ${status} without a problem`;
  const problem = body as Readonly<Record<string, unknown>>;
  const other = Object.keys(problem).find((name) => !problemNames.has(name));
  if (other !== undefined) return 'a problem with another name in it';
  const code = problem['code'] as keyof typeof problems;
  const known = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (known?.title !== problem['title'] || known?.status !== status) return 'an unknown problem';
  if (problem['type'] !== `urn:funding-application:problem:${code}`) return 'an unknown type';
  if (!/^[0-9a-f-]{36}$/.test(String(problem['requestId']))) return 'an unknown request id';
  const errors = (problem['errors'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return errors.every(isClean) ? undefined : 'a field error with other words in it';
}

function isClean(error: Readonly<Record<string, unknown>>): boolean {
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

/** What is known of the objects everything inherits from; to be compared with itself later. */
export function describePrototypes(): string {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
  return JSON.stringify(prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String)));
}
