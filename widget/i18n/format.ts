// Formats numbers, money, sizes, dates, and lists for readers in the United States.

/**
 * Numbers look the same in all languages, as in the United States, because applicants type them so. Dates are in the applicant's
 * time zone.
 */
export function createFormat(locale: string) {
  const numbers = (options: Intl.NumberFormatOptions) =>
    createLazily(() => new Intl.NumberFormat('en-US', options));
  const dates = (options: Intl.DateTimeFormatOptions) =>
    createLazily(() => new Intl.DateTimeFormat(locale, options));
  const lists = (type: Intl.ListFormatType) =>
    createLazily(() => new Intl.ListFormat(locale, { type }));
  const money = { style: 'currency', currency: 'USD' } as const;
  const wholeDollars = numbers({ ...money, maximumFractionDigits: 0 });
  const exactDollars = numbers(money);
  const number = numbers({ maximumFractionDigits: 0 });
  const decimal = numbers({ maximumFractionDigits: 2 });
  const hundredths = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const megabytes = numbers({ maximumFractionDigits: 1 });
  return {
    /** `1250.5` → `$1,250.50`. Whole amounts have no cents. */
    dollars: (amount: number) => (Number.isInteger(amount) ? wholeDollars : exactDollars)(amount),
    /** `1.2` → `$1.20` */
    exactDollars,
    number,
    /** `18.2` → `18.2%` */
    percent: (value: number) => `${decimal(value)}%`,
    /** `36.9` → `36.90%`, for a range in which the other end has two decimals. */
    percentExactly: (value: number) => `${hundredths(value)}%`,
    decimal,
    /** `2621440` → `2.5 MB`. Sizes below 100 KB are in KB. */
    bytes: (bytes: number) =>
      bytes < 102_400
        ? `${number(Math.ceil(bytes / 1024))}\u00a0KB`
        : `${megabytes(bytes / 1_048_576)}\u00a0MB`,
    time: dates({ hour: 'numeric', minute: '2-digit' }),
    dateTime: dates({ dateStyle: 'long', timeStyle: 'short' }),
    /** `April 27, 1985` */
    date: dates({ dateStyle: 'long' }),
    /** `September` */
    month: dates({ month: 'long' }),
    /** `March 2017` */
    monthOfYear: dates({ month: 'long', year: 'numeric' }),
    /** `['PDF', 'JPG', 'PNG']` → `PDF, JPG, or PNG`. */
    either: lists('disjunction'),
    /** `['September', 'October']` → `September and October`. */
    all: lists('conjunction'),
  };
}

/** Creates the formatter at its first use: on a slow phone, creating all of them takes 100 ms, and the first step needs none. */
function createLazily<Value>(create: () => { readonly format: (value: Value) => string }) {
  let formatter: ReturnType<typeof create> | undefined;
  return (value: Value): string => (formatter ??= create()).format(value);
}

export type Format = ReturnType<typeof createFormat>;
