// Ways to add active objects to a PDF so that a viewer finds them and a simple search does not: unusual syntax, places that only the
// cross-reference table lists, object streams, and wrong encryption entries.

import { constants, deflateSync } from 'node:zlib';
import { toBytes, toText } from '../../../support/files/bytes.ts';
import {
  addCrossReferenceStream,
  addObjects,
  addObjectStream,
  addTable,
  type ObjectStream,
  packObjects,
  placeObjects,
  type PdfObject,
  toEncryptingTrailer,
  toStream,
  writeObject,
} from '../../../support/files/pdf.ts';

/** Adds the objects to a harmless file. */
export type Obfuscate = (plain: string, objects: readonly PdfObject[]) => string;

const syntax: Readonly<Record<string, Obfuscate>> = {
  'in an update': (plain, objects) => addObjects(plain, objects),
  'names escaped whole': withNames((name) => [...name].map(toEscape).join('')),
  'first letter escaped': withNames((name) => toEscape(name.slice(0, 1)) + name.slice(1)),
  'last letter escaped in lower case': withNames(
    (name) => name.slice(0, -1) + toEscape(name.slice(-1)).toLowerCase(),
  ),
  'odd white space': withBodies((body) =>
    body.replaceAll('/', '\0\f\t/').replaceAll('<<', '<<\0\f'),
  ),
  'comments between tokens': withBodies((body) =>
    body.replaceAll(/(?<!\()\/(?!\/|evil)/g, '%>>\r/'),
  ),
  'a string that ends with an escaped backslash': withBodies((body) =>
    body.replace('<<', '<</X(\\\\)'),
  ),
  'a string of odd escapes': withBodies((body) => body.replace('<<', '<</X(\\050\\(\\\n()\\51)')),
  'a hexadecimal string with a bracket': withBodies((body) => body.replace('<<', '<</X<(>')),
  'lines that end with CR': (plain, objects) =>
    addTable(
      ...placeObjects(plain, objects, (number, body) =>
        writeObject(number, body).replaceAll('\n', '\r'),
      ),
    ),
  'an earlier harmless object of the same number': (plain, objects) => {
    const harmless = objects.map(([number]) => [number, '<</Type/Catalog/Pages 2 0 R>>'] as const);
    return addObjects(addObjects(plain, harmless), objects);
  },
  'without a cross-reference': (plain, objects) =>
    `${placeObjects(plain, objects)[0]}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
};

/** The table lists objects that lie inside of something else for a reader that scans the file. */
const enclosed: Readonly<Record<string, Obfuscate>> = {
  'after an unclosed string': between('(', ''),
  'after an unclosed hexadecimal string': between('<', ''),
  'after an unclosed stream': between('70 0 obj\n<</Length 9>>\nstream\n', ''),
  'inside the data of a stream': between(
    '70 0 obj\n<</Length 9999>>\nstream\n',
    'endstream\nendobj\n',
  ),
  'inside a string': between('70 0 obj\n(', ')\nendobj\n'),
  'inside a comment': (plain, objects) => {
    const write = (number: number, body: string) =>
      `%${writeObject(number, body).replaceAll('\n', ' ')}\n`;
    return addTable(...placeObjects(plain, objects, write, 1));
  },
  'inside a dictionary': between('70 0 obj\n<</X ', '>>\nendobj\n'),
  'after the end of the stream, within its length': between(
    '70 0 obj\n<</Length 700>>\nstream\nxx\nendstream\nendobj\n',
    '',
  ),
};

function withNames(change: (name: string) => string): Obfuscate {
  return withBodies((body) =>
    body.replaceAll(/\/([A-Z][A-Za-z0-9]*)/g, (_, name) => `/${change(name)}`),
  );
}

function withBodies(change: (body: string) => string): Obfuscate {
  return (plain, objects) =>
    addObjects(
      plain,
      objects.map(([number, body]) => [number, change(body)]),
    );
}

function toEscape(character: string): string {
  return `#${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/** Puts text before and after the objects that encloses them. */
function between(before: string, after: string): Obfuscate {
  return (plain, objects) => {
    const [text, entries] = placeObjects(plain + before, objects);
    return addTable(text + after, entries);
  };
}

interface StreamEncoding {
  /** Before `/N` and `/First`. Default: the correct type. */
  readonly type?: string;
  /** Default: the correct filter. */
  readonly filter?: string;
  readonly encode?: (data: Buffer) => Buffer;
  readonly length?: string;
  /** Without `/First`, offsets count from the beginning. */
  readonly isWithoutFirst?: boolean;
  /** With spaces between the objects instead of line ends. */
  readonly isOnOneLine?: boolean;
}

const plainData = { filter: '', encode: (data: Buffer) => data };

const streamEncodings: Readonly<Record<string, StreamEncoding>> = {
  'in an object stream': {},
  'without a filter': plainData,
  'of no type': { type: '' },
  'of no type, without the place of its first object': { type: '', isWithoutFirst: true },
  // PDFium reads 0xFF as white space, and other readers as a letter of the name.
  'of no type, after a byte that is a blank to some': { type: '/A\xffB/C' },
  'of no type, after a reference to nothing': { type: '/A R' },
  'of another type': { type: '/Type/XObject/Subtype/Image' },
  'whose type is another object': { type: '/Type 97 0 R' },
  'with names escaped': { type: '/T#79pe/Obj#53tm', filter: '/F#69lter/#46lateDecode' },
  'with a comment before its type': { type: '/Type%/XRef\r/ObjStm' },
  'with a list of filters': { filter: '/Filter[/FlateDecode]' },
  'deflated twice': {
    filter: '/Filter[/FlateDecode/FlateDecode]',
    encode: (data) => deflateSync(deflateSync(data)),
  },
  'deflated, then hexadecimal': {
    filter: '/Filter[/ASCIIHexDecode/FlateDecode]',
    encode: (data) => toHexadecimal(deflateSync(data)),
  },
  hexadecimal: { filter: '/Filter/ASCIIHexDecode', encode: toHexadecimal },
  'hexadecimal, of no type': { type: '', filter: '/Filter/AHx', encode: toHexadecimal },
  'in run lengths': { filter: '/Filter/RunLengthDecode', encode: toRunLengths },
  'with the short name of its filter': { filter: '/Filter/Fl' },
  'whose filter is another object': { filter: '/Filter 81 0 R' },
  'with two filters of one key': { filter: '/Filter/ASCII85Decode/Filter/FlateDecode' },
  'with a predictor': {
    filter: '/Filter/FlateDecode/DecodeParms<</Predictor 11/Columns 8>>',
    encode: (data) => deflateSync(predict(data, 8)),
  },
  'of no length': { length: '0' },
  'whose length is a missing object': { length: '77 0 R' },
  'with a wrong checksum': {
    encode: (data) => Buffer.concat([deflateSync(data).subarray(0, -4), Buffer.alloc(4)]),
  },
  'cut off': { encode: (data) => deflateSync(data).subarray(0, -5) },
};

const objectStreams: Readonly<Record<string, Obfuscate>> = {
  'object stream after an unclosed string in it': encloseInFirst('('),
  'object stream after an unclosed hexadecimal string in it': encloseInFirst('<'),
  'object stream after a comment without an end in it': encloseInFirst('%'),
  'object stream whose dictionary another object interrupts': (plain, objects) =>
    addObjectStream(plain, objects, {
      body: encodeObjects({}, objects).body.replace('/N ', '/X 81 0 obj/N '),
    }),
  'object stream that begins before its line': beginBeforeLine,
  'object stream with its end in its middle': addFalseEnd,
  'object stream named by a hybrid section': addHybrid,
};

function encodeObjects(encoding: StreamEncoding, objects: readonly PdfObject[]): ObjectStream {
  const { type = '/Type/ObjStm', filter = '/Filter/FlateDecode', encode = deflateSync } = encoding;
  const packed = packObjects(objects, encoding.isWithoutFirst);
  const line = toBytes(toText(packed.data).replaceAll('\n', ' '));
  const data = encode(encoding.isOnOneLine ? line : packed.data);
  return {
    body: toStream(`${type}${packed.dictionary}${filter}`, data, encoding.length ?? data.length),
    others: [
      [81, '/FlateDecode'],
      [97, '/ObjStm'],
    ],
  };
}

/** The first object encloses the others for a reader that does not use their offsets. */
function encloseInFirst(enclosing: string): Obfuscate {
  return (plain, objects) => {
    const all = [[79, enclosing] as const, ...objects];
    return addObjectStream(plain, all, encodeObjects({ isOnOneLine: true }, all));
  };
}

/** Uses stored blocks, which are not compressed. A reader that stops at the first `endstream` sees the index and no object. */
function addFalseEnd(plain: string, objects: readonly PdfObject[]): string {
  const end = '\nendstream\nendobj\n';
  const { data } = packObjects(objects);
  const first = data.indexOf('\n') + 1;
  const longer = Buffer.concat([data.subarray(0, first), toBytes(end), data.subarray(first)]);
  const dictionary = `/Type/ObjStm/N ${objects.length}/First ${first + end.length}`;
  const body = toStream(`${dictionary}/Filter/FlateDecode`, deflateSync(longer, { level: 0 }));
  return addObjectStream(plain, objects, { body });
}

/** Some readers begin the data right after the word `stream`, others on the next line. */
function beginBeforeLine(plain: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const harmless = packObjects([[6, 'null']]).data;
  const evil = toText(data).replaceAll('\n', ' ');
  const body = `<</Type/ObjStm${dictionary}/Length ${evil.length}>>\nstream\t${evil}\n${toText(harmless)}\nendstream`;
  return addObjectStream(plain, objects, { body });
}

/** A hybrid file: a table for old readers, and a cross-reference stream in `/XRefStm` (7.5.8.4). */
function addHybrid(plain: string, objects: readonly PdfObject[]): string {
  const withStream = plain + writeObject(80, encodeObjects({}, objects).body);
  const text = addCrossReferenceStream(withStream, [
    ...objects.map(([number], index) => ({ number, within: 80, index })),
    { number: 80, at: plain.length },
  ]);
  return addTable(text, [], `/Root 1 0 R/XRefStm ${withStream.length}`);
}

function toHexadecimal(data: Buffer): Buffer {
  return toBytes(`${data.toString('hex')}>`);
}

/** The PNG filter "Sub", which is `/Predictor 11`. */
function predict(data: Buffer, columns: number): Buffer {
  const rows = Array.from({ length: Math.ceil(data.length / columns) }, (_, row) => {
    const line = [...data.subarray(row * columns, (row + 1) * columns)];
    while (line.length < columns) line.push(0x20);
    return Buffer.from([1, ...line.map((byte, index) => byte - (line[index - 1] ?? 0))]);
  });
  return Buffer.concat(rows);
}

/** With literal runs only (7.4.5). */
function toRunLengths(data: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < data.length; at += 128) {
    const run = data.subarray(at, at + 128);
    runs.push(Buffer.from([run.length - 1]), run);
  }
  return Buffer.concat([...runs, Buffer.from([128])]);
}

const nothing32 = `<${'00'.repeat(32)}>`;
const encryptsNothing = `/ID[<00><00>]/Encrypt<</Filter/Standard/V 4/R 4/Length 128/P -4/CF<<>>/StmF/Identity/StrF/Identity/O${nothing32}/U${nothing32}>>`;

const locked = toEncryptingTrailer('secret');
const opened = toEncryptingTrailer('');

/**
 * Files that seem to be encrypted: the file before its last update, and the trailer of that update. Readers use the newest trailer,
 * which does not encrypt anything. A reader that believes the others skips the object streams.
 */
const seemingEncryptions: Readonly<Record<string, (plain: string) => [string, string]>> = {
  'by null': (plain) => [plain, '/Encrypt null'],
  'by a missing object': (plain) => [plain, '/Encrypt 98 0 R'],
  'by a filter that encrypts nothing': (plain) => [plain, encryptsNothing],
  'with a password, in another object': (plain) => [addObjects(plain, [[71, `<<${locked}>>`]]), ''],
  'with a password, in a comment': (plain) => [
    addObjects(`${plain}%trailer<<${locked}>>\n`, []),
    '',
  ],
  'with a password, before its last update': (plain) => [
    addObjects(plain, [[71, 'null']], locked),
    '',
  ],
  'without a password, in another object': (plain) => [
    addObjects(plain, [[71, `<<${opened}>>`]]),
    '',
  ],
  'without a password, in a comment': (plain) => [
    addObjects(`${plain}%trailer<<${opened}>>\n`, []),
    '',
  ],
  'without a password, before its last update': (plain) => [
    addObjects(plain, [[71, 'null']], opened),
    '',
  ],
};

const readable: Readonly<Record<string, StreamEncoding>> = {
  deflated: {},
  plain: plainData,
  broken: { encode: breakEnd },
};

/** The last block is invalid. Readers use the data before the error. */
function breakEnd(data: Buffer): Buffer {
  const deflated = deflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([deflated, Buffer.alloc(9, 0xff)]);
}

export const obfuscations: Readonly<Record<string, Obfuscate>> = {
  ...syntax,
  ...enclosed,
  ...objectStreams,
  ...Object.fromEntries(
    Object.entries(streamEncodings).map(([name, encoding]) => [
      `object stream ${name}`,
      encodeAfter(encoding, (plain) => [plain, '']),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(readable).flatMap(([name, encoding]) =>
      Object.entries(seemingEncryptions).map(([how, prepare]) => [
        `${name} object stream in a file encrypted ${how}`,
        encodeAfter(encoding, prepare),
      ]),
    ),
  ),
};

function encodeAfter(
  encoding: StreamEncoding,
  prepare: (plain: string) => [string, string],
): Obfuscate {
  return (plain, objects) => {
    const [before, trailer] = prepare(plain);
    const stream = encodeObjects(encoding, objects);
    return addObjectStream(before, objects, { ...stream, trailer: `/Root 1 0 R${trailer}` });
  };
}
