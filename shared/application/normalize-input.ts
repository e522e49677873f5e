// Converts typed or pasted text into the values of the model, by removing separators, symbols, and white space.

/**
 * Parses whole dollars: `"$1,250,000.00"` → `1250000`. Drops cents. Returns `undefined` for empty text, and `NaN` for invalid text.
 * Ambiguous separators are invalid: `1,5`, and also `25.000`, because many countries write 25,000 that way.
 */
export function toWholeDollars(typed: string): number | undefined {
  const bare = typed.replaceAll(/[\s$]/g, '').replace(/usd$/i, '');
  if (bare === '') return undefined;
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{0,2})?$/.test(bare)) return Number.NaN;
  // A number above the largest safe integer must stay too large for the schema, and not lose its digits.
  return Math.min(Math.trunc(Number(bare.replaceAll(',', ''))), Number.MAX_SAFE_INTEGER);
}

/** Parses a whole number: `" 25 % "` → `25`, `"1,200"` → `1200`. Returns `undefined` for empty text, and `NaN` for invalid text. */
export function toWholeNumber(typed: string): number | undefined {
  const bare = typed.replaceAll(/\s/g, '').replace(/%$/, '');
  if (bare === '') return undefined;
  const isWhole = /^(\d{1,12}|[1-9]\d{0,2}(,\d{3}){1,3})$/.test(bare);
  return isWhole ? Number(bare.replaceAll(',', '')) : Number.NaN;
}

/** Removes separators from an SSN or EIN. Other characters stay, so that the schema rejects them. */
export function toNineDigits(typed: string): string {
  return withoutSeparators(typed);
}

/** `"+1 (512) 555-0134"` → `"5125550134"`. Another country code stays, so that the schema rejects it. */
export function toPhoneDigits(typed: string): string {
  return withoutSeparators(typed).replace(/^\+?1(?=\d{10}$)/, '');
}

/** `"+15125550134"` → `"(512) 555-0134"`. A number from another country stays as typed. */
export function formatPhone(typed: string): string {
  const match = /^(\d{3})(\d{3})(\d{4})$/.exec(toPhoneDigits(typed));
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : typed;
}

/** `"787011234"` and `"78701 – 1234"` → `"78701-1234"`. `"78701"` stays. */
export function toZip(typed: string): string {
  const digits = withoutSeparators(typed);
  return /^\d{9}$/.test(digits) ? `${digits.slice(0, 5)}-${digits.slice(5)}` : digits;
}

/** Joins month, day, and year to `YYYY-MM-DD`. Returns `''` if all are empty, and an invalid date if a part is missing or invalid. */
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

/** `"3"`, `"03"`, `"Mar"`, `"march"`, and `"marzo"` → `3`. Returns `undefined` for empty text, and `NaN` for invalid text. */
export function toMonth(typed: string): number | undefined {
  const name = typed.trim().toLowerCase().replace('.', '');
  if (!/^[a-z]{3,}$/.test(name)) return toWholeNumber(typed);
  const index = monthNames.findIndex((names) =>
    names.split(' ').some((month) => month.startsWith(name)),
  );
  return index < 0 ? Number.NaN : index + 1;
}

/** English, then Spanish. The first three letters identify a month in both. */
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
