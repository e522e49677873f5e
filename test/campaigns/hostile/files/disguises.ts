// Files of one type with the extension of another: disguised files, and polyglots, which several programs can open.

import { toBytes, toText } from '../../../support/files/bytes.ts';
import {
  comment,
  exif,
  toChunk,
  toSegment,
  writePlainJpeg,
  writePlainPng,
} from '../../../support/files/images.ts';
import { listDocxParts, listXlsxParts, writeZip } from '../../../support/files/office.ts';
import {
  addObjects,
  statementObjects,
  toStream,
  writeObject,
  writePdfText,
} from '../../../support/files/pdf.ts';
import type { HostileFile } from './hostile-file.ts';

/** Split, so that no scanner finds it in this file (eicar.org). */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);

const compoundFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]);

/** CVE-2026-31808: an ASF header object whose inner object is shorter than its header. A detector that adds up sizes loops forever. */
const stallingAsf = Buffer.concat([
  Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
  toLittleEndian(55n),
  Buffer.from('010000000102', 'hex'),
  Buffer.from('00'.repeat(16), 'hex'),
  toLittleEndian(0n),
  Buffer.alloc(1),
]);

const contents: readonly (readonly [string, Uint8Array])[] = [
  ['SVG', toBytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  [
    'SVG with a declaration',
    toBytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['HTML', toBytes('<!doctype html><script>alert(1)</script>')],
  ['HTML after blanks', toBytes('\n\n   <html><script>alert(1)</script></html>')],
  [
    'HTML after a byte order mark',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), toBytes('<html></html>')]),
  ],
  ['HTML in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script></html>', 'utf16le')],
  [
    'XML',
    toBytes(
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ),
  ],
  ['RTF', toBytes('{\\rtf1{\\object\\objocx}}')],
  ['old office file', compoundFile],
  [
    'HEIC',
    Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      toBytes('ftypheic\0\0\0\0heicmif1'),
      Buffer.alloc(200),
    ]),
  ],
  [
    'GIF',
    toBytes(
      'GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;',
    ),
  ],
  ['BMP', Buffer.concat([toBytes('BM'), Buffer.alloc(200)])],
  ['TIFF', Buffer.concat([toBytes('II*\0'), Buffer.alloc(200)])],
  ['WebP', Buffer.concat([toBytes('RIFF\x40\0\0\0WEBPVP8 '), Buffer.alloc(64)])],
  ['ZIP', writeZip([{ name: 'a.txt', data: 'a' }])],
  ['RAR', Buffer.concat([toBytes('Rar!\x1a\x07\x01\0'), Buffer.alloc(64)])],
  ['7z', Buffer.concat([Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), Buffer.alloc(64)])],
  ['gzip', Buffer.from('1f8b08000000000000034b04000043beb7e801000000', 'hex')],
  [
    'program for Windows',
    Buffer.concat([
      toBytes('MZ'),
      Buffer.alloc(58),
      Buffer.from([0x40, 0, 0, 0]),
      toBytes('PE\0\0'),
    ]),
  ],
  [
    'program for Linux',
    Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), Buffer.alloc(64)]),
  ],
  ['shell script', toBytes('#!/bin/sh\necho\n')],
  ['JavaScript', toBytes('alert(1)')],
  ['PHP', toBytes('<?php system($_GET[0]); ?>')],
  ['PostScript', toBytes('%!PS-Adobe-3.0\n(%PDF-1.7) pop\n')],
  [
    'FDF',
    toBytes('%FDF-1.2\n1 0 obj<</FDF<</JavaScript<<>>>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ],
  [
    'document with macros',
    writeZip([...listDocxParts('docm'), { name: 'word/vbaProject.bin', data: 'VBA' }]),
  ],
  [
    'spreadsheet with macros',
    writeZip([...listXlsxParts('xlsm'), { name: 'xl/vbaProject.bin', data: 'VBA' }]),
  ],
  ['PDF', toBytes(writePdfText())],
  ['JPEG', writePlainJpeg()],
  ['PNG', writePlainPng()],
  ['document', writeZip(listDocxParts())],
  ['spreadsheet', writeZip(listXlsxParts())],
  ['text of a scanner', toBytes(eicar)],
  ['file that stalls a detector', stallingAsf],
  ['one byte', Buffer.from([0x25])],
  ['nothing', Buffer.alloc(0)],
  ['only zeros', Buffer.alloc(4096)],
  ['a signature of a PDF alone', toBytes('%PDF-1.7')],
  ['a signature of a JPEG alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['a signature of a PNG alone', writePlainPng().subarray(0, 8)],
];

/** The contents that match these extensions. */
const matchingContents: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  jpg: 'JPEG',
  png: 'PNG',
  docx: 'document',
  xlsx: 'spreadsheet',
};
/** Contents that are valid text. */
const plainTexts = new Set(['JavaScript', 'text of a scanner', 'one byte']);

export const disguises: readonly HostileFile[] = [
  'pdf',
  'jpg',
  'png',
  'docx',
  'xlsx',
  'txt',
  'csv',
  'svg',
  'exe',
  '',
].flatMap((extension) =>
  contents
    .filter(([name]) => matchingContents[extension] !== name)
    .map(([name, bytes]) => ({
      group: 'disguise',
      name: `${name} as .${extension}`,
      extension,
      expected:
        ['txt', 'csv'].includes(extension) && plainTexts.has(name)
          ? ('either' as const)
          : ('refused' as const),
      make: () => bytes,
    })),
);

function toLittleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

interface Payload {
  readonly name: string;
  readonly bytes: Buffer;
  /** Programs read an archive from its end, and all other files from their beginning. */
  readonly isArchive: boolean;
  /** No program recognizes this text by its beginning. */
  readonly isText?: boolean;
}

interface Carrier {
  readonly name: string;
  readonly extension: string;
  readonly plain: () => Buffer;
  readonly places: readonly { readonly name: string; readonly put: (payload: Buffer) => Buffer }[];
}

const pdf = toBytes(writePdfText());
const page = '<html><script>alert(1)</script></html>';

const payloads: readonly Payload[] = [
  { name: 'ZIP', bytes: writeZip([{ name: 'a.txt', data: 'a' }]), isArchive: true },
  {
    name: 'JAR',
    bytes: writeZip([{ name: 'META-INF/MANIFEST.MF', data: 'Main-Class: A\n' }]),
    isArchive: true,
  },
  { name: 'HTML', bytes: toBytes(page), isArchive: false },
  {
    name: 'HTML in capitals',
    bytes: toBytes('<!DOCTYPE HTML><BODY ONLOAD=alert(1)><SCRIPT>alert(1)</SCRIPT>'),
    isArchive: false,
  },
  { name: 'PHP', bytes: toBytes('<?php system($_GET[0]); ?>'), isArchive: false },
  {
    name: 'SVG',
    bytes: toBytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    isArchive: false,
  },
  { name: 'JavaScript', bytes: toBytes('*/=alert(1);/*'), isArchive: false, isText: true },
  { name: 'GIF', bytes: toBytes('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), isArchive: false },
  {
    name: 'program',
    bytes: Buffer.concat([toBytes('MZ'), Buffer.alloc(60), toBytes('PE\0\0')]),
    isArchive: false,
  },
  { name: 'shell script', bytes: toBytes('#!/bin/sh\nrm -rf /\n'), isArchive: false },
  {
    name: 'old office file',
    bytes: Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(504),
    ]),
    isArchive: false,
  },
];

const carriers: readonly Carrier[] = [
  {
    name: 'PDF',
    extension: 'pdf',
    plain: () => pdf,
    places: [
      {
        name: 'in the first comment',
        put: (payload) =>
          toBytes(writePdfText(statementObjects, `%PDF-1.7\n%${toText(payload)}\n`)),
      },
      {
        name: 'in a stream',
        put: (payload) => toBytes(writePdfText([...statementObjects, [5, toStream('', payload)]])),
      },
      {
        name: 'between objects',
        put: (payload) => toBytes(addObjects(`${writePdfText()}${toText(payload)}\n`, [])),
      },
      {
        name: 'before the end',
        put: (payload) =>
          toBytes(writePdfText().replace('%%EOF', () => `%${toText(payload)}\n%%EOF`)),
      },
    ],
  },
  {
    name: 'JPEG',
    extension: 'jpg',
    plain: () => writePlainJpeg(),
    places: [
      { name: 'in a comment', put: (payload) => writePlainJpeg([toSegment(comment, payload)]) },
      {
        name: 'in the data of the camera',
        put: (payload) =>
          writePlainJpeg([toSegment(exif, Buffer.concat([toBytes('Exif\0\0'), payload]))]),
      },
      {
        name: 'before the end',
        put: (payload) => insertBefore(writePlainJpeg(), 2, toSegment(comment, payload)),
      },
    ],
  },
  {
    name: 'PNG',
    extension: 'png',
    plain: () => writePlainPng(),
    places: [
      {
        name: 'in a text',
        put: (payload) =>
          writePlainPng([toChunk('tEXt', Buffer.concat([toBytes('Comment\0'), payload]))]),
      },
      {
        name: 'in a chunk of its own',
        put: (payload) => writePlainPng([toChunk('prVt', payload)]),
      },
      {
        name: 'before the end',
        put: (payload) =>
          insertBefore(
            writePlainPng(),
            12,
            toChunk('tEXt', Buffer.concat([toBytes('Comment\0'), payload])),
          ),
      },
    ],
  },
];

export const polyglots: readonly HostileFile[] = [
  ...carriers.flatMap((carrier) => payloads.flatMap((payload) => combine(carrier, payload))),
  ...carriers.flatMap((carrier) =>
    carriers
      .filter((other) => other !== carrier)
      .flatMap((other) =>
        combine(carrier, {
          name: other.name,
          bytes: other.plain(),
          isArchive: false,
        }),
      ),
  ),
  ...listSpecials(),
];

function combine({ name, extension, plain, places }: Carrier, payload: Payload): HostileFile[] {
  const behind: HostileFile['expected'] = payload.isArchive ? 'refused' : 'accepted';
  const files = [
    {
      where: 'before',
      expected:
        payload.isText && extension === 'pdf' ? ('accepted' as const) : ('refused' as const),
      make: () => Buffer.concat([payload.bytes, plain()]),
    },
    {
      where: 'after',
      expected: behind,
      make: () => Buffer.concat([plain(), payload.bytes]),
    },
    {
      where: 'far after',
      expected: behind,
      make: () => Buffer.concat([plain(), Buffer.alloc(3000), payload.bytes]),
    },
    ...places.map(({ name: where, put }) => ({
      where,
      expected: 'either' as const,
      make: () => put(payload.bytes),
    })),
  ];
  return files.map(({ where, expected, make }) => ({
    group: 'polyglot',
    name: `${name} with ${payload.name} ${where}`,
    extension,
    expected,
    make,
  }));
}

/** Polyglots for which both formats must fit each other. */
function listSpecials(): HostileFile[] {
  const zip = [{ name: 'word/a.txt', data: 'a' }];
  return [
    toSpecial('PDF that is a whole ZIP around its objects', 'pdf', 'refused', () =>
      writeZip(zip, { before: pdf, comment: `\n${writeObject(9, '<<>>')}startxref\n0\n%%EOF\n` }),
    ),
    toSpecial('PDF whose last comment is the end of a ZIP', 'pdf', 'refused', () =>
      Buffer.concat([
        writeZip(zip, {
          before: toBytes(writePdfText().replace(/%%EOF\n$/, '%')),
          comment: '\n%%EOF\n',
        }),
      ]),
    ),
    toSpecial('JPEG that is JavaScript by the length of its first segment', 'jpg', 'either', () => {
      const picture = writePlainJpeg();
      const first = Buffer.alloc(0x2f2a + 2);
      first.set([0xff, 0xe0, 0x2f, 0x2a], 0);
      first.write('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 4, 'latin1');
      first.write('*/=alert(1);/*', first.length - 14, 'latin1');
      return Buffer.concat([
        picture.subarray(0, 2),
        first,
        picture.subarray(4 + picture.readUInt16BE(4)),
      ]);
    }),
    toSpecial('JPEG with a ZIP that says it is on several disks', 'jpg', 'either', () => {
      const archive = writeZip(zip);
      archive.writeUInt16LE(1, archive.length - 16);
      return writePlainJpeg([toSegment(comment, archive)]);
    }),
    toSpecial('PNG with a ZIP that counts its files twice', 'png', 'either', () => {
      const archive = writeZip(zip);
      archive.writeUInt16LE(7, archive.length - 14);
      return writePlainPng([toChunk('prVt', archive)]);
    }),
    toSpecial('JPEG with a ZIP whose directory is in a comment', 'jpg', 'either', () => {
      const before = writePlainJpeg();
      return Buffer.concat([
        before.subarray(0, -2),
        toSegment(comment, writeZip(zip)),
        Buffer.from([0xff, 0xd9]),
      ]);
    }),
    toSpecial('JPEG with a film after it that is no film', 'jpg', 'either', () =>
      Buffer.concat([
        writePlainJpeg(),
        Buffer.from([0, 0, 0, 24]),
        toBytes('ftypmp42'),
        Buffer.alloc(12),
        toBytes(page),
      ]),
    ),
    toSpecial('JPEG with another JPEG after it that contains a page', 'jpg', 'either', () =>
      Buffer.concat([writePlainJpeg(), writePlainJpeg([toSegment(comment, toBytes(page))])]),
    ),
    toSpecial('JPEG with what a telephone adds around a ZIP', 'jpg', 'either', () =>
      Buffer.concat([
        writePlainJpeg(),
        writeZip(zip),
        toBytes('SEFH'),
        Buffer.alloc(20),
        toBytes('SEFT'),
      ]),
    ),
    toSpecial('JPEG with a PHP page in its quantization', 'jpg', 'either', () =>
      writePlainJpeg([
        toSegment(
          0xdb,
          Buffer.concat([Buffer.from([0]), toBytes('<?php system($_GET[0]); ?>'.padEnd(64))]),
        ),
      ]),
    ),
    toSpecial('PNG with PHP in a palette', 'png', 'either', () =>
      writePlainPng([toChunk('PLTE', toBytes('<?php system($_GET[0]); ?>!'))]),
    ),
    toSpecial('PDF in UTF-16', 'pdf', 'refused', () =>
      Buffer.from(`\ufeff${writePdfText()}`, 'utf16le'),
    ),
    toSpecial('PDF after a byte order mark', 'pdf', 'accepted', () =>
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), pdf]),
    ),
    toSpecial('PDF after a blank', 'pdf', 'accepted', () => Buffer.concat([toBytes(' '), pdf])),
    toSpecial('only the head of a PDF, then a page', 'pdf', 'refused', () =>
      toBytes(`%PDF-1.7\n${page}`),
    ),
  ];
}

function toSpecial(
  name: string,
  extension: string,
  expected: HostileFile['expected'],
  make: () => Buffer,
): HostileFile {
  return { group: 'polyglot', name, extension, expected, make };
}

function insertBefore(bytes: Buffer, distance: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, -distance), inserted, bytes.subarray(-distance)]);
}
