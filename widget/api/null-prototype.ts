// Copies JSON values into objects without a prototype, so that scripts of the host page cannot add keys to them.

/**
 * Strict schemas list keys with `for in`, and old scripts add enumerable functions to `Object.prototype`. Without this copy, a
 * schema would reject each of these functions as an unknown key.
 */
export function toNullPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toNullPrototype);
  const own: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) own[key] = toNullPrototype(member);
  return own;
}
