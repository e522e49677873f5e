// Uploads a valid file under hostile names: false extensions, path traversal, device names, header injection, and invisible or
// unusual characters. Checks the responses and the names that the funding service receives.

import { apiHeaders } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff } from '../../support/bff.ts';
import { toBytes } from '../../support/files/bytes.ts';
import { writePdfText } from '../../support/files/pdf.ts';
import { readRows } from '../../support/files/rows.ts';
import { type CampaignContext, type CampaignRow, sampleOf } from '../campaign.ts';
import table from './hostile-names.json' with { type: 'json' };

/**
 * Marks, invisible characters, blanks, controls, and characters that some systems convert to slashes, dots, colons, and quotes: code
 * points in hexadecimal. Also device names, dangerous endings, and values of the header that no browser sends.
 */
const { bidiMarks, unseen, blanks, controls, lookAlikes, devices, dangerousEnds } = table;

/** Without the extension. The tests append `.pdf`. */
export const hostileNames: readonly string[] = [
  ...toCharacters(bidiMarks).map((mark) => `invoice${mark}fdp.exe`),
  ...toCharacters(`${unseen} ${blanks}`).flatMap((sign) => [`a${sign}b`, sign]),
  ...toCharacters(lookAlikes).flatMap((sign) => [
    `..${sign}..${sign}etc${sign}passwd`,
    `${sign}a`,
    `a${sign}`,
  ]),
  ...devices.flatMap((name) => [name, `${name} `, `${name}.txt`, ` ${name}`, `${name}\u200b`]),
  ...dangerousEnds.map((end) => `statement.${end}`),
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
  ...toCharacters(controls).map((control) => `a${control}b`),
  ...readRows<string>('hostile-names.ndjson', import.meta.url),
  '📄'.repeat(60),
  `${'a'.repeat(79)}📄`,
  'Z̷̢̛'.repeat(20),
  'a'.repeat(1000),
  '.'.repeat(300),
  ' '.repeat(300),
  `${'a'.repeat(79)}.exe`,
  `con${'.'.repeat(90)}`,
  `${' '.repeat(90)}con`,
];

const hostileHeaders: readonly string[] = [
  ...table.headers,
  `${'a'.repeat(4093)}.pdf`,
  `${'%61'.repeat(1200)}.pdf`,
];

function toCharacters(codes: string): readonly string[] {
  return codes.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** Unsafe on at least one system. */
const unsafePatterns: Readonly<Record<string, RegExp>> = {
  'a character of paths, drives, patterns, or markup': /[/\\:*?"<>|]/,
  'a control character': /\p{Cc}/u,
  'an invisible character': /[\p{Cf}\p{DI}\u2800]/u,
  'a lone surrogate, or a code that is not a character': /[\p{Cs}\p{NChar}\ufffd]/u,
  'white space other than a space': /(?! )\s/u,
  'a prefix of hidden files, options, or formulas': /^[.\-\s=+@~]/,
  'a suffix that Windows removes': /[.\s]$/,
  'a percent escape': /%[0-9a-f]{2}/i,
  'a device name': /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i,
  'too many characters': /^.{81}/s,
  'no characters': /^$/,
};

/** Returns what is unsafe in a stored name. */
export function findNameFaults(name: string): string[] {
  const faults = Object.keys(unsafePatterns).filter((what) => unsafePatterns[what]!.test(name));
  if (name.normalize('NFC') !== name) faults.push('a spelling that is not normalized');
  // A system may convert the name to a smaller character set.
  if (/[/\\:*?"<>|]/.test(name.normalize('NFKC')))
    faults.push('a character that becomes an unsafe one');
  return faults.map((what) => `${JSON.stringify(name)} has ${what}`);
}

/** The number of files of an application is limited. */
const filesPerApplication = 50;

export async function runHostileNames({ share }: CampaignContext): Promise<CampaignRow> {
  const headers = sampleOf(listHeaders(), share);
  const problems: string[] = [];
  let refused = 0;
  for (let start = 0; start < headers.length; start += filesPerApplication) {
    const bff = await startBff({ settings: { documents: { maxFiles: filesPerApplication } } });
    const { documents } = bff.sandbox.context.state;
    const browser = bff.openBrowser();
    await browser.apply();
    for (const header of headers.slice(start, start + filesPerApplication)) {
      const content = toBytes(`${writePdfText()}${' '.repeat(headers.indexOf(header))}`);
      const named = { [apiHeaders.documentName]: header };
      const answer = await browser.upload(new Uint8Array(content), 'a', named);
      const [sent] = documents.values();
      documents.clear();
      if (answer.status >= 400) refused += 1;
      const found = answer.status < 400 ? checkAccepted(answer, sent) : checkRefused(answer, sent);
      problems.push(...found.map((problem) => `${JSON.stringify(header)}: ${problem}`));
    }
    await bff.close();
  }
  return { runs: headers.length, unit: 'names', notes: `${refused} refused`, problems };
}

interface Sent {
  readonly name: string;
  readonly ext: string;
}

function checkAccepted({ json }: Answer, sent: Sent | undefined): string[] {
  if (!sent) return ['accepted, but not sent'];
  return [
    ...findNameFaults(sent.name),
    ...(sent.ext === 'pdf' ? [] : [`sent as .${sent.ext}`]),
    ...(json.name === `${sent.name}.${sent.ext}` ? [] : [`shown as ${json.name}`]),
  ];
}

const nameProblems = new Set([
  'document-name-invalid',
  'document-type-refused',
  'document-type-mismatch',
]);

function checkRefused({ status, json }: Answer, sent: Sent | undefined): string[] {
  return [
    ...(nameProblems.has(json?.code) ? [] : [`refused with ${status}`]),
    ...(sent ? ['refused, but sent'] : []),
  ];
}

/** Encodes the name as the element does. `Buffer` replaces lone surrogates, which the element does not send. */
function toHeader(name: string): string {
  return encodeURIComponent(Buffer.from(name).toString());
}

function listHeaders(): readonly string[] {
  const headers = [
    ...hostileNames.map((name) => toHeader(`${name}.pdf`)),
    ...hostileNames.filter((name) => name.includes('.')).map(toHeader),
    ...hostileHeaders,
  ];
  return [...new Set(headers)];
}
