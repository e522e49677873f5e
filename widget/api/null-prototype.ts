// Frees values from what a page's scripts have added to the prototypes of the language.

/**
 * The same JSON value in objects without a prototype. Schemas that refuse unknown keys list keys with `for in`, and old
 * scripts leave enumerable functions on `Object.prototype`: each of them would be such a key.
 */
export function toNullPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toNullPrototype);
  const own: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) own[key] = toNullPrototype(member);
  return own;
}
