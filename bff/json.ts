// Reads JSON that may be none.

/** What the text says as JSON; `undefined`, which JSON cannot say, when it is none. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
