// One text for what is the same JSON: keys in order, nothing between them.

/** Values that are `undefined` are left out, as JSON does. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(
      Object.entries(member).sort(([first], [second]) => (first < second ? -1 : 1)),
    );
  });
}
