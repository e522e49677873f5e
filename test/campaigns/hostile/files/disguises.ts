// Files of one type with the extension of another: disguised files, and polyglots, which several programs can open.

import { toBytes, toText } from '../../../support/files/bytes.ts';
import {
  comment,
  exif,
  insertBefore,
  toChunk,
  toSegment,
  writePlainJpeg,
  writePlainPng,
} from '../../../support/files/images.ts';
import { listDocxParts, listXlsxParts, writeZip } from '../../../support/files/office.ts';
import {
  addObjects,
  plainObjects,
  toStream,
  writeObject,
  writePdfText,
} from '../../../support/files/pdf.ts';
import { readRows } from '../../../support/files/rows.ts';
import table from './disguises.json' with { type: 'json' };
import type { HostileFile } from './hostile-file.ts';

interface ContentRow {
  readonly name: string;
  /** One character per byte. */
  readonly text?: string;
  readonly hex?: string;
  /** Zeros at the end. */
  readonly zeros?: number;
}

/** Split, so that no scanner finds it in this file (eicar.org). */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);
const macros = { data: 'VBA' };
const pdf = toBytes(writePdfText());
const jpeg = writePlainJpeg();
const png = writePlainPng();

const contents = new Map<string, Uint8Array>([
  ...readRows<ContentRow>('disguises.ndjson', import.meta.url).map(
    ({ name, text = '', hex = '', zeros = 0 }) =>
      [name, Buffer.concat([toBytes(text), Buffer.from(hex, 'hex'), Buffer.alloc(zeros)])] as const,
  ),
  ['ZIP', writeZip([{ name: 'a.txt', data: 'a' }])],
  ['JAR', writeZip([{ name: 'META-INF/MANIFEST.MF', data: 'Main-Class: A\n' }])],
  [
    'document with macros',
    writeZip([...listDocxParts('docm'), { name: 'word/vbaProject.bin', ...macros }]),
  ],
  [
    'spreadsheet with macros',
    writeZip([...listXlsxParts('xlsm'), { name: 'xl/vbaProject.bin', ...macros }]),
  ],
  ['PDF', pdf],
  ['JPEG', jpeg],
  ['PNG', png],
  ['document', writeZip(listDocxParts())],
  ['spreadsheet', writeZip(listXlsxParts())],
  ['text of a scanner', toBytes(eicar)],
  ['nothing', Buffer.alloc(0)],
  ['a signature of a PNG alone', png.subarray(0, 8)],
]);

/**
 * `matchingContents`: what each extension may have; valid text is accepted, and also harmless. `payloads`: what other files carry.
 */
const { payloads } = table;
const matchingContents: Readonly<Record<string, readonly string[]>> = table.matchingContents;

export const disguises: readonly HostileFile[] = Object.entries(matchingContents).flatMap(
  ([extension, matching]) =>
    [...contents].map(([name, bytes]) => ({
      group: 'disguise',
      name: `${name} as .${extension}`,
      extension,
      expected: matching.includes(name) ? ('either' as const) : ('refused' as const),
      make: () => bytes,
    })),
);

type Insert = (payload: Uint8Array) => Buffer;

interface Carrier {
  readonly extension: string;
  readonly plain: Buffer;
  /** Where the format allows any bytes. */
  readonly places: Readonly<Record<string, Insert>>;
}

const carriers: Readonly<Record<string, Carrier>> = {
  PDF: {
    extension: 'pdf',
    plain: pdf,
    places: {
      'in the first comment': (payload) =>
        toBytes(writePdfText(plainObjects, `%PDF-1.7\n%${toText(payload)}\n`)),
      'in a stream': (payload) =>
        toBytes(writePdfText([...plainObjects, [6, toStream('', payload)]])),
      'between objects': (payload) =>
        toBytes(addObjects(`${writePdfText()}${toText(payload)}\n`, [])),
      'before the end': (payload) =>
        toBytes(writePdfText().replace('%%EOF', () => `%${toText(payload)}\n%%EOF`)),
    },
  },
  JPEG: {
    extension: 'jpg',
    plain: jpeg,
    places: {
      'in a comment': (payload) => writePlainJpeg([toSegment(comment, payload)]),
      'in the data of the camera': (payload) =>
        writePlainJpeg([toSegment(exif, Buffer.concat([toBytes('Exif\0\0'), payload]))]),
      'before the end': (payload) => insertBefore(jpeg, 2, toSegment(comment, payload)),
    },
  },
  PNG: {
    extension: 'png',
    plain: png,
    places: {
      'in a text': (payload) => writePlainPng([toTextChunk(payload)]),
      'in a private chunk': (payload) => writePlainPng([toChunk('prVt', payload)]),
      'before the end': (payload) => insertBefore(png, 12, toTextChunk(payload)),
    },
  },
};

const zip = [{ name: 'word/a.txt', data: 'a' }];
const page = toBytes('<html><script>alert(1)</script></html>');
const php = '<?php system($_GET[0]); ?>';

/** Polyglots for which both formats must fit each other, by the expected verdict and the extension. */
const specials: Readonly<Record<string, Readonly<Record<string, () => Buffer>>>> = {
  'refused pdf': {
    'a whole ZIP around its objects': () =>
      writeZip(zip, { before: pdf, comment: `\n${writeObject(9, '<<>>')}startxref\n0\n%%EOF\n` }),
    'the end of a ZIP as its last comment': () => {
      const before = toBytes(writePdfText().replace(/%%EOF\n$/, '%'));
      return writeZip(zip, { before, comment: '\n%%EOF\n' });
    },
    'all of it in UTF-16': () => Buffer.from(`\ufeff${writePdfText()}`, 'utf16le'),
    'only its head, then a page': () => Buffer.concat([toBytes('%PDF-1.7\n'), page]),
  },
  'accepted pdf': {
    'a byte order mark before it': () => Buffer.concat([toBytes('\xef\xbb\xbf'), pdf]),
    'a blank before it': () => Buffer.concat([toBytes(' '), pdf]),
  },
  'either jpg': {
    'JavaScript by the length of its first segment': writeJavaScriptJpeg,
    'a ZIP that says it is on several disks': () =>
      writePlainJpeg([toSegment(comment, change(writeZip(zip), -16, 1))]),
    'a ZIP whose directory is in a comment': () =>
      insertBefore(jpeg, 2, toSegment(comment, writeZip(zip))),
    'a film after it that is no film': () =>
      Buffer.concat([jpeg, toBytes('\0\0\0\x18ftypmp42'), Buffer.alloc(12), page]),
    'another JPEG after it that contains a page': () =>
      Buffer.concat([jpeg, writePlainJpeg([toSegment(comment, page)])]),
    'what a telephone adds around a ZIP': () =>
      Buffer.concat([jpeg, writeZip(zip), toBytes('SEFH'), Buffer.alloc(20), toBytes('SEFT')]),
    'a PHP page in its quantization': () =>
      writePlainJpeg([toSegment(0xdb, toBytes(`\0${php.padEnd(64)}`))]),
  },
  'either png': {
    'a ZIP that counts its files twice': () =>
      writePlainPng([toChunk('prVt', change(writeZip(zip), -14, 7))]),
    'PHP in a palette': () => writePlainPng([toChunk('PLTE', toBytes(`${php}!`))]),
  },
};

export const polyglots: readonly HostileFile[] = [
  ...Object.entries(carriers).flatMap(([name, carrier]) =>
    payloads
      .filter((payload) => payload !== name)
      .flatMap((payload) => combine(name, carrier, payload)),
  ),
  ...Object.entries(specials).flatMap(([kind, makers]) => {
    const [expected, extension] = kind.split(' ') as [HostileFile['expected'], string];
    return Object.entries(makers).map(([what, make]) =>
      toPolyglot(extension, expected, `${extension} with ${what}`, make),
    );
  }),
];

function toPolyglot(
  extension: string,
  expected: HostileFile['expected'],
  name: string,
  make: () => Buffer,
): HostileFile {
  return { group: 'polyglot', name, extension, expected, make };
}

function combine(
  name: string,
  { extension, plain, places }: Carrier,
  payload: string,
): HostileFile[] {
  const bytes = contents.get(payload)!;
  const toFile = (where: string, expected: HostileFile['expected'], make: () => Buffer) =>
    toPolyglot(extension, expected, `${name} with ${payload} ${where}`, make);
  // Programs read an archive from its end, and all other files from their beginning. No program recognizes JavaScript by its beginning.
  const isHarmlessBefore = payload === 'JavaScript' && extension === 'pdf';
  const behind = payload === 'ZIP' || payload === 'JAR' ? 'refused' : 'accepted';
  return [
    toFile('before', isHarmlessBefore ? 'accepted' : 'refused', () =>
      Buffer.concat([bytes, plain]),
    ),
    toFile('after', behind, () => Buffer.concat([plain, bytes])),
    toFile('far after', behind, () => Buffer.concat([plain, Buffer.alloc(3000), bytes])),
    ...Object.entries(places).map(([where, insert]) =>
      toFile(where, 'either', () => insert(bytes)),
    ),
  ];
}

function writeJavaScriptJpeg(): Buffer {
  const first = Buffer.alloc(0x2f2a + 2);
  first.set([0xff, 0xe0, 0x2f, 0x2a], 0);
  first.write('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 4, 'latin1');
  first.write('*/=alert(1);/*', first.length - 14, 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), first, jpeg.subarray(4 + jpeg.readUInt16BE(4))]);
}

function toTextChunk(text: Uint8Array): Buffer {
  return toChunk('tEXt', Buffer.concat([toBytes('Comment\0'), text]));
}

/** @param at from the end. */
function change(bytes: Buffer, at: number, value: number): Buffer {
  bytes.writeUInt16LE(value, bytes.length + at);
  return bytes;
}
