// Parts of the generated documents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from '../project.mjs';

/** The members of a JSON Schema, in a settings file or an OpenAPI document, that the documents describe. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The parts of a page that the code knows, by name. Each one is paragraphs, headings, and lists. Empty ones are left out. */
export type Parts = Readonly<Record<string, readonly (string | false | undefined)[]>>;

/** Replaces the generated parts of a page: each is between `<!-- generated: <name> -->` and `<!-- end -->`. */
export function fillParts(page: string, parts: Parts): Promise<string> {
  const missing = new Set(Object.keys(parts));
  const filled = page.replaceAll(
    /(<!-- generated: (\S+) -->\n).*?(?=<!-- end -->)/gs,
    (_, start: string, name: string) => {
      if (!missing.delete(name))
        throw new Error(`The code has no part ${name}, or it is repeated.`);
      return `${start}\n${joinParts(parts[name] ?? [])}\n\n`;
    },
  );
  if (missing.size > 0) throw new Error(`The page has no part ${[...missing].join(', ')}.`);
  return format(filled, {
    parser: 'markdown',
    printWidth: 100,
    singleQuote: true,
    proseWrap: 'always',
  });
}

function joinParts(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

export function formatJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 100 });
}

/** A list of facts. Facts without a text are left out. */
export function toFacts(facts: readonly (readonly [string, string | undefined])[]): string {
  return toList(facts.filter(([, text]) => text).map(([label, text]) => `${label}: ${text}`));
}

export function toTerms(terms: readonly (readonly [string, string])[]): string {
  return toList(terms.map(([term, text]) => `${toCode(term)}: ${text}`));
}

export function toList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function toCode(text: string): string {
  return `\`${text}\``;
}

/** `a, b, and c`, for example. */
export function toSeries(
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'disjunction',
): string {
  return new Intl.ListFormat('en-US', { type }).format(items);
}

/**
 * A link from docs/reference whose text is the title of the page or of the section.
 *
 * @param guide a path from docs/, with a heading if it is about that section only.
 */
export function toGuide(guide: string): string {
  const [path = '', anchor] = guide.split('#');
  const file = path.endsWith('.md') ? path : `${path}/README.md`;
  const text = readFileSync(join(root, 'docs', file), 'utf8');
  const titles = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) => title);
  const title = titles.find((one) => anchor === undefined || toAnchor(one) === anchor);
  if (title === undefined) throw new Error(`No such section: ${guide}`);
  return `[${title}](../${guide})`;
}

/** The anchor that repository hosts give to a heading. The site uses the same, so that a link works there and in the repository. */
export function toAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The members of an object, with those of the objects inside it. */
export function toMembers({ properties = {}, required = [] }: JsonSchema): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const inner = schema.items ?? schema.anyOf?.find(({ properties }) => properties) ?? schema;
    const isNested = !isLocalized(schema) && inner.$ref === undefined && inner.properties;
    const nested = isNested ? `\n${toMembers(inner).replaceAll(/^/gm, '  ')}` : '';
    const optional = required.includes(name) ? '' : ' (optional)';
    return `${toCode(name)}${optional}: ${toValue(schema)}. ${schema.description ?? ''}${nested}`;
  });
  return toList(lines);
}

/** A string, or an object with a string for each language. */
export function isLocalized({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ properties }) => properties?.['en']);
}

/** Describes a value in words. */
export function toValue(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values } = schema;
  if ($ref) return `[${toTypeName($ref)}](#type-${toTypeName($ref).toLowerCase()})`;
  if (anyOf && isLocalized(schema)) return `a text${toSize(anyOf[0] ?? {})}`;
  if (anyOf) return anyOf.map(toValue).join(' or ');
  if (schema.const !== undefined) return toCode(String(schema.const));
  if (values) return toSeries(values.map((value) => toCode(String(value))));
  switch (schema.type) {
    case 'null':
      return toCode('null');
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
      return `a whole number${toRange(schema)}`;
    case 'number':
      return `a number${toRange(schema)}`;
    case 'array':
      return toListValue(schema);
    case 'string':
      return toStringValue(schema);
    default:
      return schema.properties ? 'an object' : 'any value';
  }
}

function toListValue({ items = {}, minItems, maxItems }: JsonSchema): string {
  const others = items.$ref ? toValue(items) : `values, each ${toValue(items)}`;
  const entries = items.properties ? 'objects' : others;
  if (maxItems === undefined) return `a list of ${entries}${minItems ? ', not empty' : ''}`;
  return `a list of ${minItems ? `${minItems} to` : 'at most'} ${maxItems.toLocaleString('en-US')} ${entries}`;
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a time in ISO 8601',
  date: 'a date such as `1980-12-31`',
  uri: 'a URL',
  uuid: 'a UUID',
  binary: 'bytes',
  'json-pointer': 'a JSON Pointer',
};

function toStringValue(schema: JsonSchema): string {
  const { format: kind = '', examples, pattern } = schema;
  if (formats[kind]) return formats[kind];
  if (examples) return `a string such as ${toSeries(examples.map((one) => toCode(String(one))))}`;
  // The description of a long pattern says the same in words. One with classes of control characters only means one line.
  if (pattern && pattern.length <= 40 && !pattern.includes('\\p{'))
    return `a string that matches ${toCode(pattern)}`;
  return `a string${toSize(schema)}`;
}

function toSize({ minLength = 0, maxLength }: JsonSchema): string {
  if (maxLength === undefined) return minLength > 0 ? ' that is not empty' : '';
  const from = minLength > 0 ? `${minLength} to` : 'up to';
  return ` of ${from} ${maxLength.toLocaleString('en-US')} characters`;
}

function toRange({ minimum, maximum }: JsonSchema): string {
  const [low, high] = [minimum, maximum].map((value) => value?.toLocaleString('en-US'));
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? '' : ` of at most ${high}`;
}

export function toTypeName($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}
