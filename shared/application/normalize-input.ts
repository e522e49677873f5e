// Converts typed or pasted text into the values of the model, by removing separators, symbols, and white space.

/** Each word for a factor, in English and Spanish. In US finance, `MM` is a million. */
const factors: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  grand: 1e3,
  mil: 1e3,
  m: 1e6,
  mm: 1e6,
  million: 1e6,
  millions: 1e6,
  millón: 1e6,
  millon: 1e6,
  millones: 1e6,
};

/**
 * Parses dollars as people write them, and rounds cents to whole dollars: `"$75,000.00"`, `"75k"`, `"75 mil"`, and `"75.000,00"` are
 * `75000`; `"1.5 million"` and `"1,5 millones"` are `1500000`. Returns `undefined` for empty text, and `NaN` for invalid text.
 * Text with two meanings is invalid: `1,5` and `75,50`, and also `25.000` (see `suggestWholeDollars`).
 */
export function toWholeDollars(typed: string): number | undefined {
  const bare = toBareAmount(typed);
  if (bare === '') return undefined;
  const [, number = '', word = ''] = /^([\d.,]+)(\p{L}*)$/u.exec(bare) ?? [];
  // A name such as `constructor` is a property of every object.
  const factor = word === '' ? 1 : Object.hasOwn(factors, word) ? factors[word] : undefined;
  const decimal = factor && toDecimal(number, factor);
  if (!decimal) return Number.NaN;
  // A number above the largest safe integer must stay too large for the schema, and not lose its digits.
  return Math.min(Math.round(Number(decimal) * factor), Number.MAX_SAFE_INTEGER);
}

/**
 * `"25.000"` → `25000`, because many countries write 25,000 that way, and nobody writes dollars with three decimals. The applicant
 * must confirm the suggestion. Returns `undefined` for any other text.
 */
export function suggestWholeDollars(typed: string): number | undefined {
  const bare = toBareAmount(typed);
  return /^[1-9]\d{0,2}\.\d{3}$/.test(bare) ? Number(bare.replace('.', '')) : undefined;
}

/** Returns true if the text is a whole amount that a reader recognizes after it is formatted, for example `75000` or `$75,000.00`. */
export function isPlainAmount(typed: string): boolean {
  return /^(\d+|\d{1,3}(,\d{3})+)(\.0{0,2})?$/.test(toBareAmount(typed));
}

/** Removes spaces, apostrophes, the currency, and full-width forms. */
function toBareAmount(typed: string): string {
  return (
    typed
      .replaceAll(/[\s'’]/g, '')
      // A pasted text can be very long.
      .slice(0, maxAmountCharacters)
      .normalize('NFKC')
      .toLowerCase()
      .replace(/^(usd?)?\$?/, '')
      .replace(/(de)?(usd|dollars?|d[oó]lar(es)?|\$)$/, '')
  );
}

/** Longer than any amount that makes sense. Longer text is cut, and stays too large. */
const maxAmountCharacters = 100;

/** Text that `Number` can read, or `undefined` if the separators are wrong or have two meanings. */
function toDecimal(number: string, factor: number): string | undefined {
  // `75000`, `75,000`, and `75,000.00`
  if (/^(\d+|\d{1,3}(,\d{3})+)(\.\d{0,2})?$/.test(number)) return number.replaceAll(',', '');
  // `1.250.000`, `75.000,00`, and `75000,50`. A shorter number before a comma may be thousands: `75,50`.
  if (/^(\d{1,3}(\.\d{3})+,\d{2}|\d{1,3}(\.\d{3}){2,}|\d{4,},\d{2})$/.test(number))
    return number.replaceAll('.', '').replace(',', '.');
  if (factor === 1) return undefined;
  // `1.5 million`, `1,5 millones`, and `.5m`. Thousands with three decimals may be millions: `1.500k`.
  const isUnclear = factor === 1e3 && /^[1-9]\d*\.\d{3}$/.test(number);
  return /^\d*[.,]\d+$/.test(number) && !isUnclear ? number.replace(',', '.') : undefined;
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
