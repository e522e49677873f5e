// PDFs that are small and become large, that never end, or that make a careless reader start again and again.

import { deflateSync } from 'node:zlib';
import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import { deflateRepeated } from './inflation.ts';
import {
  addObjectStream,
  addObjects,
  statementObjects,
  toStream,
  writeObject,
  writePdfText,
} from '../../support/file-writers/pdf-writer.ts';

/** @param size about how many bytes the large ones have */
export function listPdfBombs(size: number): readonly HostileFile[] {
  return [
    toBomb('an object stream of 1,000:1', 'either', () =>
      withObjectStream(deflateRepeated(300, ' ')),
    ),
    toBomb('an object stream deflated twice', 'either', () =>
      withObjectStream(deflateSync(deflateRepeated(100)), '/Filter[/FlateDecode/FlateDecode]'),
    ),
    toBomb('forty object streams of 5 MB', 'either', () => {
      const stream = toStream(
        '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
        deflateSync(toBytes(`5 0 ${'7 '.repeat(2_500_000)}`)),
      );
      return writePdfText([
        ...statementObjects,
        ...Array.from({ length: 40 }, (_, index) => [100 + index, stream] as const),
      ]);
    }),
    toBomb(
      'a cross-reference stream of 1,000:1',
      'either',
      () =>
        `${writePdfText()}${writeObject(90, toStream('/Type/XRef/Size 99999999/W[1 4 2]/Root 1 0 R/Filter/FlateDecode', deflateRepeated(200)))}startxref\n600\n%%EOF\n`,
    ),
    toBomb('a page of 1,000:1', 'either', () =>
      writePdfText([
        ...statementObjects.slice(0, 3),
        [4, toStream('/Filter/FlateDecode', deflateRepeated(200))],
      ]),
    ),
    toBomb('arrays in arrays', 'either', () => withObject('['.repeat(size))),
    toBomb('arrays in arrays that end', 'either', () =>
      withObject('['.repeat(size / 2) + ']'.repeat(size / 2)),
    ),
    toBomb('dictionaries in dictionaries', 'either', () => withObject('<</A'.repeat(size / 4))),
    toBomb('brackets in a string', 'either', () => withObject('('.repeat(size))),
    toBomb('strings that never end', 'either', () =>
      withObject('('.repeat(4) + ' 1 0 obj ('.repeat(size / 10)),
    ),
    toBomb('hexadecimal strings that never end', 'either', () =>
      withObject(' 1 0 obj <'.repeat(size / 10)),
    ),
    toBomb('objects that never end', 'either', () => '1 0 obj '.repeat(size / 8)),
    toBomb('objects whose dictionaries never end', 'either', () => '1 0 obj<<'.repeat(size / 9)),
    toBomb('streams that never end', 'either', () =>
      '1 0 obj<</Length 9>>stream\n'.repeat(size / 27),
    ),
    toBomb('object streams that never end', 'either', () =>
      '1 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\n'.repeat(size / 60),
    ),
    toBomb('ends of streams', 'either', () => 'endstream '.repeat(size / 10)),
    toBomb('millions of small objects', 'either', () => '1 0 obj 1 endobj '.repeat(size / 17)),
    toBomb('trailers', 'either', () => 'trailer<</Root 1 0 R>>'.repeat(size / 22)),
    toBomb('trailers that never end', 'either', () => 'trailer<<'.repeat(size / 9)),
    toBomb('numbers that might begin an object', 'either', () => '0 '.repeat(size / 2)),
    toBomb('digits', 'either', () => withObject('7'.repeat(size))),
    toBomb('blanks', 'either', () => withObject(' '.repeat(size))),
    toBomb('blanks between the number and its object', 'either', () => `7${' '.repeat(size)}0 obj`),
    toBomb('slashes', 'either', () => withObject('/'.repeat(size))),
    toBomb('one long name', 'either', () => withObject(`/${'A'.repeat(size)}`)),
    toBomb('escapes', 'either', () => withObject(`/${'#41'.repeat(size / 3)}`)),
    toBomb('halves of escapes', 'either', () => withObject('/#4'.repeat(size / 3))),
    toBomb('comments', 'either', () => '%\n'.repeat(size / 2)),
    toBomb('percent signs', 'either', () => withObject('%'.repeat(size))),
    toBomb('less-than signs', 'either', () => withObject('<'.repeat(size))),
    toBomb('greater-than signs', 'either', () => withObject('>'.repeat(size))),
    toBomb('backslashes in a string', 'either', () => withObject(`(${'\\'.repeat(size)}`)),
    toBomb('actions at opening', 'either', () => withObject('/OpenAction 1 0 R'.repeat(size / 17))),
    toBomb('actions at opening, in each other', 'either', () =>
      withObject('<</OpenAction<</S/GoTo/Next'.repeat(size / 27)),
    ),
    toBomb('a cross-reference that precedes itself', 'either', () =>
      writePdfText().replace('/Size 99', `/Size 99/Prev ${writePdfText().indexOf('xref\n')}`),
    ),
    toBomb('two cross-references that precede each other', 'either', () => {
      const once = addObjects(writePdfText(), []);
      return once.replace('/Size 99', `/Size 99/Prev ${once.lastIndexOf('xref\n0')}`);
    }),
    toBomb('an object stream that extends itself', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N 1/First 4/Extends 80 0 R', toBytes('5 0 7')),
      }),
    ),
    toBomb('an object stream within itself', 'either', () =>
      addObjectStream(writePdfText(), [[80, '7']], {
        body: toStream('/Type/ObjStm/N 1/First 5', toBytes('80 0 7')),
      }),
    ),
    toBomb('an object stream of two billion objects', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N 2147483647/First 4', toBytes('5 0 7')),
      }),
    ),
    toBomb('an object stream that begins before itself', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N -1/First -999999', toBytes('5 0 7')),
      }),
    ),
    toBomb('a length that is itself', 'either', () =>
      addObjects(writePdfText(), [[5, '<</Length 5 0 R>>\nstream\n\nendstream']]),
    ),
    toBomb('a filter that is itself', 'either', () =>
      addObjects(writePdfText(), [
        [5, '<</Type/ObjStm/N 1/First 4/Filter 5 0 R/Length 3>>\nstream\nabc\nendstream'],
      ]),
    ),
    toBomb('an action at opening that is itself', 'either', () =>
      addObjects(writePdfText(), [
        [1, '<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>'],
        [5, '5 0 R'],
      ]),
    ),
    toBomb('a chain of a hundred thousand actions', 'either', () =>
      addObjects(
        writePdfText([
          [1, '<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>'],
          ...statementObjects.slice(1),
        ]),
        Array.from({ length: 100_000 }, (_, index) => [5 + index, `${6 + index} 0 R`] as const),
      ),
    ),
    toBomb('a section of two billion entries', 'either', () =>
      writePdfText().replace('0 1\n', '0 2147483647\n'),
    ),
  ];
}

function withObject(body: string): string {
  return addObjects(writePdfText(), [[5, body]]);
}

function withObjectStream(data: Uint8Array, filter = '/Filter/FlateDecode'): string {
  return addObjectStream(writePdfText(), [[5, '7']], {
    body: toStream(`/Type/ObjStm/N 1/First 4${filter}`, data),
  });
}

/** A text without the head of a PDF is put between one and its end. */
function toBomb(name: string, expected: HostileFile['expected'], make: () => string): HostileFile {
  return {
    group: 'bomb',
    name: `PDF of ${name}`,
    extension: 'pdf',
    expected,
    make: () => {
      const text = make();
      return toBytes(text.startsWith('%PDF') ? text : addObjects(`${writePdfText()}${text}\n`, []));
    },
  };
}
