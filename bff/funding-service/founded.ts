// What the lead says about a business's age, from the month and year its founder typed.

export const foundedMonthFormats = ['number', 'two-digit', 'name', 'short-name'] as const;
export type FoundedMonthFormat = (typeof foundedMonthFormats)[number];

export const businessAgeFormats = ['years', 'months', 'years-and-months'] as const;
export type BusinessAgeFormat = (typeof businessAgeFormats)[number];

export interface Founded {
  readonly foundedYear: number;
  /** 1 to 12. */
  readonly foundedMonth: number;
  readonly foundedDay?: number | undefined;
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** March is `3`, `03`, `March` or `Mar`. */
export function toFoundedMonth(month: number, format: FoundedMonthFormat): string {
  const name = monthNames[month - 1];
  if (name === undefined) throw new RangeError('No such month');
  switch (format) {
    case 'number':
      return String(month);
    case 'two-digit':
      return String(month).padStart(2, '0');
    case 'name':
      return name;
    case 'short-name':
      return name.slice(0, 3);
  }
}

/** Whole months at `now` (UTC), never negative; with an unknown day the founding month counts in full. */
export function toMonthsInBusiness(founded: Founded, now: Date): number {
  const months =
    (now.getUTCFullYear() - founded.foundedYear) * 12 +
    now.getUTCMonth() +
    1 -
    founded.foundedMonth;
  const isIncomplete = founded.foundedDay !== undefined && now.getUTCDate() < founded.foundedDay;
  return Math.max(0, isIncomplete ? months - 1 : months);
}

/** 75 months are `6`, `75` or `6 years 3 months`. */
export function toBusinessAge(months: number, format: BusinessAgeFormat): string {
  const years = Math.floor(months / 12);
  switch (format) {
    case 'years':
      return String(years);
    case 'months':
      return String(months);
    case 'years-and-months':
      return `${counted(years, 'year')} ${counted(months % 12, 'month')}`;
  }
}

/** `YYYY-MM-DD`; `undefined` when the day is not known. */
export function toInceptionDate({
  foundedYear,
  foundedMonth,
  foundedDay,
}: Founded): string | undefined {
  if (foundedDay === undefined) return undefined;
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  return `${pad(foundedYear, 4)}-${pad(foundedMonth, 2)}-${pad(foundedDay, 2)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
