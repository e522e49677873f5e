// The JSON Schema of the settings file, and its reference.

import * as z from 'zod/mini';
import { format } from 'prettier';
import {
  rulesBeyondSchema,
  settingDescriptions,
  settingsSchema,
} from '../../bff/config/settings.ts';
import { documentCategoryIds } from '../../shared/application/document-categories.ts';
import { generatedNote, toCode, toDocument, toFacts, toList, toSeries } from './markdown.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const source = 'bff/config/settings.ts';
export const schemaPath = 'bff/config/settings.schema.json';

/** Draft 7, which all editors know. It accepts every file that the BFF accepts, and some more: see `rulesBeyondSchema`. */
export function createSettingsSchema(): Schema {
  const schema = z.toJSONSchema(settingsSchema, {
    target: 'draft-7',
    io: 'input',
    metadata: settingDescriptions,
    override({ jsonSchema, zodSchema: { _zod } }) {
      // Zod omits a default that a transformation follows. Here, the output of each transformation is also a valid input.
      if (_zod.def.type === 'default' && 'defaultValue' in _zod.def) {
        jsonSchema.default ??= _zod.def.defaultValue;
      }
      // The default of a group is the defaults of its members.
      if (JSON.stringify(jsonSchema.default) === '{}') delete jsonSchema.default;
    },
  });
  const { $schema, ...rest } = schema;
  return {
    $schema,
    title: 'Settings of the funding application',
    description: 'The file that the environment variable FUNDING_SETTINGS names.',
    ...rest,
  };
}

export function toSettingsSchemaText(): Promise<string> {
  return format(JSON.stringify(createSettingsSchema()), { parser: 'json', printWidth: 100 });
}

export function toSettingsReference(): Promise<string> {
  const { properties = {} } = createSettingsSchema();
  const rules = Object.values(rulesBeyondSchema).map(
    ({ settings, rule }) => `${settings.split(', ').map(toCode).join(', ')}: ${rule}.`,
  );
  return toDocument([
    '# Settings file',
    generatedNote(source),
    '`FUNDING_SETTINGS` names a JSON file with these settings. All of them are optional. The BFF reads the file once, at startup, and reports every wrong setting at once. [Configure the BFF](../deploy/configuration.md#settings-file) explains the most important ones.',
    'Editors check the file while you type, and show these descriptions, if its first line names the schema. In a project with the npm package:',
    '```json\n{ "$schema": "./node_modules/funding-application-bff/settings.schema.json" }\n```',
    'The path is relative to the settings file. In a release, the schema is in the folder `bff`, next to `main.js`:',
    '```json\n{ "$schema": "/opt/funding/current/bff/settings.schema.json" }\n```',
    'A text is either one string for all languages, or an object such as `{"en": "Equipment", "es": "Equipo"}`. The English text is required, and replaces a missing one.',
    ...Object.entries(properties).flatMap(([name, property]) => listSections(name, property, 2)),
    '## Document categories',
    toList(documentCategoryIds.map(toCode)),
    '## Rules that the schema does not contain',
    'The BFF checks these rules too:',
    toList(rules),
  ]);
}

/** The description, the values, and the default of each setting, by its path, for example `consents[].id`. */
export function describeSettings(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string, schema: Schema) => {
    const items = asSchema(schema.items);
    if (items) visit(`${path}[]`, items);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const member = asSchema(inner) ?? {};
      const memberPath = path === '' ? name : `${path}.${name}`;
      const { description = '' } = member;
      const isGroup = member.properties !== undefined && !isText(member);
      const defaultValue = toDefault(member)?.replace(/^see \[(.+?)\].*/, 'see `$1`');
      const facts = [
        isGroup ? '' : `Value: ${toValue(member)}.`,
        isGroup || defaultValue === undefined ? '' : `Default: ${defaultValue}.`,
      ];
      texts.set(memberPath, [description, ...facts].filter((text) => text !== '').join(' '));
      if (!isText(member)) visit(memberPath, member);
    }
  };
  visit('', createSettingsSchema());
  return texts;
}

function listSections(
  path: string,
  property: z.core.JSONSchema._JSONSchema,
  level: number,
): readonly string[] {
  if (typeof property === 'boolean') return [];
  const heading = `${'#'.repeat(level)} \`${path}\``;
  const { description = '', properties } = property;
  if (properties && property.default === undefined && !('required' in property)) {
    return [
      heading,
      description,
      ...Object.entries(properties).flatMap(([name, inner]) =>
        listSections(`${path}.${name}`, inner, 3),
      ),
    ];
  }
  return [
    [
      heading,
      description,
      toFacts([
        ['Value', toValue(property)],
        ['Default', toDefault(property)],
      ]),
      toMembers(property),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  ];
}

function toDefault(property: Schema): string | undefined {
  if (property.default === undefined) return undefined;
  const text = JSON.stringify(property.default);
  return text.length <= 120
    ? toCode(text)
    : 'see [default-settings.json](../../bff/config/default-settings.json)';
}

/** The members of an object, or of the objects in a list. */
function toMembers(property: Schema): string {
  const entry = asSchema(property.items) ?? property;
  if (isText(entry) || !entry.properties) return '';
  const members = Object.entries(entry.properties)
    .map(([name, inner]) => {
      const member = asSchema(inner) ?? {};
      const isOptional = !entry.required?.includes(name);
      const nested = toMembers(member).replaceAll(/^/gm, '  ');
      const line = `- \`${name}\`${isOptional ? ' (optional)' : ''}: ${toValue(member)}. ${member.description ?? ''}`;
      return nested === '' ? line : `${line}\n${nested}`;
    })
    .join('\n');
  return `${entry === property ? 'Its members' : 'The members of each object'}:\n\n${members}`;
}

function asSchema(schema: unknown): Schema | undefined {
  const isSchema = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  // The members of a schema are optional, and of any type that JSON has.
  return isSchema ? (schema as Schema) : undefined;
}

/** A string, or an object with a string for each language. */
function isText({ anyOf }: Schema): boolean {
  return anyOf !== undefined;
}

function toValue(schema: Schema): string {
  if (isText(schema)) {
    const { maxLength } = asSchema(schema.anyOf?.[0]) ?? {};
    return maxLength === undefined ? 'a text' : `a text of up to ${toNumber(maxLength)} characters`;
  }
  if (schema.enum)
    return toSeries(
      schema.enum.map((value) => toCode(String(value))),
      'disjunction',
    );
  switch (schema.type) {
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
      return `a whole number from ${toNumber(schema.minimum ?? 0)} to ${toNumber(schema.maximum ?? 0)}`;
    case 'array':
      return toListValue(schema);
    case 'object':
      return 'an object';
    default:
      return toStringValue(schema);
  }
}

function toListValue({ items, minItems = 0, maxItems }: Schema): string {
  const entry = asSchema(items) ?? {};
  const kind = entry.type === 'object' ? 'objects' : `values, each ${toValue(entry)}`;
  const size = maxItems === undefined ? kind : `at most ${maxItems} ${kind}`;
  return `a list of ${size}${minItems > 0 ? ', not empty' : ''}`;
}

function toStringValue({ minLength = 0, maxLength, pattern, examples }: Schema): string {
  if (Array.isArray(examples)) {
    return `a string such as ${toSeries(
      examples.map((value) => toCode(String(value))),
      'disjunction',
    )}`;
  }
  if (maxLength !== undefined)
    return `a string of ${minLength} to ${toNumber(maxLength)} characters`;
  // Patterns with classes of control characters only mean one line.
  const hasPattern = pattern !== undefined && !pattern.includes('\\p{');
  if (hasPattern) return `a string that matches \`${pattern}\``;
  return minLength > 0 ? 'a string that is not empty' : 'a string';
}

function toNumber(value: number): string {
  return value.toLocaleString('en-US');
}
