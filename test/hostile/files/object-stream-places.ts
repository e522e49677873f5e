// Object streams (ISO 32000-1, 7.5.7) in every disguise a reader sees through: of no type, behind chains of filters and of lying lengths.

import { deflateSync } from 'node:zlib';
import type { HidingPlace } from './hiding-places.ts';
import { toBytes, toText } from '../../support/file-writers/bytes.ts';
import {
  addCrossReferenceStream,
  addObjectStream,
  addTable,
  packObjects,
  toStream,
  writeObject,
  type ObjectStream,
  type PdfObject,
} from '../../support/file-writers/pdf-writer.ts';

export interface Disguise {
  readonly name: string;
  /** Before `/N` and `/First`. Default: the type it should have. */
  readonly type?: string;
  /** Default: the filter it should have. */
  readonly filter?: string;
  readonly encode?: (data: Buffer) => Buffer;
  readonly length?: string;
  /** Places count from the beginning then. */
  readonly isWithoutFirst?: boolean;
  /** Blanks between the objects, and no end of a line. */
  readonly isOnOneLine?: boolean;
}

const disguises: readonly Disguise[] = [
  { name: 'in an object stream' },
  { name: 'without a filter', filter: '', encode: (data) => data },
  { name: 'of no type', type: '' },
  { name: 'of no type, without the place of its first object', type: '', isWithoutFirst: true },
  // A blank to PDFium, a letter to the others: is what follows a key, or a value?
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

export const objectStreamPlaces: readonly HidingPlace[] = [
  ...disguises.map((disguise) => ({
    name: `object stream: ${disguise.name}`,
    hide: (statement: string, objects: readonly PdfObject[]) =>
      addObjectStream(statement, objects, wear(disguise, objects)),
  })),
  inFirst('an unclosed string', '('),
  inFirst('an unclosed hexadecimal string', '<'),
  inFirst('a comment without an end', '%'),
  {
    name: 'object stream: whose dictionary another object interrupts',
    hide: (statement, objects) =>
      addObjectStream(statement, objects, {
        body: wear({ name: '' }, objects).body.replace('/N ', '/X 81 0 obj/N '),
      }),
  },
  { name: 'object stream: that begins before its line', hide: hideBeforeLine },
  { name: 'object stream: with its end in its middle', hide: hideBehindFalseEnd },
  { name: 'object stream: named by a hybrid section', hide: hideInHybrid },
];

export function wear(disguise: Disguise, objects: readonly PdfObject[]): ObjectStream {
  const packed = packObjects(objects, disguise.isWithoutFirst);
  const { type = '/Type/ObjStm', filter = '/Filter/FlateDecode', encode = deflateSync } = disguise;
  const text = toText(packed.data);
  const data = encode(disguise.isOnOneLine ? toBytes(text.replaceAll('\n', ' ')) : packed.data);
  const dictionary = `${type}${packed.dictionary}${filter}`;
  return {
    body: toStream(dictionary, data, disguise.length ?? data.length),
    others: [
      [81, '/FlateDecode'],
      [97, '/ObjStm'],
    ],
  };
}

/** Stored blocks keep text readable: who cuts at the first `endstream` sees the index and no object. */
function hideBehindFalseEnd(statement: string, objects: readonly PdfObject[]): string {
  const end = '\nendstream\nendobj\n';
  const { data } = packObjects(objects);
  const first = data.indexOf('\n') + 1;
  const longer = Buffer.concat([data.subarray(0, first), toBytes(end), data.subarray(first)]);
  const dictionary = `/Type/ObjStm/N ${objects.length}/First ${first + end.length}`;
  const body = toStream(`${dictionary}/Filter/FlateDecode`, deflateSync(longer, { level: 0 }));
  return addObjectStream(statement, objects, { body });
}

/** The first object of the stream swallows the others, for who does not begin anew at each. */
function inFirst(name: string, swallowing: string): HidingPlace {
  return {
    name: `object stream: after ${name} in it`,
    hide: (statement, objects) =>
      addObjectStream(
        statement,
        [[79, swallowing], ...objects],
        wear({ name: '', isOnOneLine: true }, [[79, swallowing], ...objects]),
      ),
  };
}

/** Some readers begin right behind the word `stream`, others on the next line. */
function hideBeforeLine(statement: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const harmless = packObjects([[5, 'null']]).data;
  const evil = toText(data).replaceAll('\n', ' ');
  const body = `<</Type/ObjStm${dictionary}/Length ${evil.length}>>\nstream\t${evil}\n${toText(harmless)}\nendstream`;
  return addObjectStream(statement, objects, { body });
}

/** A table for readers of old, and beside it, by `/XRefStm`, a stream that names what is in the object stream (7.5.8.4). */
function hideInHybrid(statement: string, objects: readonly PdfObject[]): string {
  const withStream = statement + writeObject(80, wear({ name: '' }, objects).body);
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

/** PNG's filter "Sub" a row, as `/Predictor 11` has it. */
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

/** Literal runs only (7.4.5). */
function toRunLengths(data: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < data.length; at += 128) {
    const run = data.subarray(at, at + 128);
    runs.push(Buffer.from([run.length - 1]), run);
  }
  return Buffer.concat([...runs, Buffer.from([128])]);
}
