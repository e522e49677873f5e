// The values of one small PDF dictionary or array, for the few that have to be known and not only looked at.

import { PdfTokens } from './pdf-tokens.ts';

export interface PdfValue {
  readonly kind: 'name' | 'word' | 'string';
  /** One character a byte, escapes undone. */
  readonly text: string;
}

/** Keys from the outermost to the value's own, `CF/StdCF/CFM`; the elements of an array are numbered, `0`. */
export type PdfValues = ReadonlyMap<string, PdfValue>;

/** The dictionary of an encryption has some 15 values, on three levels. */
const maxValues = 200;
const maxDepth = 8;

interface Open {
  readonly path: string;
  readonly isDictionary: boolean;
  key: string | undefined;
  count: number;
}

/**
 * What stands at the position: one value (its key is empty), or those of a dictionary or an array. `undefined` when readers
 * may disagree on it: it is malformed, names a key twice, has a value that stands elsewhere, or is larger than expected.
 */
export function readValues(bytes: Buffer, position: number): PdfValues | undefined {
  const tokens = new PdfTokens(bytes, position);
  const values = new Map<string, PdfValue>();
  const paths = new Set<string>();
  const open: Open[] = [];
  do {
    const kind = tokens.next();
    const top = open.at(-1);
    if (kind === 'end' || kind === 'stray' || values.size > maxValues) return undefined;
    if (top && kind === 'word' && tokens.readWord() === 'R') return undefined;
    if (kind === '>>' || kind === ']') {
      if (top?.isDictionary !== (kind === '>>')) return undefined;
      open.pop();
    } else if (top?.isDictionary && top.key === undefined) {
      if (kind === 'name') top.key = tokens.readName();
      // The second word of a reference, which the third one gives away.
      else if (kind !== 'word') return undefined;
    } else {
      const path = top ? getPath(top) : '';
      if (paths.has(path)) return undefined;
      paths.add(path);
      if (kind === '<<' || kind === '[') {
        if (open.length === maxDepth) return undefined;
        open.push({ path, isDictionary: kind === '<<', key: undefined, count: 0 });
      } else values.set(path, readValue(tokens, kind));
    }
  } while (open.length > 0);
  return values;
}

function getPath(top: Open): string {
  const own = top.isDictionary ? (top.key ?? '') : String(top.count);
  top.key = undefined;
  top.count += 1;
  return top.path === '' ? own : `${top.path}/${own}`;
}

function readValue(tokens: PdfTokens, kind: PdfValue['kind']): PdfValue {
  if (kind === 'name') return { kind, text: tokens.readName() };
  if (kind === 'word') return { kind, text: tokens.readWord() };
  const text = tokens.bytes.toString('latin1', tokens.start, tokens.position);
  return { kind, text: text.startsWith('(') ? readLiteral(text) : readHexadecimal(text) };
}

const escaped: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  // A line that goes on.
  '\n': '',
  '\r': '',
  '\r\n': '',
};

/** 7.3.4.2. */
function readLiteral(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\(\r\n|[0-7]{1,3}|[\s\S])|\r\n?/g, (match, escape: string | undefined) => {
      if (escape === undefined) return match.startsWith('\r') ? '\n' : match;
      if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8) & 0xff);
      return escaped[escape] ?? escape;
    });
}

/** 7.3.4.3. */
function readHexadecimal(text: string): string {
  const digits = text.replaceAll(/[^0-9A-Fa-f]/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
}
