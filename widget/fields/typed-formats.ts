// How amounts and numbers are written while somebody types them; what is not theirs stays as it was typed.

import {
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toZip,
} from '../../shared/application/normalize-input.ts';

export type TypedFormat = 'money' | 'count' | 'percent' | 'ssn' | 'ein' | 'zip' | 'phone';

/**
 * `$1250000` → `1,250,000`. A comma with fewer than three digits behind it may be a decimal one, so it waits for more; more than
 * two digits behind a point may be thousands, as in `25.000`.
 */
export function toTypedMoney(text: string): string {
  const match = /^[\s$]*(\d[\d,\s]*)(\.\d{0,2})?\s*$/.exec(text);
  const dollars = (match?.[1] ?? '').replaceAll(/\s/g, '');
  if (!match || /,\d{0,2}$/.test(dollars)) return text;
  return `${toThousands(dollars.replaceAll(',', ''))}${match[2] ?? ''}`;
}

/** Once it is left: also without the cents, which the application does not hold. */
export function toSettledMoney(text: string): string {
  const dollars = toWholeDollars(text);
  return dollars === undefined || !(dollars < Number.MAX_SAFE_INTEGER)
    ? text
    : toThousands(String(dollars));
}

/** `1,200` → `1200`. A comma with other than three digits behind it may be a decimal one, so it stays. */
export function toTypedCount(text: string): string {
  const bare = text.replaceAll(/\s/g, '');
  return /^(\d+|\d{1,3}(,\d{3})+)$/.test(bare) ? bare.replaceAll(',', '') : text;
}

/** `60 %` → `60`. A comma is never one of thousands here. */
export function toTypedPercent(text: string): string {
  return /^\s*(\d+)\s*%?\s*$/.exec(text)?.[1] ?? text;
}

/** `219099999` → `219-09-9999`. */
export function toTypedSsn(text: string): string {
  return grouped(text, toNineDigits(text), [3, 5]);
}

/** `123456789` → `12-3456789`. */
export function toTypedEin(text: string): string {
  return grouped(text, toNineDigits(text), [2]);
}

/** `787011234` → `78701-1234`. */
export function toTypedZip(text: string): string {
  return grouped(text, toZip(text).replace('-', ''), [5]);
}

/** `+15125550134` → `(512) 555-0134`; a number of another country as it was typed. */
export function toSettledPhone(text: string): string {
  const digits = toPhoneDigits(text);
  return /^\d{10}$/.test(digits)
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : text;
}

/** Up to nine digits with dashes before these places; anything else as it was typed. */
function grouped(text: string, digits: string, places: readonly number[]): string {
  if (!/^\d{1,9}$/.test(digits)) return text;
  const parts = [0, ...places].map((from, index) => digits.slice(from, places[index]));
  return parts.filter((part) => part !== '').join('-');
}

function toThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
