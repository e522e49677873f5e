// Suggests a document's category from its file name, in English and Spanish.

/** The suffixes of the monthly categories, such as `bank-statements-jan`. */
export const monthIds = 'jan feb mar apr may jun jul aug sept oct nov dec'.split(' ');

/** Categories and their patterns. The first match counts. In the tested text, a space separates letters from digits. */
const patterns = {
  other: `(business|liquor|contractors?|professional|occupational|health|city) (licen[sc]es?|permits?)|licencia (comercial|de negocios?)|lease|arrendamiento|debts?|deudas|invoices?|facturas|w 9|dba|insurance`,
  'voided-check': 'void|voided|anulado|blank (check|cheque)',
  'ein-letter': 'ein|cp 575|147 c|ss 4|tax id',
  'tax-return-extension': '7004|4868|extension|prorroga',
  'tax-lien-payment-plan': 'liens?|installment agreement|payment plan|gravamen|plan de pagos?',
  'proof-of-ownership':
    'k 1|ownership|articles|stock (certificate|ledger)|cap table|membership certificate|acta constitutiva',
  'business-tax-return': String.raw`1120|1065|sch(ed(ule)?)? c|tax(es)? returns?|20\d\d (\w+ )?tax(es)?|tax(es)? 20\d\d|declaracion de impuestos|impuestos`,
  'operating-agreement':
    'operating (agreement|agmt)|partnership agreement|bylaws|acuerdo operativo',
  'purchase-agreement': 'purchase agreement|bill of sale|compraventa',
  'proof-of-good-standing':
    'good standing|secretary of state|sos|sunbiz|certificate of (status|existence)|vigencia',
  'ucc-filings': 'ucc',
  'zero-balance-letter': 'zero balance|paid in full|saldo cero',
  'payoff-letter': 'pay ?off|carta de liquidacion',
  'bank-letter': 'bank (reference )?letter|letter from (the )?bank|carta del? banco',
  'profit-and-loss':
    'p ?(n|and)? ?l|profit|income statement|balance sheet|balance general|financial statements?|financials|estado de resultados|perdidas y ganancias',
  'aging-report':
    'aging|ageing|accounts (receivable|payable)|cuentas por (cobrar|pagar)|antiguedad',
  'wip-report': 'wip|work in progress',
  'utility-bill':
    'utility|(electric|electricity|water|gas|power|internet|phone) bill|(recibo|factura) de (la )?(luz|agua|gas)',
  'proof-of-citizenship':
    'passport|pasaporte|green card|citizenship|naturali[sz]ation|birth certificate|ciudadania',
  'drivers-license': 'drivers?|dl|licen[sc]e|licencia|(photo|state) id|id (card|front|back)',
  // Statements and applications of cards, loans, and card terminals get no suggestion.
  '': 'card|tarjeta|amex|loan|prestamo|mortgage|hipoteca|merchant|processing|pay ?stub|screenshot',
  'signed-application': 'application|solicitud',
  'month-to-date-bank-statements':
    'month to date|mtd|mes en curso|activity|transactions|movimientos',
};

const accountWords =
  /\b(e?statements?|e?stmts?|estados? de cuenta|bank|banco|checking|savings|account|acct|cuenta|chase|wells ?fargo|bof ?a|citi(bank)?|pnc|truist|capital one|us ?bank|td|regions|bluevine|mercury)\b/;
/** Words that may accompany the name of a month. With other words, it may be a person's name, such as June Smith. */
const plainWords = new RegExp(
  String.raw`${accountWords.source}|\b(e|de|del|of|for|the|and|y|to|a|business|monthly|mensual|copy|copia|scan)\b|\d+`,
  'g',
);
const spanishWords = /\b(estados?|cuenta|banco)\b/;

/** `january`, `enero`, and their beginnings of at least three letters, such as `sept`. The values are 0 to 11. */
const monthsByName: ReadonlyMap<string, number> = new Map(
  ['en', 'es'].flatMap((locale) =>
    monthIds.flatMap((_id, month) => {
      const date = new Date(2026, month, 1);
      const name = date.toLocaleDateString(locale, { month: 'long' }).toLowerCase();
      return Array.from(name.slice(2), (_letter, end) => [name.slice(0, end + 3), month] as const);
    }),
  ),
);

/** `march 31 2026`, `2026 march`, `31 de marzo de 2026`, `nov 1 30`. */
const namedDates = new RegExp(
  String.raw`\b(?:(?<before>\d\d?|20\d\d) (?:de )?)?(?<name>${[...monthsByName.keys()].join('|')})\b(?<days>(?: \d\d?\b)*)(?<year>(?: del?)? 20\d\d\b)?`,
  'g',
);

/** `2026 03`, `20260331`, `03 31 2026`, `033126`, `03 2026`. The separators within one date are the same. */
const numericDates =
  /\b20\d\d( ?)(?<a>0[1-9]|1[0-2])(?:\1(?<x>[0-3]\d))?\b|\b(?<b>0?[1-9]|1[0-2])( ?)(?<y>0?[1-9]|[12]\d|3[01])\5(?:20)?[23]\d\b|\b(?<c>0?[1-9]|1[0-2]) ?20[23]\d\b/g;

/** `1 of 3` is not a date. */
const pageNumbers = /\b\d\d? (of|de) \d\d?\b/g;

/** A statement dated before this day is usually, but not always, for the month before. */
const firstClearDay = 8;

/** 0 to 11. `ambiguous`: the date does not determine the month. `name`: it may be a person's name. */
type FoundMonth = number | 'ambiguous' | 'name';

/**
 * Returns one of `categories`, or `''` if unsure: an unnoticed wrong suggestion costs more than a choice.
 *
 * @param categories ids of the categories that the applicant may choose.
 */
export function suggestCategory(fileName: string, categories: readonly string[]): string {
  const name = toWords(fileName);
  const match = Object.entries(patterns).find(([, words]) =>
    new RegExp(`\\b(${words})\\b`).test(name),
  );
  const category = match ? match[0] : suggestStatement(name);
  return categories.includes(category) ? category : '';
}

function suggestStatement(name: string): string {
  const found = findMonths(name);
  if (found.includes('name')) return '';
  const clear = new Set(found.filter((month) => typeof month === 'number'));
  const [first] = clear;
  // A name of only a month and a year is most likely a statement.
  const isMonthOnly = clear.size === 1 && /^[a-z]+( 20\d\d)?$/.test(name);
  if (!isMonthOnly && !accountWords.test(name)) return '';
  if (clear.size === 1 && first !== undefined) return `bank-statements-${monthIds[first]}`;
  // Two months may be the start and the end of one statement.
  const isSeveral =
    clear.size > 2 || (found.length === 0 && /\b(e?statements|estados)\b/.test(name));
  return isSeveral ? 'bank-statements' : '';
}

function findMonths(name: string): readonly FoundMonth[] {
  const found: FoundMonth[] = [];
  const add = (month: number, day: string | undefined) =>
    found.push(day !== undefined && Number(day) < firstClearDay ? 'ambiguous' : month);
  const hasOnlyPlainWords = name.replace(namedDates, ' ').replace(plainWords, ' ').trim() === '';
  const withoutPages = name.replace(pageNumbers, '|');
  for (const { groups } of withoutPages.matchAll(namedDates)) {
    const { before, name: word = '', days, year } = groups ?? {};
    if (hasOnlyPlainWords || before || days || year)
      add(monthsByName.get(word) ?? 0, days?.match(/\d+$/)?.[0] ?? before);
    else found.push('name');
  }
  for (const { groups } of withoutPages.replace(namedDates, '|').matchAll(numericDates)) {
    const { a, b, c, x, y } = groups ?? {};
    // In Spanish, `05 10 2026` may be in May or October.
    const isAmbiguous = b !== undefined && b !== y && Number(y) <= 12 && spanishWords.test(name);
    if (isAmbiguous) found.push('ambiguous');
    else add(Number(a ?? b ?? c) - 1, x ?? y);
  }
  return found;
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
