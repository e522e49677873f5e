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
import { readRows } from '../../../support/files/rows.ts';

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

const insideComment: Obfuscate = (plain, objects) => {
  const write = (number: number, body: string) =>
    `%${writeObject(number, body).replaceAll('\n', ' ')}\n`;
  return addTable(...placeObjects(plain, objects, write, 1));
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

/** Text before and after objects that the table lists: for a reader that scans the file, it encloses them. */
interface EnclosureRow {
  readonly name: string;
  readonly before: string;
  readonly after?: string;
}

/** An object stream. */
interface StreamRow {
  readonly name: string;
  /** Before `/N` and `/First`. Default: the correct type. */
  readonly type?: string;
  /** Default: the correct filter. */
  readonly filter?: string;
  /** Default: deflated. */
  readonly encode?: readonly (keyof typeof encoders)[];
  readonly length?: string;
  /** Without `/First`, offsets count from the beginning. */
  readonly isWithoutFirst?: boolean;
}

type StreamEncoding = Omit<StreamRow, 'name'> & {
  /** With spaces between the objects instead of line ends. */
  readonly isOnOneLine?: boolean;
};

const encoders = {
  deflate: (data: Buffer) => deflateSync(data),
  hexadecimal: (data: Buffer) => toBytes(`${data.toString('hex')}>`),
  'run lengths': toRunLengths,
  predictor: (data: Buffer) => predict(data, 8),
  'wrong checksum': (data: Buffer) => Buffer.concat([data.subarray(0, -4), Buffer.alloc(4)]),
  'cut off': (data: Buffer) => data.subarray(0, -5),
  'deflate with a broken end': breakEnd,
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
  const { type = '/Type/ObjStm', filter = '/Filter/FlateDecode', encode = ['deflate'] } = encoding;
  const packed = packObjects(objects, encoding.isWithoutFirst);
  const line = toBytes(toText(packed.data).replaceAll('\n', ' '));
  const plainData = encoding.isOnOneLine ? line : packed.data;
  const data = encode.reduce((encoded, name) => encoders[name](encoded), plainData);
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

/**
 * Files that seem to be encrypted: the file before its last update, and the trailer of that update. Readers use the newest trailer,
 * which does not encrypt anything. A reader that believes the others skips the object streams.
 */
const seemingEncryptions: Readonly<Record<string, (plain: string) => readonly [string, string?]>> =
  {
    'by null': (plain) => [plain, '/Encrypt null'],
    'by a missing object': (plain) => [plain, '/Encrypt 98 0 R'],
    'by a filter that encrypts nothing': (plain) => [plain, encryptsNothing],
    ...seemEncrypted('with a password', toEncryptingTrailer('secret')),
    ...seemEncrypted('without a password', toEncryptingTrailer('')),
  };

function seemEncrypted(how: string, trailer: string): typeof seemingEncryptions {
  return {
    [`${how}, in another object`]: (plain) => [addObjects(plain, [[71, `<<${trailer}>>`]])],
    [`${how}, in a comment`]: (plain) => [addObjects(`${plain}%trailer<<${trailer}>>\n`, [])],
    [`${how}, before its last update`]: (plain) => [addObjects(plain, [[71, 'null']], trailer)],
  };
}

const readable: Readonly<Record<string, StreamEncoding>> = {
  deflated: {},
  plain: { filter: '', encode: [] },
  broken: { encode: ['deflate with a broken end'] },
};

/** The last block is invalid. Readers use the data before the error. */
function breakEnd(data: Buffer): Buffer {
  const deflated = deflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([deflated, Buffer.alloc(9, 0xff)]);
}

export const obfuscations: Readonly<Record<string, Obfuscate>> = {
  ...syntax,
  'inside a comment': insideComment,
  ...objectStreams,
  ...Object.fromEntries([
    ...readRows<EnclosureRow>('enclosures.ndjson', import.meta.url).map(
      ({ name, before, after = '' }) => [name, between(before, after)] as const,
    ),
    ...readRows<StreamRow>('object-streams.ndjson', import.meta.url).map(
      ({ name, ...encoding }) =>
        [`object stream ${name}`, encodeAfter(encoding, (plain) => [plain])] as const,
    ),
    ...Object.entries(readable).flatMap(([name, encoding]) =>
      Object.entries(seemingEncryptions).map(
        ([how, prepare]) =>
          [
            `${name} object stream in a file encrypted ${how}`,
            encodeAfter(encoding, prepare),
          ] as const,
      ),
    ),
  ]),
};

function encodeAfter(
  encoding: StreamEncoding,
  prepare: (plain: string) => readonly [string, string?],
): Obfuscate {
  return (plain, objects) => {
    const [before, trailer = ''] = prepare(plain);
    const stream = encodeObjects(encoding, objects);
    return addObjectStream(before, objects, { ...stream, trailer: `/Root 1 0 R${trailer}` });
  };
}
