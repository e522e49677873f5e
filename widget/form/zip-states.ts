// The state of a ZIP code, from its first three digits.

import type { StateCode } from '../../shared/application/states.ts';

/**
 * The first prefix of each range, and its state (USPS, Labeling List L002, "3-Digit ZIP Code Prefix Matrix"). `--`: not assigned to
 * one of the states of the form.
 */
const ranges =
  '000--005NY006PR008VI009PR010MA028RI030NH039ME050VT055MA056VT060CT070NJ090AE099--100NY150PA197DE200DC' +
  '201VA202DC206MD213--214MD220VA247WV269--270NC290SC300GA320FL340AA341FL343--344FL345--346FL348--349FL' +
  '350AL353--354AL370TN386MS398GA400KY419--420KY428--430OH460IN480MI500IA517--520IA529--530WI533--534WI' +
  '536--537WI550MN552--553MN568--569DC570SD578--580ND589--590MT600IL621--622IL630MO632--633MO642--644MO' +
  '659--660KS663--664KS680NE682--683NE694--700LA702--703LA709--710LA715--716AR730OK732--733TX734OK742--' +
  '743OK750TX771--772TX800CO817--820WY832ID839--840UT848--850AZ854--855AZ858--859AZ861--863AZ866--870NM' +
  '872--873NM885TX886--889NV892--893NV896--897NV899--900CA909--910CA929--930CA962AP967HI969GU970OR980WA' +
  '987--988WA995AK';

/** ZIP codes whose state differs from that of their prefix. `--`: countries with mail service of the USPS. */
const exceptions: Readonly<Record<string, string>> = {
  '06390': 'NY',
  '20588': 'MD',
  '20598': 'VA',
  '73960': 'TX',
  '83414': 'WY',
  '96799': 'AS',
  '96939': '--',
  '96940': '--',
  '96941': '--',
  '96942': '--',
  '96943': '--',
  '96944': '--',
  '96950': 'MP',
  '96951': 'MP',
  '96952': 'MP',
  '96960': '--',
  '96970': '--',
};

/** @param zip five digits, or `12345-6789`. Returns `undefined` for other text, and if the USPS has not assigned the prefix. */
export function toStateOfZip(zip: string): StateCode | undefined {
  const digits = /^(\d{5})(-\d{4})?$/.exec(zip)?.[1];
  if (digits === undefined) return undefined;
  const state = exceptions[digits] ?? findRange(digits.slice(0, 3));
  // The table contains the codes of `shared/application/states.ts`, and a test compares them.
  return state === '--' ? undefined : (state as StateCode);
}

function findRange(prefix: string): string {
  const starts = ranges.match(/.{5}/g) ?? [];
  return (starts.findLast((start) => start.slice(0, 3) <= prefix) ?? '000--').slice(3);
}
