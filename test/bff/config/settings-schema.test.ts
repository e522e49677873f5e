// The JSON Schema of the settings file accepts what the BFF accepts, except for the rules that it cannot express.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import defaultSettings from '../../../bff/config/default-settings.json' with { type: 'json' };
import { parseSettings, rulesBeyondSchema } from '../../../bff/config/settings.ts';
import { createSettingsSchema } from '../../../scripts/references/configuration.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const root = join(import.meta.dirname, '../../..');
const schema = createSettingsSchema() as Schema;
const validate = new Ajv({ strict: true, allErrors: true }).compile(schema);
const rules = Object.values(rulesBeyondSchema).map(({ rule }) => rule);

function listProblems(settings: unknown): readonly string[] {
  const result = parseSettings(JSON.stringify(settings));
  return 'problems' in result ? result.problems : [];
}

/** All settings with their paths. */
function listSchemas(inner: Schema, path: string): readonly (readonly [string, Schema])[] {
  const members = Object.entries(inner.properties ?? {}).flatMap(([name, member]) =>
    listSchemas(member, `${path}.${name}`),
  );
  const items = inner.items ? listSchemas(inner.items, `${path}[]`) : [];
  return [[path, inner], ...members, ...items];
}

describe('settings.schema.json', () => {
  it('accepts the example', () => {
    const text = readFileSync(join(root, 'examples/settings.json'), 'utf8');
    const example: unknown = JSON.parse(text);
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    expect(listProblems(example)).toEqual([]);
  });

  it('accepts the default settings', () => {
    expect(validate(defaultSettings), JSON.stringify(validate.errors)).toBe(true);
  });

  it('describes every setting', () => {
    const settings = listSchemas(schema, '$').filter(([path]) => !path.endsWith('[]'));
    expect(settings.length).toBeGreaterThan(90);
    expect(settings.filter(([, { description }]) => !description).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('has valid defaults', () => {
    const withDefault = listSchemas(schema, '$').filter(([, inner]) => inner.default !== undefined);
    expect(withDefault.length).toBeGreaterThan(40);
    for (const [path, { default: value }] of withDefault) {
      const names = path.split('.').slice(1);
      const settings = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      expect(validate(settings), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(listProblems(settings)).toEqual([]);
    }
  });

  it.each([
    [{ documents: { maxByte: 1 } }],
    [{ documents: { maxBytes: '1' } }],
    [{ locales: ['fr'] }],
    [{ consents: [{ ...defaultSettings.consents[0], id: 'contact', required: true }] }],
    [{ page: { accent: 'red' } }],
  ])('refuses %j', (settings) => {
    expect(validate(settings)).toBe(false);
    expect(listProblems(settings)).not.toEqual([]);
  });

  it('agrees with the BFF', () => {
    const seen = { accepted: 0, refused: 0, beyond: 0 };
    fc.assert(
      fc.property(arbitrarySettings(schema, 0), (settings) => {
        const problems = listProblems(settings);
        const isValid = validate(settings);
        seen[isValid ? (problems.length === 0 ? 'accepted' : 'beyond') : 'refused'] += 1;
        const isBeyondSchema = (problem: string) => rules.some((rule) => problem.endsWith(rule));
        const agrees = isValid ? problems.every(isBeyondSchema) : problems.length > 0;
        expect(agrees, JSON.stringify({ problems, schema: validate.errors })).toBe(true);
      }),
      { numRuns: 5_000, seed: 16 },
    );
    // Otherwise the arbitrary settings would prove little.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(100);
  });
});

const texts = [
  '',
  'terms',
  'contact',
  'a\nb',
  'Terms: https://www.example.com',
  'Read this:\n\nTerms: https://www.example.com',
  'https://www.example.com/terms',
  'http://www.example.com',
  'www.example.com',
  'apply.example.com:443',
  '#0b5c66',
  '#FFFFFF',
  '#12345',
  'en',
  'es-MX',
  'EN',
  'fr',
  '^already',
  '(',
  'x'.repeat(61),
  'x'.repeat(301),
  'x'.repeat(1_001),
];

const wrong = fc.constantFrom<unknown>(null, true, -1, 1.5, 'x', [], ['x'], {}, { en: 1 });

/** Mostly valid values, some at and beyond the limits of the schema, and some of other types. */
function arbitrarySettings(inner: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return toArbitrary(inner, depth);
  return fc.oneof(
    { weight: 40, arbitrary: toArbitrary(inner, depth) },
    { weight: 1, arbitrary: wrong },
  );
}

function toArbitrary(inner: Schema, depth: number): fc.Arbitrary<unknown> {
  if (inner.anyOf) return fc.oneof(...inner.anyOf.map((one) => arbitrarySettings(one, depth + 1)));
  if (inner.enum) {
    const values = inner.enum.map((value) => fc.constant(value));
    return fc.oneof({ weight: 20, arbitrary: fc.oneof(...values) }, wrong);
  }
  switch (inner.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const { minimum = 0, maximum = 0 } = inner;
      const within = fc.integer({ min: minimum, max: maximum });
      const edges = fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1);
      return fc.oneof({ weight: 5, arbitrary: within }, edges);
    }
    case 'array': {
      const least = Math.min(inner.minItems ?? 0, 1);
      const item = arbitrarySettings(inner.items ?? {}, depth + 1);
      return fc.oneof(
        { weight: 20, arbitrary: fc.array(item, { minLength: least, maxLength: least + 2 }) },
        fc.array(item, { maxLength: 7 }),
      );
    }
    case 'object':
      return toObject(inner, depth);
    default:
      return fc.constantFrom(...texts);
  }
}

function toObject({ properties = {}, required = [] }: Schema, depth: number) {
  const entries = Object.entries(properties).map(([name, member]) => {
    const value = arbitrarySettings(member, depth + 1);
    const isPresent = required.includes(name) ? 30 : 1;
    const isAbsent = required.includes(name) ? 1 : 10;
    return [
      name,
      fc.oneof(
        { weight: isPresent, arbitrary: value },
        { weight: isAbsent, arbitrary: fc.constant(undefined) },
      ),
    ] as const;
  });
  const unknown = fc.oneof(
    { weight: 60, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ color: 'red' }) },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(entries)), unknown)
    .map(([known, more]) => JSON.parse(JSON.stringify({ ...known, ...more })) as unknown);
}
