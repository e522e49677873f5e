// Where active objects are put so that a reader finds them and a search does not: behind escapes and comments, and in places only the cross-reference knows.

import {
  addObjects,
  addTable,
  writeObject,
  type PdfObject,
} from '../../support/file-writers/pdf-writer.ts';

export interface HidingPlace {
  readonly name: string;
  /** `statement` is a whole harmless file, `objects` are added to it. */
  readonly hide: (statement: string, objects: readonly PdfObject[]) => string;
}

const plainHidingPlaces: readonly HidingPlace[] = [
  { name: 'in an update', hide: (statement, objects) => addObjects(statement, objects) },
  { name: 'names escaped whole', hide: withNames((name) => [...name].map(toEscape).join('')) },
  {
    name: 'first letter escaped',
    hide: withNames((name) => toEscape(name.slice(0, 1)) + name.slice(1)),
  },
  {
    name: 'last letter escaped in lower case',
    hide: withNames((name) => name.slice(0, -1) + toEscape(name.slice(-1)).toLowerCase()),
  },
  {
    name: 'odd white space',
    hide: withBodies((body) => body.replaceAll('/', '\0\f\t/').replaceAll('<<', '<<\0\f')),
  },
  {
    name: 'comments between tokens',
    hide: withBodies((body) => body.replaceAll(/(?<!\()\/(?!\/|evil)/g, '%>>\r/')),
  },
  {
    name: 'a string that ends with an escaped backslash',
    hide: withBodies((body) => body.replace('<<', '<</X(\\\\)')),
  },
  {
    name: 'a string of odd escapes',
    hide: withBodies((body) =>
      body.replace(
        '<<',
        String.raw`<</X(\050\(\
()\51)`,
      ),
    ),
  },
  {
    name: 'a hexadecimal string with a bracket',
    hide: withBodies((body) => body.replace('<<', '<</X<(>')),
  },
  {
    name: 'lines that end with CR',
    hide: (statement, objects) =>
      addTable(
        ...placeObjects(statement, objects, (number, body) =>
          writeObject(number, body).replaceAll('\n', '\r'),
        ),
      ),
  },
  {
    name: 'an earlier harmless object of the same number',
    hide: (statement, objects) =>
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
    hide: (statement, objects) =>
      `${statement}${objects.map(([number, body]) => writeObject(number, body)).join('')}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  },
];

/** The cross-reference leads a reader to places where a scan from the top is in the middle of something else. */
const insideHidingPlaces: readonly HidingPlace[] = [
  { name: 'after an unclosed string', hide: between('(', '') },
  { name: 'after an unclosed hexadecimal string', hide: between('<', '') },
  { name: 'after an unclosed stream', hide: between('70 0 obj\n<</Length 9>>\nstream\n', '') },
  {
    name: 'inside the data of a stream',
    hide: between('70 0 obj\n<</Length 9999>>\nstream\n', 'endstream\nendobj\n'),
  },
  { name: 'inside a string', hide: between('70 0 obj\n(', ')\nendobj\n') },
  {
    name: 'inside a comment',
    hide: (statement, objects) =>
      addTable(
        ...placeObjects(
          statement,
          objects,
          (number, body) => `%${writeObject(number, body).replaceAll('\n', ' ')}\n`,
          1,
        ),
      ),
  },
  { name: 'inside a dictionary', hide: between('70 0 obj\n<</X ', '>>\nendobj\n') },
  {
    name: 'after the end of the stream, within its length',
    hide: between('70 0 obj\n<</Length 700>>\nstream\nxx\nendstream\nendobj\n', ''),
  },
];

export const hidingPlaces = [...plainHidingPlaces, ...insideHidingPlaces] as const;

function withNames(change: (name: string) => string): HidingPlace['hide'] {
  return withBodies((body) =>
    body.replaceAll(/\/([A-Z][A-Za-z0-9]*)/g, (_, name) => `/${change(name)}`),
  );
}

function withBodies(change: (body: string) => string): HidingPlace['hide'] {
  return (statement, objects) =>
    addObjects(
      statement,
      objects.map(([number, body]) => [number, change(body)]),
    );
}

function toEscape(character: string): string {
  return `#${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/** The objects one after the other, with something before and after all of them that swallows them. */
function between(before: string, after: string): HidingPlace['hide'] {
  return (statement, objects) => {
    const [text, entries] = placeObjects(statement + before, objects, writeObject);
    return addTable(`${text}${after}`, entries);
  };
}

/** `skipped` is how much of each written object stands before its number. */
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
