// Parses JSON: text of our own or of a known service, and request bodies, which may be crafted.

import { isUtf8 } from 'node:buffer';

/** The deepest body of the spec, the asset report, has 8 levels. */
const maxDepth = 32;
/** 8 MiB of transactions contain about 350,000 values. 8 MiB of empty objects would take 0.3 s and 190 MB to parse. */
const maxValues = 500_000;
/** Property names that can change an object's prototype when code copies them (CWE-1321). */
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns `undefined`, which JSON cannot express, if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses a request body. Returns `undefined` if the bytes are not JSON in UTF-8 without a byte order mark, or if they contain
 * more than 32 levels, more than 500,000 values, duplicate names in an object, the name of a prototype, or a number out of
 * range. Another parser may understand such text differently (RFC 8259, sections 4, 6, and 9; ASVS 5.0, 1.5.3), and bank
 * reports are delivered as text.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const { depth, values, colons } = measure(text);
  if (depth > maxDepth || values > maxValues) return undefined;
  const json = tryParseJson(text);
  // Each property has one colon outside of strings. JSON.parse keeps only the last of two properties with the same name.
  return countProperties(json) === colons ? json : undefined;
}

/** Counts in one pass without recursion, before JSON.parse sees the text. `values` is a lower bound. */
function measure(text: string) {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let colons = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') {
      depth -= 1;
    } else if (character === ':') {
      colons += 1;
    } else if (character === ',') {
      values += 1;
    }
  }
  return { depth: deepest, values, colons };
}

/** Counts the properties of all objects. Returns `NaN`, which equals no count, if a name or a number is not allowed. */
function countProperties(json: unknown): number {
  if (typeof json === 'number') return Number.isFinite(json) ? 0 : NaN;
  if (typeof json !== 'object' || json === null) return 0;
  if (Array.isArray(json)) {
    return json.reduce<number>((sum, value) => sum + countProperties(value), 0);
  }
  return Object.entries(json).reduce(
    (sum, [name, value]) => sum + (prototypeNames.has(name) ? NaN : 1 + countProperties(value)),
    0,
  );
}
