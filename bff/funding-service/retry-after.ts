// The `Retry-After` header: seconds or an HTTP date (RFC 9110 section 10.2.3).

/** A service that asks for more is asked again after an hour all the same. */
const longestMs = 60 * 60 * 1000;

/** An HTTP date has about half as many; a header may have thousands. */
const maxDateLength = 60;

/** Milliseconds from `now` (epoch milliseconds), 0 to an hour; `undefined` when absent or unreadable. */
export function toRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : toTime(text) - now;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), longestMs);
}

/** Epoch milliseconds; NaN when the text is no HTTP date. */
function toTime(text: string): number {
  // `Date.parse` takes much more than an HTTP date; all forms of it hold a name and a time of day.
  const isDate = text.length <= maxDateLength && /[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(text);
  if (!isDate) return Number.NaN;
  // The form that ends in its year means GMT (RFC 9110 section 5.6.7); `Date.parse` would take our own zone.
  return Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
}
