// PDFs whose cross-reference table does not match their objects: a viewer that uses the table and a viewer that repairs the file see
// different objects. The lender may use either viewer.

import { deflateSync } from 'node:zlib';
import type { Obfuscation } from './obfuscations.ts';
import { toBytes, toText } from '../../../support/files/bytes.ts';
import {
  addCrossReferenceStream,
  addObjects,
  addObjectStream,
  addTable,
  packObjects,
  statementObjects,
  toStream,
  writeObject,
  type PdfObject,
} from '../../../support/files/pdf.ts';

type Entry = { readonly number: number; readonly at: number };

/** Replaces each object by the statement's object of the same number, or by null. */
function toHarmless(objects: readonly PdfObject[]): PdfObject[] {
  return objects.map(([number]) => [
    number,
    statementObjects.find(([other]) => other === number)?.[1] ?? 'null',
  ]);
}

/** The table lists the active objects, and a scan finds harmless ones last. */
const activeByTable: readonly Obfuscation[] = [
  {
    name: 'table: harmless objects of the same numbers follow',
    apply: (statement, objects) => withTableOf(statement, objects, writeAll(toHarmless(objects))),
  },
  {
    name: 'table: harmless objects stand behind the end',
    apply: (statement, objects) =>
      `${addObjects(statement, objects)}${writeAll(toHarmless(objects))}`,
  },
  {
    name: 'table: a harmless update is not linked',
    apply: (statement, objects) => {
      const active = addObjects(statement, objects);
      const place = active.lastIndexOf('startxref\n') + 10;
      const update = addObjects(active, toHarmless(objects));
      return update.replace(
        /startxref\n\d+\n%%EOF\n$/,
        `startxref\n${parseInt(active.slice(place), 10)}\n%%EOF\n`,
      );
    },
  },
  {
    name: 'table: inside a stream, harmless objects follow',
    apply: (statement, objects) => {
      const before = `${statement}70 0 obj\n<</Length 9999>>\nstream\n`;
      return withTableOf(before, objects, `endstream\nendobj\n${writeAll(toHarmless(objects))}`);
    },
  },
  {
    name: 'table: inside a string, harmless objects follow',
    apply: (statement, objects) =>
      withTableOf(
        `${statement}70 0 obj\n(`,
        objects,
        `)\nendobj\n${writeAll(toHarmless(objects))}`,
      ),
  },
  {
    name: 'table: in an object stream, harmless objects follow',
    apply: (statement, objects) => {
      const packed = pack(objects);
      const text = `${statement}${writeObject(80, packed)}`;
      const entries = objects.map(([number], index) => ({ number, within: 80, index }));
      return addCrossReferenceStream(`${text}${writeAll(toHarmless(objects))}`, [
        ...entries,
        { number: 80, at: statement.length },
      ]);
    },
  },
  {
    name: 'table: a harmless object stream follows',
    apply: (statement, objects) =>
      withTableOf(statement, objects, writeObject(80, pack(toHarmless(objects)))),
  },
  {
    name: 'table: another number precedes each object',
    apply: (statement, objects) => {
      const [text, entries] = place(statement, objects, (number, body) =>
        writeObject(number + 200, body),
      );
      return addTable(text, entries);
    },
  },
  {
    name: 'table: another generation precedes each object',
    apply: (statement, objects) => {
      const [text, entries] = place(statement, objects, (number, body) =>
        writeObject(number, body).replace(' 0 obj', ' 1 obj'),
      );
      return addTable(text, entries);
    },
  },
  {
    name: 'table: a trailer with another catalog follows',
    apply: (statement, objects) => {
      const renamed = rename(objects);
      const update = addObjects(statement, renamed, `/Root ${rootOf(renamed)} 0 R`);
      return `${update}trailer\n<</Root 1 0 R/Size 99>>\n`;
    },
  },
];

/** A scan finds the active objects, and the table lists harmless ones or none. */
const activeByScan: readonly Obfuscation[] = [
  {
    name: 'scan: behind the end',
    apply: (statement, objects) => `${statement}${writeAll(objects)}`,
  },
  {
    name: 'scan: behind the end, with another end',
    apply: (statement, objects) => `${statement}${writeAll(objects)}%%EOF\n`,
  },
  {
    name: 'scan: the table is said to be at the beginning',
    apply: (statement, objects) =>
      `${statement}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n`,
  },
  {
    name: 'scan: the table is said to be behind the end',
    apply: (statement, objects) =>
      `${statement}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\nstartxref\n99999999\n%%EOF\n`,
  },
  {
    name: 'scan: the place of the table is a word',
    apply: (statement, objects) =>
      addObjects(statement, objects).replace(/startxref\n\d+\n%%EOF\n$/, 'startxref\nabc\n%%EOF\n'),
  },
  {
    name: 'scan: the update is not linked',
    apply: (statement, objects) => {
      const first = parseInt(statement.slice(statement.lastIndexOf('startxref\n') + 10), 10);
      return addObjects(statement, objects).replace(
        /startxref\n\d+\n%%EOF\n$/,
        `startxref\n${first}\n%%EOF\n`,
      );
    },
  },
  {
    name: 'scan: the table says the objects are free',
    apply: (statement, objects) =>
      addObjects(statement, objects).replace(/ 00000 n \n(?=[^]*$)/g, ' 00000 f \n'),
  },
  {
    name: 'scan: the table is off by some bytes',
    apply: (statement, objects) => {
      const [text, entries] = place(statement, objects, writeObject);
      return addTable(
        text,
        entries.map(({ number, at }) => ({ number, at: at + 7 })),
      );
    },
  },
  {
    name: 'scan: in an object stream that no table names',
    apply: (statement, objects) => addObjects(`${statement}${writeObject(80, pack(objects))}`, []),
  },
  {
    name: 'scan: in an object stream, and the table is damaged',
    apply: (statement, objects) =>
      addObjectStream(statement, objects, { body: pack(objects) }).replace(
        /startxref\n\d+\n%%EOF\n$/,
        'startxref\n5\n%%EOF\n',
      ),
  },
];

export const inconsistentTables: readonly Obfuscation[] = [...activeByTable, ...activeByScan];

function writeAll(objects: readonly PdfObject[]): string {
  return objects.map(([number, body]) => writeObject(number, body)).join('');
}

/** Adds objects that the table lists, and text after them that it does not list. */
function withTableOf(before: string, objects: readonly PdfObject[], after: string): string {
  const [text, entries] = place(before, objects, writeObject);
  return addTable(`${text}${after}`, entries);
}

function place(
  before: string,
  objects: readonly PdfObject[],
  write: (number: number, body: string) => string,
): [text: string, entries: Entry[]] {
  let text = before;
  const entries = objects.map(([number, body]) => {
    const at = text.length;
    text += write(number, body);
    return { number, at };
  });
  return [text, entries];
}

function pack(objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  return toStream(
    `/Type/ObjStm${dictionary}/Filter/FlateDecode`,
    toBytes(toText(deflateSync(data))),
  );
}

/** Changes the numbers to unused ones: the catalog is 91, the page tree 92, the page 93, and the others begin at 95. */
function rename(objects: readonly PdfObject[]): PdfObject[] {
  const all = [...new Map([...statementObjects.slice(0, 3), ...objects])];
  const numbers = new Set(all.map(([number]) => number));
  return all.map(([number, body]) => [
    number + 90,
    body.replaceAll(/\b(\d+) 0 R/g, (reference, target) =>
      numbers.has(Number(target)) ? `${Number(target) + 90} 0 R` : reference,
    ),
  ]);
}

function rootOf(objects: readonly PdfObject[]): number {
  return objects.find(([, body]) => body.includes('/Catalog'))?.[0] ?? 1;
}
