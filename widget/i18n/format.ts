// Numbers, money, sizes and times as people of one language read them.

/** Formats of one language; all by `Intl`. */
export function createFormat(locale: string) {
  const dollars = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  });
  const wholeNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const timeOfDay = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
  return {
    /** `1250.5` → `$1,250.50`; whole amounts without cents. */
    dollars: (amount: number) =>
      Number.isInteger(amount)
        ? dollars.format(amount)
        : new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(amount),
    number: (value: number) => wholeNumber.format(value),
    /** `18.2` → `18.2 %`; the space does not break. */
    percent: (value: number) => `${decimal.format(value)}\u00a0%`,
    decimal: (value: number) => decimal.format(value),
    /** `2621440` → `2.5 MB`; files below 100 KB in KB. */
    bytes: (bytes: number) =>
      bytes < 102_400
        ? `${wholeNumber.format(Math.ceil(bytes / 1024))}\u00a0KB`
        : `${megabytes.format(bytes / 1_048_576)}\u00a0MB`,
    time: (date: Date) => timeOfDay.format(date),
    dateTime: (date: Date) => moment.format(date),
    /** `['PDF', 'JPG', 'PNG']` → `PDF, JPG or PNG`. */
    either: (words: readonly string[]) =>
      new Intl.ListFormat(locale, { type: 'disjunction' }).format(words),
  };
}

export type Format = ReturnType<typeof createFormat>;
