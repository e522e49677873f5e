// PDFs whose cross-reference table does not match their objects: a viewer that uses the table and a viewer that repairs the file see
// different objects. The lender may use either viewer.

import {
  addCrossReferenceStream,
  addObjects,
  addObjectStream,
  addTable,
  placeObjects,
  plainObjects,
  type PdfObject,
  toObjectStream,
  writeObject,
} from '../../../support/files/pdf.ts';
import type { Obfuscate } from './obfuscations.ts';

const end = /startxref\n\d+\n%%EOF\n$/;

/** The table lists the active objects, and a scan finds harmless ones last. */
const activeByTable: Readonly<Record<string, Obfuscate>> = {
  'table: harmless objects of the same numbers follow': (plain, objects) =>
    withTableOf(plain, objects, writeAll(toHarmless(objects))),
  'table: harmless objects stand behind the end': (plain, objects) =>
    addObjects(plain, objects) + writeAll(toHarmless(objects)),
  'table: a harmless update is not linked': (plain, objects) => {
    const active = addObjects(plain, objects);
    return addObjects(active, toHarmless(objects)).replace(end, toEnd(readTablePlace(active)));
  },
  'table: inside a stream, harmless objects follow': (plain, objects) =>
    withTableOf(
      `${plain}70 0 obj\n<</Length 9999>>\nstream\n`,
      objects,
      `endstream\nendobj\n${writeAll(toHarmless(objects))}`,
    ),
  'table: inside a string, harmless objects follow': (plain, objects) =>
    withTableOf(`${plain}70 0 obj\n(`, objects, `)\nendobj\n${writeAll(toHarmless(objects))}`),
  'table: in an object stream, harmless objects follow': (plain, objects) => {
    const text = plain + writeObject(80, toObjectStream(objects)) + writeAll(toHarmless(objects));
    return addCrossReferenceStream(text, [
      ...objects.map(([number], index) => ({ number, within: 80, index })),
      { number: 80, at: plain.length },
    ]);
  },
  'table: a harmless object stream follows': (plain, objects) =>
    withTableOf(plain, objects, writeObject(80, toObjectStream(toHarmless(objects)))),
  'table: another number precedes each object': (plain, objects) =>
    addTable(...placeObjects(plain, objects, (number, body) => writeObject(number + 200, body))),
  'table: another generation precedes each object': (plain, objects) =>
    addTable(
      ...placeObjects(plain, objects, (number, body) =>
        writeObject(number, body).replace(' 0 obj', ' 1 obj'),
      ),
    ),
  'table: a trailer with another catalog follows': (plain, objects) => {
    const renamed = rename(objects);
    const [root] = renamed.find(([, body]) => body.includes('/Catalog')) ?? [1];
    return `${addObjects(plain, renamed, `/Root ${root} 0 R`)}trailer\n<</Root 1 0 R/Size 99>>\n`;
  },
};

/** A scan finds the active objects, and the table lists harmless ones or none. */
const activeByScan: Readonly<Record<string, Obfuscate>> = {
  'scan: behind the end': (plain, objects) => plain + writeAll(objects),
  'scan: behind the end, with another end': (plain, objects) =>
    `${plain}${writeAll(objects)}%%EOF\n`,
  'scan: the table is said to be at the beginning': (plain, objects) =>
    `${plain}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\n${toEnd(0)}`,
  'scan: the table is said to be behind the end': (plain, objects) =>
    `${plain}${writeAll(objects)}trailer\n<</Root 1 0 R/Size 99>>\n${toEnd(99_999_999)}`,
  'scan: the place of the table is a word': (plain, objects) =>
    addObjects(plain, objects).replace(end, toEnd('abc')),
  'scan: the update is not linked': (plain, objects) =>
    addObjects(plain, objects).replace(end, toEnd(readTablePlace(plain))),
  'scan: the table says the objects are free': (plain, objects) =>
    addObjects(plain, objects).replace(/ 00000 n \n(?=[^]*$)/g, ' 00000 f \n'),
  'scan: the table is off by some bytes': (plain, objects) => {
    const [text, entries] = placeObjects(plain, objects);
    return addTable(
      text,
      entries.map(({ number, at }) => ({ number, at: at + 7 })),
    );
  },
  'scan: in an object stream that no table names': (plain, objects) =>
    addObjects(plain + writeObject(80, toObjectStream(objects)), []),
  'scan: in an object stream, and the table is damaged': (plain, objects) =>
    addObjectStream(plain, objects, { body: toObjectStream(objects) }).replace(end, toEnd(5)),
};

export const inconsistentTables: Readonly<Record<string, Obfuscate>> = {
  ...activeByTable,
  ...activeByScan,
};

function readTablePlace(file: string): number {
  return parseInt(file.slice(file.lastIndexOf('startxref\n') + 10), 10);
}

function toEnd(place: number | string): string {
  return `startxref\n${place}\n%%EOF\n`;
}

function writeAll(objects: readonly PdfObject[]): string {
  return objects.map(([number, body]) => writeObject(number, body)).join('');
}

/** Replaces each object by the plain document's object of the same number, or by null. */
function toHarmless(objects: readonly PdfObject[]): readonly PdfObject[] {
  const plain = new Map(plainObjects);
  return objects.map(([number]) => [number, plain.get(number) ?? 'null']);
}

/** Adds objects that the table lists, and text after them that it does not list. */
function withTableOf(before: string, objects: readonly PdfObject[], after: string): string {
  const [text, entries] = placeObjects(before, objects);
  return addTable(text + after, entries);
}

/** Changes the numbers to unused ones: the catalog is 91, the page tree 92, the page 93, and the others begin at 96. */
function rename(objects: readonly PdfObject[]): readonly PdfObject[] {
  const all = [...new Map([...plainObjects.slice(0, 3), ...objects])];
  const numbers = new Set(all.map(([number]) => number));
  return all.map(([number, body]) => [
    number + 90,
    body.replaceAll(/\b(\d+) 0 R/g, (reference, target) =>
      numbers.has(Number(target)) ? `${Number(target) + 90} 0 R` : reference,
    ),
  ]);
}
