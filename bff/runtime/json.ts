// Reads JSON that may be none, and JSON of strangers, which may be a trap.

/** Spec's deepest body, the asset report, goes eight deep. */
const maxDepth = 32;
/** 8 MiB of transactions hold some 350,000; as many empty objects as fit take a third of a second and 190 MB to parse. */
const maxValues = 500_000;
/** Names that reach an object's prototype when a careless line copies them (CWE-1321). */
const trapNames = new Set(['__proto__', 'constructor', 'prototype']);

/** What the text says as JSON; `undefined`, which JSON cannot say, when it is none. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * As `toJson`, and `undefined` also for what no honest client writes: deeper than 32, more than 500,000 values, a name
 * twice in one object or of a prototype, a number too large to be one. Another reader may understand such text
 * differently (RFC 8259, sections 4, 6 and 9; ASVS 5.0, 1.5.3), and asset reports are passed on as text.
 */
export function toStrictJson(text: string): unknown {
  const structure = measure(text);
  if (structure.depth > maxDepth || structure.values > maxValues) return undefined;
  const json = toJson(text);
  // Each member of an object has one colon outside of strings; of two with one name the parser keeps the last.
  return countMembers(json) === structure.colons ? json : undefined;
}

interface Structure {
  readonly depth: number;
  /** At least, which is enough for a limit. */
  readonly values: number;
  readonly colons: number;
}

/** One pass without recursion, before the parser sees the text. What it counts is right where the text is JSON. */
function measure(text: string): Structure {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let colons = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (isInString) {
      if (sign === '\\') index += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') {
      isInString = true;
    } else if (sign === '{' || sign === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (sign === '}' || sign === ']') {
      depth -= 1;
    } else if (sign === ':') {
      colons += 1;
    } else if (sign === ',') {
      values += 1;
    }
  }
  return { depth: deepest, values, colons };
}

/** Names and values of all objects in it; `NaN`, which equals no count, when one of them is a trap. */
function countMembers(json: unknown): number {
  if (typeof json === 'number') return Number.isFinite(json) ? 0 : NaN;
  if (typeof json !== 'object' || json === null) return 0;
  let members = 0;
  if (Array.isArray(json)) {
    for (const value of json) members += countMembers(value);
    return members;
  }
  for (const [name, value] of Object.entries(json)) {
    members += trapNames.has(name) ? NaN : 1 + countMembers(value);
  }
  return members;
}
