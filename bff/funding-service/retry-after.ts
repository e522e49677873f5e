// The `Retry-After` header: seconds or an HTTP date (RFC 9110 section 10.2.3).

/** Milliseconds from `now` (epoch milliseconds), never negative; `undefined` when absent or unreadable. */
export function toRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes much more than an HTTP date; all forms of it hold a name and a time of day.
  if (!/[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
