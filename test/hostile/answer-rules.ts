// The rules for every response to hostile input: no server error, and no part of the input in a problem.

import { fieldErrorCodes } from '../../shared/application/field-errors.ts';
import { problems } from '../../shared/api/problems.ts';
import { createApplication } from '../support/bff.ts';

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
