// The JSON Schema of the settings file. settings.test.ts and wrong-configuration.test.ts show that it agrees with the BFF.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import defaultSettings from '../../../bff/config/default-settings.json' with { type: 'json' };
import { parseSettings } from '../../../bff/config/settings.ts';
import { settingsSchema, validateBySchema as validate } from './config-source.ts';

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const root = join(import.meta.dirname, '../../..');
const schema = settingsSchema as Schema;

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
});
