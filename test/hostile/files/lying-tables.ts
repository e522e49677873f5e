// PDFs whose table and whose objects tell different stories, so that a viewer that follows the table and a viewer that repairs the
// file see different objects. Either may be the lender's.

import { deflateSync } from 'node:zlib';
import type { HidingPlace } from './hiding-places.ts';
import { toBytes, toText } from '../../support/file-writers/bytes.ts';
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
} from '../../support/file-writers/pdf-writer.ts';

type Entry = { readonly number: number; readonly at: number };

/** The statement's own objects of the same numbers, or nothing under them. */
function toHarmless(objects: readonly PdfObject[]): PdfObject[] {
  return objects.map(([number]) => [
    number,
    statementObjects.find(([other]) => other === number)?.[1] ?? 'null',
  ]);
}

/** The table leads to the act, and a scan ends with something harmless. */
const seenByTheTable: readonly HidingPlace[] = [
  {
    name: 'table: harmless objects of the same numbers follow',
    hide: (statement, objects) => withTableOf(statement, objects, writeAll(toHarmless(objects))),
  },
  {
    name: 'table: harmless objects stand behind the end',
    hide: (statement, objects) =>
      `${addObjects(statement, objects)}${writeAll(toHarmless(objects))}`,
  },
  {
    name: 'table: a harmless update is not linked',
    hide: (statement, objects) => {
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
    hide: (statement, objects) => {
      const before = `${statement}70 0 obj\n<</Length 9999>>\nstream\n`;
      return withTableOf(before, objects, `endstream\nendobj\n${writeAll(toHarmless(objects))}`);
    },
  },
  {
    name: 'table: inside a string, harmless objects follow',
    hide: (statement, objects) =>
      withTableOf(
        `${statement}70 0 obj\n(`,
        objects,
        `)\nendobj\n${writeAll(toHarmless(objects))}`,
      ),
  },
  {
    name: 'table: in an object stream, harmless objects follow',
    hide: (statement, objects) => {
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
    hide: (statement, objects) =>
      withTableOf(statement, objects, writeObject(80, pack(toHarmless(objects)))),
  },
  {
    name: 'table: another number stands before each object',
    hide: (statement, objects) => {
      const [text, entries] = place(statement, objects, (number, body) =>
        writeObject(number + 200, body),
      );
      return addTable(text, entries);
    },
  },
  {
    name: 'table: another generation stands before each object',
    hide: (statement, objects) => {
      const [text, entries] = place(statement, objects, (number, body) =>
        writeObject(number, body).replace(' 0 obj', ' 1 obj'),
      );
      return addTable(text, entries);
    },
  },
  {
    name: 'table: a trailer with another catalog follows',
    hide: (statement, objects) => {
      const renamed = rename(objects);
      const update = addObjects(statement, renamed, `/Root ${rootOf(renamed)} 0 R`);
      return `${update}trailer\n<</Root 1 0 R/Size 99>>\n`;
    },
  },
];

/** A scan comes to the act, and the table leads to something harmless, or nowhere. */
const seenByAScan: readonly HidingPlace[] = [
  {
    name: 'scan: behind the end',
    hide: (statement, objects) => `${statement}${writeAll(objects)}`,
  },
  {
    name: 'scan: behind the end, with another end',
    hide: (statement, objects) => `${statement}${writeAll(objects)}%%EOF\n`,
  },
  {
    name: 'scan: the table is said to be at the beginning',
    hide: (statement, objects) =>
      `${statement}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n`,
  },
  {
    name: 'scan: the table is said to be behind the end',
    hide: (statement, objects) =>
      `${statement}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\nstartxref\n99999999\n%%EOF\n`,
  },
  {
    name: 'scan: the place of the table is a word',
    hide: (statement, objects) =>
      addObjects(statement, objects).replace(/startxref\n\d+\n%%EOF\n$/, 'startxref\nabc\n%%EOF\n'),
  },
  {
    name: 'scan: the update is not linked',
    hide: (statement, objects) => {
      const first = parseInt(statement.slice(statement.lastIndexOf('startxref\n') + 10), 10);
      return addObjects(statement, objects).replace(
        /startxref\n\d+\n%%EOF\n$/,
        `startxref\n${first}\n%%EOF\n`,
      );
    },
  },
  {
    name: 'scan: the table says the objects are free',
    hide: (statement, objects) =>
      addObjects(statement, objects).replace(/ 00000 n \n(?=[^]*$)/g, ' 00000 f \n'),
  },
  {
    name: 'scan: the table is off by some bytes',
    hide: (statement, objects) => {
      const [text, entries] = place(statement, objects, writeObject);
      return addTable(
        text,
        entries.map(({ number, at }) => ({ number, at: at + 7 })),
      );
    },
  },
  {
    name: 'scan: in an object stream that no table names',
    hide: (statement, objects) => addObjects(`${statement}${writeObject(80, pack(objects))}`, []),
  },
  {
    name: 'scan: in an object stream, and the table is damaged',
    hide: (statement, objects) =>
      addObjectStream(statement, objects, { body: pack(objects) }).replace(
        /startxref\n\d+\n%%EOF\n$/,
        'startxref\n5\n%%EOF\n',
      ),
  },
];

export const lyingTables: readonly HidingPlace[] = [...seenByTheTable, ...seenByAScan];

function writeAll(objects: readonly PdfObject[]): string {
  return objects.map(([number, body]) => writeObject(number, body)).join('');
}

/** The objects, named by the table, and behind them what the table does not name. */
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

/** The same under numbers that nothing else has: a catalog (91), the pages (92), a page (93), and the rest from 95 on. */
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
