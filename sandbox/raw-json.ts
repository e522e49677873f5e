// Cuts one value out of JSON text without reading it, so that it can be kept character by character as it arrived.

/**
 * The text of the value that `key` has at the top level of an object. `json` must be valid JSON (parse it first); of a
 * repeated key the last value counts, as in `JSON.parse`. Whitespace around the value is not part of it.
 */
export function sliceTopLevelValue(json: string, key: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let currentKey: string | undefined;
  let valueStart = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = findStringEnd(json, at);
      if (depth === 1 && currentKey === undefined) currentKey = readString(json.slice(at, end));
      at = end - 1;
    } else if (character === ':' && depth === 1) {
      valueStart = at + 1;
    } else if ((character === ',' || character === '}') && depth === 1) {
      if (currentKey === key) found = json.slice(valueStart, at).trim();
      currentKey = undefined;
      if (character === '}') depth -= 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return found;
}

/** The index after the closing quote of the string that opens at `start`. */
function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function readString(quoted: string): string {
  return String(JSON.parse(quoted));
}
