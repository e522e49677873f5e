// From what people type or paste to what the form holds: separators, symbols and blanks go, the meaning stays.

/**
 * `"$1,250,000.00"` → `1250000`; cents are cut off; `undefined` when empty; `NaN` when it is no amount. A comma that does not
 * separate thousands (`1,5`) could mean anything, and so could a point with more than two digits behind it (`25.000` is how
 * much of the world writes 25,000): those are no amounts.
 */
export function toWholeDollars(typed: string): number | undefined {
  const bare = typed.replaceAll(/[\s$]/g, '').replace(/usd$/i, '');
  if (bare === '') return undefined;
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{0,2})?$/.test(bare)) return Number.NaN;
  // Beyond the largest safe integer it is too large in any case, and has to read so.
  return Math.min(Math.trunc(Number(bare.replaceAll(',', ''))), Number.MAX_SAFE_INTEGER);
}

/** `" 25 % "` → `25`, `"1,200"` → `1200`; `undefined` when empty; `NaN` when it is no whole number, as `"2,5"`. */
export function toWholeNumber(typed: string): number | undefined {
  const bare = typed.replaceAll(/\s/g, '').replace(/%$/, '');
  if (bare === '') return undefined;
  const isWhole = /^(\d{1,12}|[1-9]\d{0,2}(,\d{3}){1,3})$/.test(bare);
  return isWhole ? Number(bare.replaceAll(',', '')) : Number.NaN;
}

/** Digits of an SSN or EIN in any spelling; other characters than separators stay, so that the check can refuse them. */
export function toNineDigits(typed: string): string {
  return withoutSeparators(typed);
}

/** `"+1 (512) 555-0134"` → `"5125550134"`; the plus of another country stays, so that the check can refuse it. */
export function toPhoneDigits(typed: string): string {
  return withoutSeparators(typed).replace(/^\+?1(?=\d{10}$)/, '');
}

/** `"787011234"` and `"78701 – 1234"` → `"78701-1234"`; `"78701"` stays. */
export function toZip(typed: string): string {
  const digits = withoutSeparators(typed);
  return /^\d{9}$/.test(digits) ? `${digits.slice(0, 5)}-${digits.slice(5)}` : digits;
}

/** Month, day and year as typed → `YYYY-MM-DD`; empty when all three are empty; a text no check accepts when one is wrong. */
export function toCalendarDate(parts: {
  readonly month: string;
  readonly day: string;
  readonly year: string;
}): string {
  const { month, day, year } = parts;
  if (`${month}${day}${year}`.trim() === '') return '';
  const [m, d, y] = [toMonth(month), toWholeNumber(day), toWholeNumber(year)];
  return `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`;
}

/** `"3"`, `"03"`, `"Mar"`, `"march"` and `"marzo"` → `3`; `undefined` when empty; `NaN` when it is no month. */
export function toMonth(typed: string): number | undefined {
  const name = typed.trim().toLowerCase().replace('.', '');
  if (!/^[a-z]{3,}$/.test(name)) return toWholeNumber(typed);
  const index = monthNames.findIndex((names) =>
    names.split(' ').some((month) => month.startsWith(name)),
  );
  return index < 0 ? Number.NaN : index + 1;
}

/** English, then Spanish; a beginning of three letters names one month in both. */
const monthNames = [
  'january enero',
  'february febrero',
  'march marzo',
  'april abril',
  'may mayo',
  'june junio',
  'july julio',
  'august agosto',
  'september septiembre setiembre',
  'october octubre',
  'november noviembre',
  'december diciembre',
] as const;

function withoutSeparators(typed: string): string {
  return typed.replaceAll(/[\s().\-\u2010-\u2015]/g, '');
}

function pad(value: number | undefined, length: number): string {
  return String(value ?? '').padStart(length, '0');
}
