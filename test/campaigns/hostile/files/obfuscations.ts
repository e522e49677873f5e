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
  type PdfObject,
  toEncryptingTrailer,
  toStream,
  writeObject,
} from '../../../support/files/pdf.ts';

export interface Obfuscation {
  readonly name: string;
  /** Adds the objects to a harmless file. */
  readonly apply: (statement: string, objects: readonly PdfObject[]) => string;
}

const syntaxObfuscations: readonly Obfuscation[] = [
  { name: 'in an update', apply: (statement, objects) => addObjects(statement, objects) },
  { name: 'names escaped whole', apply: withNames((name) => [...name].map(toEscape).join('')) },
  {
    name: 'first letter escaped',
    apply: withNames((name) => toEscape(name.slice(0, 1)) + name.slice(1)),
  },
  {
    name: 'last letter escaped in lower case',
    apply: withNames((name) => name.slice(0, -1) + toEscape(name.slice(-1)).toLowerCase()),
  },
  {
    name: 'odd white space',
    apply: withBodies((body) => body.replaceAll('/', '\0\f\t/').replaceAll('<<', '<<\0\f')),
  },
  {
    name: 'comments between tokens',
    apply: withBodies((body) => body.replaceAll(/(?<!\()\/(?!\/|evil)/g, '%>>\r/')),
  },
  {
    name: 'a string that ends with an escaped backslash',
    apply: withBodies((body) => body.replace('<<', '<</X(\\\\)')),
  },
  {
    name: 'a string of odd escapes',
    apply: withBodies((body) =>
      body.replace(
        '<<',
        String.raw`<</X(\050\(\
()\51)`,
      ),
    ),
  },
  {
    name: 'a hexadecimal string with a bracket',
    apply: withBodies((body) => body.replace('<<', '<</X<(>')),
  },
  {
    name: 'lines that end with CR',
    apply: (statement, objects) =>
      addTable(
        ...placeObjects(statement, objects, (number, body) =>
          writeObject(number, body).replaceAll('\n', '\r'),
        ),
      ),
  },
  {
    name: 'an earlier harmless object of the same number',
    apply: (statement, objects) =>
      addObjects(
        addObjects(
          statement,
          objects.map(([number]) => [number, '<</Type/Catalog/Pages 2 0 R>>']),
        ),
        objects,
      ),
  },
  {
    name: 'without a cross-reference',
    apply: (statement, objects) =>
      `${statement}${objects.map(([number, body]) => writeObject(number, body)).join('')}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  },
];

/** The table lists objects that lie inside of something else for a reader that scans the file. */
const enclosedObfuscations: readonly Obfuscation[] = [
  { name: 'after an unclosed string', apply: between('(', '') },
  { name: 'after an unclosed hexadecimal string', apply: between('<', '') },
  { name: 'after an unclosed stream', apply: between('70 0 obj\n<</Length 9>>\nstream\n', '') },
  {
    name: 'inside the data of a stream',
    apply: between('70 0 obj\n<</Length 9999>>\nstream\n', 'endstream\nendobj\n'),
  },
  { name: 'inside a string', apply: between('70 0 obj\n(', ')\nendobj\n') },
  {
    name: 'inside a comment',
    apply: (statement, objects) =>
      addTable(
        ...placeObjects(
          statement,
          objects,
          (number, body) => `%${writeObject(number, body).replaceAll('\n', ' ')}\n`,
          1,
        ),
      ),
  },
  { name: 'inside a dictionary', apply: between('70 0 obj\n<</X ', '>>\nendobj\n') },
  {
    name: 'after the end of the stream, within its length',
    apply: between('70 0 obj\n<</Length 700>>\nstream\nxx\nendstream\nendobj\n', ''),
  },
];

function withNames(change: (name: string) => string): Obfuscation['apply'] {
  return withBodies((body) =>
    body.replaceAll(/\/([A-Z][A-Za-z0-9]*)/g, (_, name) => `/${change(name)}`),
  );
}

function withBodies(change: (body: string) => string): Obfuscation['apply'] {
  return (statement, objects) =>
    addObjects(
      statement,
      objects.map(([number, body]) => [number, change(body)]),
    );
}

function toEscape(character: string): string {
  return `#${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/** Puts text before and after the objects that encloses them. */
function between(before: string, after: string): Obfuscation['apply'] {
  return (statement, objects) => {
    const [text, entries] = placeObjects(statement + before, objects, writeObject);
    return addTable(`${text}${after}`, entries);
  };
}

/** @param skipped bytes of each written object before its number. */
function placeObjects(
  before: string,
  objects: readonly PdfObject[],
  write: (number: number, body: string) => string,
  skipped = 0,
): [string, { number: number; at: number }[]] {
  let text = before;
  const entries = objects.map(([number, body]) => {
    const at = text.length + skipped;
    text += write(number, body);
    return { number, at };
  });
  return [text, entries];
}

interface StreamEncoding {
  readonly name: string;
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

const streamEncodings: readonly StreamEncoding[] = [
  { name: 'in an object stream' },
  { name: 'without a filter', filter: '', encode: (data) => data },
  { name: 'of no type', type: '' },
  { name: 'of no type, without the place of its first object', type: '', isWithoutFirst: true },
  // PDFium reads 0xFF as white space, and other readers as a letter of the name.
  { name: 'of no type, after a byte that is a blank to some', type: '/A\xffB/C' },
  { name: 'of no type, after a reference to nothing', type: '/A R' },
  { name: 'of another type', type: '/Type/XObject/Subtype/Image' },
  { name: 'whose type is another object', type: '/Type 97 0 R' },
  { name: 'with names escaped', type: '/T#79pe/Obj#53tm', filter: '/F#69lter/#46lateDecode' },
  { name: 'with a comment before its type', type: '/Type%/XRef\r/ObjStm' },
  { name: 'with a list of filters', filter: '/Filter[/FlateDecode]' },
  {
    name: 'deflated twice',
    filter: '/Filter[/FlateDecode/FlateDecode]',
    encode: (data) => deflateSync(deflateSync(data)),
  },
  {
    name: 'deflated, then hexadecimal',
    filter: '/Filter[/ASCIIHexDecode/FlateDecode]',
    encode: (data) => toHexadecimal(deflateSync(data)),
  },
  { name: 'hexadecimal', filter: '/Filter/ASCIIHexDecode', encode: toHexadecimal },
  { name: 'hexadecimal, of no type', type: '', filter: '/Filter/AHx', encode: toHexadecimal },
  { name: 'in run lengths', filter: '/Filter/RunLengthDecode', encode: toRunLengths },
  { name: 'with the short name of its filter', filter: '/Filter/Fl' },
  { name: 'whose filter is another object', filter: '/Filter 81 0 R' },
  { name: 'with two filters of one key', filter: '/Filter/ASCII85Decode/Filter/FlateDecode' },
  {
    name: 'with a predictor',
    filter: '/Filter/FlateDecode/DecodeParms<</Predictor 11/Columns 8>>',
    encode: (data) => deflateSync(predict(data, 8)),
  },
  { name: 'of no length', length: '0' },
  { name: 'whose length is a missing object', length: '77 0 R' },
  {
    name: 'with a wrong checksum',
    encode: (data) => Buffer.concat([deflateSync(data).subarray(0, -4), Buffer.alloc(4)]),
  },
  { name: 'cut off', encode: (data) => deflateSync(data).subarray(0, -5) },
];

const objectStreamObfuscations: readonly Obfuscation[] = [
  ...streamEncodings.map((encoding) => ({
    name: `object stream: ${encoding.name}`,
    apply: (statement: string, objects: readonly PdfObject[]) =>
      addObjectStream(statement, objects, encodeObjects(encoding, objects)),
  })),
  encloseInFirst('an unclosed string', '('),
  encloseInFirst('an unclosed hexadecimal string', '<'),
  encloseInFirst('a comment without an end', '%'),
  {
    name: 'object stream: whose dictionary another object interrupts',
    apply: (statement, objects) =>
      addObjectStream(statement, objects, {
        body: encodeObjects({ name: '' }, objects).body.replace('/N ', '/X 81 0 obj/N '),
      }),
  },
  { name: 'object stream: that begins before its line', apply: beginBeforeLine },
  { name: 'object stream: with its end in its middle', apply: addFalseEnd },
  { name: 'object stream: named by a hybrid section', apply: addHybrid },
];

function encodeObjects(encoding: StreamEncoding, objects: readonly PdfObject[]): ObjectStream {
  const packed = packObjects(objects, encoding.isWithoutFirst);
  const { type = '/Type/ObjStm', filter = '/Filter/FlateDecode', encode = deflateSync } = encoding;
  const text = toText(packed.data);
  const data = encode(encoding.isOnOneLine ? toBytes(text.replaceAll('\n', ' ')) : packed.data);
  const dictionary = `${type}${packed.dictionary}${filter}`;
  return {
    body: toStream(dictionary, data, encoding.length ?? data.length),
    others: [
      [81, '/FlateDecode'],
      [97, '/ObjStm'],
    ],
  };
}

/** Uses stored blocks, which are not compressed. A reader that stops at the first `endstream` sees the index and no object. */
function addFalseEnd(statement: string, objects: readonly PdfObject[]): string {
  const end = '\nendstream\nendobj\n';
  const { data } = packObjects(objects);
  const first = data.indexOf('\n') + 1;
  const longer = Buffer.concat([data.subarray(0, first), toBytes(end), data.subarray(first)]);
  const dictionary = `/Type/ObjStm/N ${objects.length}/First ${first + end.length}`;
  const body = toStream(`${dictionary}/Filter/FlateDecode`, deflateSync(longer, { level: 0 }));
  return addObjectStream(statement, objects, { body });
}

/** The first object encloses the others for a reader that does not use their offsets. */
function encloseInFirst(name: string, enclosing: string): Obfuscation {
  return {
    name: `object stream: after ${name} in it`,
    apply: (statement, objects) =>
      addObjectStream(
        statement,
        [[79, enclosing], ...objects],
        encodeObjects({ name: '', isOnOneLine: true }, [[79, enclosing], ...objects]),
      ),
  };
}

/** Some readers begin the data right after the word `stream`, others on the next line. */
function beginBeforeLine(statement: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const harmless = packObjects([[5, 'null']]).data;
  const evil = toText(data).replaceAll('\n', ' ');
  const body = `<</Type/ObjStm${dictionary}/Length ${evil.length}>>\nstream\t${evil}\n${toText(harmless)}\nendstream`;
  return addObjectStream(statement, objects, { body });
}

/** A hybrid file: a table for old readers, and a cross-reference stream in `/XRefStm` (7.5.8.4). */
function addHybrid(statement: string, objects: readonly PdfObject[]): string {
  const withStream = statement + writeObject(80, encodeObjects({ name: '' }, objects).body);
  const entries = objects.map(([number], index) => ({ number, within: 80, index }));
  const text = addCrossReferenceStream(withStream, [
    ...entries,
    { number: 80, at: statement.length },
  ]);
  return addTable(text, [], `/Root 1 0 R/XRefStm ${withStream.length}`);
}

function toHexadecimal(data: Buffer): Buffer {
  return toBytes(`${data.toString('hex')}>`);
}

/** The PNG filter "Sub", which is `/Predictor 11`. */
function predict(data: Buffer, columns: number): Buffer {
  const rows = Math.ceil(data.length / columns);
  const padded = Buffer.concat([data, Buffer.alloc(rows * columns - data.length, ' ')]);
  return Buffer.concat(
    Array.from({ length: rows }, (_, row) => {
      const line = padded.subarray(row * columns, (row + 1) * columns);
      return Buffer.from([1, ...line.map((byte, index) => byte - (line[index - 1] ?? 0))]);
    }),
  );
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

const deflated: StreamEncoding = { name: 'deflated' };
const plain: StreamEncoding = { name: 'plain', filter: '', encode: (data) => data };
/** The last block is invalid. Readers use the data before the error. */
const broken: StreamEncoding = {
  name: 'broken',
  encode: (data) =>
    Buffer.concat([
      deflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH }),
      Buffer.alloc(9, 0xff),
    ]),
};
const passwords = [
  { name: 'with a password', password: 'secret' },
  { name: 'without a password', password: '' },
];

/**
 * Readable object streams in files that seem to be encrypted. Readers use the newest trailer, which does not encrypt anything. A
 * reader that believes the others skips the object streams.
 */
const encryptionObfuscations: readonly Obfuscation[] = [deflated, plain, broken].flatMap(
  (encoding) => [
    withTrailer('by null', '/Encrypt null', encoding),
    withTrailer('by a missing object', '/Encrypt 98 0 R', encoding),
    withTrailer('by a filter that encrypts nothing', encryptsNothing, encoding),
    ...passwords.flatMap(({ name, password }) => [
      afterUpdate(`${name}, in another object`, encoding, (statement) =>
        addObjects(statement, [[71, `<<${toEncryptingTrailer(password)}>>`]]),
      ),
      afterUpdate(`${name}, in a comment`, encoding, (statement) =>
        addObjects(`${statement}%trailer<<${toEncryptingTrailer(password)}>>\n`, []),
      ),
      afterUpdate(`${name}, before its last update`, encoding, (statement) =>
        addObjects(statement, [[71, 'null']], toEncryptingTrailer(password)),
      ),
    ]),
  ],
);

function withTrailer(name: string, trailer: string, encoding: StreamEncoding): Obfuscation {
  return {
    name: `${encoding.name} object stream: in a file encrypted ${name}`,
    apply: (statement, objects) =>
      addObjectStream(statement, objects, {
        ...encodeObjects(encoding, objects),
        trailer: `/Root 1 0 R${trailer}`,
      }),
  };
}

function afterUpdate(
  name: string,
  encoding: StreamEncoding,
  update: (statement: string) => string,
): Obfuscation {
  return {
    name: `${encoding.name} object stream: in a file encrypted ${name}`,
    apply: (statement, objects) =>
      addObjectStream(update(statement), objects, encodeObjects(encoding, objects)),
  };
}

export const obfuscations: readonly Obfuscation[] = [
  ...syntaxObfuscations,
  ...enclosedObfuscations,
  ...objectStreamObfuscations,
  ...encryptionObfuscations,
];
