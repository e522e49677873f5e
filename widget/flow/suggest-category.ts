// Guesses from a file's name which category it belongs to, in English and Spanish; says nothing where the name does not.

/** How the categories of months end. */
export const monthIds = 'jan feb mar apr may jun jul aug sept oct nov dec'.split(' ');

/** The first that fits counts, so what is said in more words stands first. Letters and digits are apart in what they meet. */
const kinds = [
  [
    'other',
    `(business|liquor|contractors?|professional|occupational|health|city) (licen[sc]es?|permits?)|licencia (comercial|de negocios?)|lease|arrendamiento|debts?|deudas|invoices?|facturas|w 9|dba|insurance`,
  ],
  ['voided-check', 'void|voided|anulado|blank (check|cheque)'],
  ['ein-letter', 'ein|cp 575|147 c|ss 4|tax id'],
  ['tax-return-extension', '7004|4868|extension|prorroga'],
  ['tax-lien-payment-plan', 'liens?|installment agreement|payment plan|gravamen|plan de pagos?'],
  [
    'proof-of-ownership',
    'k 1|ownership|articles|stock (certificate|ledger)|cap table|membership certificate|acta constitutiva',
  ],
  [
    'business-tax-return',
    String.raw`1120|1065|sch(ed(ule)?)? c|tax(es)? returns?|20\d\d (\w+ )?tax(es)?|tax(es)? 20\d\d|declaracion de impuestos|impuestos`,
  ],
  [
    'operating-agreement',
    'operating (agreement|agmt)|partnership agreement|bylaws|acuerdo operativo',
  ],
  ['purchase-agreement', 'purchase agreement|bill of sale|compraventa'],
  [
    'proof-of-good-standing',
    'good standing|secretary of state|sos|sunbiz|certificate of (status|existence)|vigencia',
  ],
  ['ucc-filings', 'ucc'],
  ['zero-balance-letter', 'zero balance|paid in full|saldo cero'],
  ['payoff-letter', 'pay ?off|carta de liquidacion'],
  ['bank-letter', 'bank (reference )?letter|letter from (the )?bank|carta del? banco'],
  [
    'profit-and-loss',
    'p ?(n|and)? ?l|profit|income statement|balance sheet|balance general|financial statements?|financials|estado de resultados|perdidas y ganancias',
  ],
  [
    'aging-report',
    'aging|ageing|accounts (receivable|payable)|cuentas por (cobrar|pagar)|antiguedad',
  ],
  ['wip-report', 'wip|work in progress'],
  [
    'utility-bill',
    'utility|(electric|electricity|water|gas|power|internet|phone) bill|(recibo|factura) de (la )?(luz|agua|gas)',
  ],
  [
    'proof-of-citizenship',
    'passport|pasaporte|green card|citizenship|naturali[sz]ation|birth certificate|ciudadania',
  ],
  ['drivers-license', 'drivers?|dl|licen[sc]e|licencia|(photo|state) id|id (card|front|back)'],
  // Of something else than a bank account or our application: of a card, a loan, a card terminal. Nothing is said about it.
  [
    '',
    'card|tarjeta|amex|loan|prestamo|mortgage|hipoteca|merchant|processing|pay ?stub|screenshot',
  ],
  ['signed-application', 'application|solicitud'],
  [
    'month-to-date-bank-statements',
    'month to date|mtd|mes en curso|activity|transactions|movimientos',
  ],
] as const;

const account =
  /\b(e?statements?|e?stmts?|estados? de cuenta|bank|banco|checking|savings|account|acct|cuenta|chase|wells ?fargo|bof ?a|citi(bank)?|pnc|truist|capital one|us ?bank|td|regions|bluevine|mercury)\b/;
/** What a month's name may stand with and still be one, and not somebody's name. */
const plainWords = new RegExp(
  String.raw`${account.source}|\b(e|de|del|of|for|the|and|y|to|a|business|monthly|mensual|copy|copia|scan)\b|\d+`,
  'g',
);
const spanish = /\b(estados?|cuenta|banco)\b/;

const monthsByName = toMonthsByName();

/** `march 31 2026`, `2026 march`, `31 de marzo de 2026`, `nov 1 30`: what stands beside the name, the name, its days, its year. */
const namedDates = new RegExp(
  String.raw`\b(?:(?<before>\d\d?|20\d\d) (?:de )?)?(?<name>${[...monthsByName.keys()].join('|')})\b(?<days>(?: \d\d?\b)*)(?<year>(?: del?)? 20\d\d\b)?`,
  'g',
);

/** `2026 03`, `20260331` · `03 31 2026`, `033126` · `03 2026`; the separators within one date are the same. */
const dates =
  /\b20\d\d( ?)(?<a>0[1-9]|1[0-2])(?:\1(?<x>[0-3]\d))?\b|\b(?<b>0?[1-9]|1[0-2])( ?)(?<y>0?[1-9]|[12]\d|3[01])\5(?:20)?[23]\d\b|\b(?<c>0?[1-9]|1[0-2]) ?20[23]\d\b/g;

/** `1 of 3`, which is no date. */
const pages = /\b\d\d? (of|de) \d\d?\b/g;

/** A statement of one of the first days is usually that of the month before; nobody can tell from its name. */
const firstClearDay = 8;

/** `unclear`: a date that does not say which month. `name`: perhaps somebody's name, and no month at all. */
interface Month {
  readonly month: number;
  readonly is: 'clear' | 'unclear' | 'name';
}

/**
 * Answers one of `categories`, or `''` when unsure: a wrong guess that goes unnoticed costs more than a choice.
 *
 * @param categories ids that the applicant may choose.
 */
export function suggestCategory(fileName: string, categories: readonly string[]): string {
  const name = toWords(fileName);
  const kind = kinds.find(([, words]) => new RegExp(`\\b(${words})\\b`).test(name))?.[0];
  const guess = kind ?? suggestStatement(name);
  return guess !== undefined && categories.includes(guess) ? guess : '';
}

function suggestStatement(name: string): string | undefined {
  const found = findMonths(name);
  if (found.some(({ is }) => is === 'name')) return undefined;
  const clear = new Set(found.flatMap(({ month, is }) => (is === 'clear' ? [month] : [])));
  const [first] = clear;
  // Nothing but a month: what else would somebody send who applies for funding?
  const isBare = clear.size === 1 && /^[a-z]+( 20\d\d)?$/.test(name);
  if (!isBare && !account.test(name)) return undefined;
  if (clear.size === 1 && first !== undefined) return `bank-statements-${monthIds[first]}`;
  // Two months that meet may be one statement from the one to the other.
  const isSeveral =
    clear.size > 2 || (found.length === 0 && /\b(e?statements|estados)\b/.test(name));
  return isSeveral ? 'bank-statements' : undefined;
}

function findMonths(name: string): readonly Month[] {
  const found: Month[] = [];
  const toClear = (day: string | undefined) =>
    Number(day ?? firstClearDay) < firstClearDay ? 'unclear' : 'clear';
  const isPlain = name.replace(namedDates, ' ').replace(plainWords, ' ').trim() === '';
  const figures = name.replace(pages, '|').replace(namedDates, '|');
  for (const { groups } of name.replace(pages, '|').matchAll(namedDates)) {
    const { before, name: word = '', days, year } = groups ?? {};
    const isDate = isPlain || [before, days, year].some(Boolean);
    const is = isDate ? toClear(days?.match(/\d+$/)?.[0] ?? before) : 'name';
    found.push({ month: monthsByName.get(word) ?? 0, is });
  }
  for (const { groups } of figures.matchAll(dates)) {
    const { a, b, c, x, y } = groups ?? {};
    // `05 10 2026` is in October where the day stands first.
    const isEither = b !== undefined && b !== y && Number(y) <= 12 && spanish.test(name);
    found.push({ month: Number(a ?? b ?? c) - 1, is: isEither ? 'unclear' : toClear(x ?? y) });
  }
  return found;
}

/** `january`, `enero` and so on, and how they begin, for example `mar` or `sept`; from 0 to 11. */
function toMonthsByName(): ReadonlyMap<string, number> {
  const names = ['en', 'es'].flatMap((locale) => {
    const { format } = new Intl.DateTimeFormat(locale, { month: 'long' });
    return monthIds.map((_id, month) => format(new Date(2026, month, 1)).toLowerCase());
  });
  return new Map(
    names.flatMap((name, index) =>
      Array.from(name.slice(2), (_letter, end) => [name.slice(0, end + 3), index % 12] as const),
    ),
  );
}

/** `eStmt_2026-09-30.pdf` → `e stmt 2026 09 30`. */
function toWords(fileName: string): string {
  return fileName
    .replace(/\.\w{1,5}$/, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .replaceAll(/\d+/g, ' $& ')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim();
}
