// An applicant whose answers, files, and bank report are all unique, and a search that finds each value in any encoding.

import canary from '../fixtures/canary-applicant.json' with { type: 'json' };
import { createTextPdf } from './files/pdf.ts';

const { account, business, owner } = canary;

export const canaryApplication = {
  fundingNeed: { amount: 7_351_924, reason: 'canary reason quoll' },
  business,
  owner,
  consents: ['credit-authorization', 'electronic-records', 'terms', 'contact'].map((id) => ({
    id,
    version: 'placeholder-1',
  })),
  signature: { name: 'Zorayda X. Quillmärk' },
};

/** Choices of the form, unique as well. */
export const canarySettings = {
  fundingReasons: [toChoice(canaryApplication.fundingNeed.reason)],
  businessTypes: [toChoice(business.type)],
  creditScores: [toChoice(owner.creditScore)],
};

const assetReport = {
  asset_report_id: 'canary-report-5d00',
  items: [{ institution_name: 'Bank of Antechinus 5d01', accounts: [account] }],
};

export const canaryReport = JSON.stringify({ report: assetReport });

/** The file has two chunks, with a marker in the first, across the boundary, and in the second. */
const chunkBytes = 262_143;
const markers = ['canary-bytes-first-91ab', 'canary-bytes-across-91ac', 'canary-bytes-last-91ad'];

export const canaryDocuments = [
  { name: 'Quillmärk tax return 2025 77e1.pdf', content: createDocument() },
  {
    name: 'scan of Ottolines passport 77e2.pdf',
    content: createTextPdf('canary-bytes-small-91ae'),
  },
] as const;

export const canaryAddress = '203.0.113.177';
export const canaryUserAgent = 'canary-browser/5.21';

/** Values that appear in any content by chance, so a search for them would prove nothing. */
const impersonal: ReadonlySet<unknown> = new Set<unknown>([
  business.address.state,
  business.foundedMonth,
  business.foundedDay,
  business.foundedYear,
  owner.ownershipPercent,
  owner.otherManagers,
  account.balances.iso_currency_code,
  account.transactions[0]?.amount,
]);

export const canaries: readonly Canary[] = [
  ...list('application', { ...canaryApplication, consents: [] }),
  // The funding service receives street and suite in one line.
  { name: 'street and suite', value: '7741 Bilby Wharf, Floor 8836' },
  // The three parts of the date are sent as one value.
  { name: 'founding date', value: '2011-03-19' },
  ...list('report', assetReport),
  ...canaryDocuments.map(({ name }) => ({ name: 'file name', value: name.replace('.pdf', '') })),
  ...[...markers, 'canary-bytes-small-91ae'].map((value) => ({ name: 'file bytes', value })),
  { name: 'address', value: canaryAddress },
  { name: 'browser', value: canaryUserAgent },
];

export function isImpersonal(value: unknown): boolean {
  return impersonal.has(value) || impersonal.has(Number(value));
}

function list(name: string, value: unknown): Canary[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => list(`${name}/${key}`, member));
  }
  return isImpersonal(value) ? [] : [{ name, value: String(value) }];
}

function toChoice(value: string): { readonly value: string; readonly label: string } {
  return { value, label: 'A choice' };
}

function createDocument(): Uint8Array<ArrayBuffer> {
  const [first = '', across = '', last = ''] = markers;
  const document = createTextPdf(first, 2 * chunkBytes - 1000);
  const content = Buffer.from(document.buffer);
  // Writes into the spaces of the page.
  content.write(across, chunkBytes - 12);
  content.write(last, content.lastIndexOf('\nendstream') - last.length);
  return document;
}

/** A value to search for. Reports contain its name, because they must not contain the value. */
export interface Canary {
  readonly name: string;
  readonly value: string;
}

export interface CanarySearch {
  /** Returns `name, form` of each value that it finds, without duplicates. */
  find(...places: readonly (Uint8Array | string)[]): readonly string[];
}

interface Pattern {
  readonly label: string;
  readonly bytes: Buffer;
}

const shortest = 4;

/** Searches for all forms of all values in one pass. */
export function createCanarySearch(canaries: readonly Canary[]): CanarySearch {
  const patterns = canaries.flatMap(listPatterns);
  const byBeginning = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    if (pattern.bytes.length < shortest) throw new RangeError(`${pattern.label} is too short`);
    const beginning = pattern.bytes.readUInt16BE(0);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), pattern]);
  }
  const beginnings = new Uint8Array(0x1_0000);
  for (const beginning of byBeginning.keys()) beginnings[beginning] = 1;

  function findIn(bytes: Buffer, found: Set<string>): void {
    let pair = bytes[0] ?? 0;
    for (let index = 1; index < bytes.length; index += 1) {
      pair = ((pair << 8) | (bytes[index] ?? 0)) & 0xffff;
      if (beginnings[pair] === 0) continue;
      for (const { label, bytes: wanted } of byBeginning.get(pair) ?? []) {
        const start = index - 1;
        if (bytes.subarray(start, start + wanted.length).equals(wanted)) found.add(label);
      }
    }
  }

  return {
    find(...places) {
      const found = new Set<string>();
      for (const place of places) findIn(Buffer.from(place), found);
      return [...found];
    },
  };
}

function listPatterns({ name, value }: Canary): Pattern[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const percent = encodeURIComponent(value);
  const texts: readonly (readonly [string, string])[] = [
    ['raw', value],
    ['other case', toOtherCase(value)],
    ['URL', percent],
    ['URL, blanks as plus', percent.replaceAll('%20', '+')],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((shift) => {
      const base64 = toShiftedBase64(bytes, shift);
      const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
      return [
        [`Base64 at ${shift}`, base64],
        [`Base64URL at ${shift}`, base64Url],
      ] as const;
    }),
  ];
  // When two forms have the same text, the first form names it.
  const unique = new Map(texts.toReversed().map(([form, text]) => [text, form]));
  return [...unique].map(([text, form]) => ({
    label: `${name}, ${form}`,
    bytes: Buffer.from(text),
  }));
}

/** Returns the part of the Base64 text that does not depend on neighboring bytes, with `shift` bytes before the value. */
function toShiftedBase64(bytes: Uint8Array, shift: number): string {
  const base64 = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const bits = (shift + bytes.length) * 8;
  return base64.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
}

function toOtherCase(text: string): string {
  return [...text]
    .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
    .join('');
}

/** Each property contains applicant data. */
export function createCanaryError(): Error {
  const text = JSON.stringify(canaryApplication);
  const cause = Object.assign(new Error(text), { detail: text, query: text });
  const properties = { body: canaryApplication, input: text };
  return Object.assign(new TypeError(`Cannot use ${text}`, { cause }), properties);
}
