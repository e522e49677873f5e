// Guesses from a file's name which category it belongs to, in English and Spanish; says nothing where the name does not.

/** How the categories of months end. */
const monthIds = 'jan feb mar apr may jun jul aug sept oct nov dec'.split(' ');

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
  ['signed-application', 'application|solicitud'],
  [
    'month-to-date-bank-statements',
    'month to date|mtd|mes en curso|activity|transactions|movimientos',
  ],
] as const;

/** Of something else than a bank account: of a card, a loan, a card terminal. */
const foreign =
  /\b(card|tarjeta|amex|loan|prestamo|mortgage|merchant|processing|pay ?stub|screenshot)\b/;
const account =
  /\b(statements?|stmts?|estados? de cuenta|bank|banco|checking|savings|account|acct|cuenta|chase|wells ?fargo|bof ?a|citi(bank)?|pnc|truist|capital one|us ?bank|td|regions|bluevine|mercury)\b/;

/** `2026 03`, `20260331` · `03 31 2026`, `033126` · `03 2026`; the separators within one date are the same. */
const dates =
  /\b20\d\d( ?)(?<a>0[1-9]|1[0-2])(?:\1(?<x>[0-3]\d))?\b|\b(?<b>0?[1-9]|1[0-2])( ?)(?<y>0?[1-9]|[12]\d|3[01])\5(?:20)?[23]\d\b|\b(?<c>0?[1-9]|1[0-2]) ?20[23]\d\b/g;

/** A statement of one of the first days is usually that of the month before; nobody can tell from its name. */
const firstClearDay = 8;

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
  const [first] = found;
  // Nothing but a month: what else would somebody send who applies for funding?
  const isBare = found.length === 1 && /^([a-z]+ ?)(20\d\d)?$/.test(name);
  if (foreign.test(name) || !(isBare || account.test(name))) return undefined;
  if (found.length === 1 && first !== undefined) return `bank-statements-${monthIds[first]}`;
  // Two months that meet may be one statement from the one to the other.
  const isSeveral =
    found.length > 2 || (found.length === 0 && /\b(statements|estados)\b/.test(name));
  return isSeveral ? 'bank-statements' : undefined;
}

/** Which months it names, from 0 to 11. */
function findMonths(name: string): readonly number[] {
  const words = name.split(' ').filter(({ length }) => length > 2);
  const named = monthNames().flatMap((months) =>
    months.flatMap((month, index) => (words.some((word) => month.startsWith(word)) ? [index] : [])),
  );
  const dated = [...name.matchAll(dates)].flatMap(({ groups }) => {
    const { a, b, c, x, y } = groups ?? {};
    const day = Number(x ?? y ?? firstClearDay);
    return day < firstClearDay ? [] : [Number(a ?? b ?? c) - 1];
  });
  return [...new Set([...named, ...dated])];
}

/** `january`, `enero` and so on; `mar` or `sept` is how they begin. */
function monthNames(): readonly (readonly string[])[] {
  return ['en', 'es'].map((locale) => {
    const { format } = new Intl.DateTimeFormat(locale, { month: 'long' });
    return monthIds.map((_id, month) => format(new Date(2026, month, 1)).toLowerCase());
  });
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
