// PDFs that act by themselves or carry something else, openly and in hiding: at least one for each rule.

import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { toBytes } from '../good-files/good-file.ts';
import { toFlateStream, toObjectStream, toStream, updatePdf } from '../good-files/pdf-writer.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';
import { add, breakOff, encrypt, insert, locked, open, plain, toPacked } from './pdf-places.ts';

const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const folder = new URL('../../fixtures/encrypted-javascript/', import.meta.url);

const clickedActions = [
  'URI',
  'Hide',
  'Thread',
  'ResetForm',
  'SetOCGState',
  'Trans',
  'GoTo3DView',
  'GoToDp',
];
const media = ['RichMedia', 'RichMediaExecute', 'Rendition', 'Movie', 'Sound', '3D', 'U3D', 'PRC'];

/** Within an object of its own. */
const active = toBadFiles('pdf', [
  ...clickedActions.map(
    (name) =>
      ['pdf-open-action', `${name} by reference`, () => open('6 0 R', `<</S/${name}>>`)] as const,
  ),
  ...media.map((name) => ['pdf-media', name, () => add(`<</S/${name}>>`)] as const),
  ['pdf-javascript', 'JavaScript', () => add(script)],
  ['pdf-javascript', 'a script without its type', () => add('<</JS(app.alert\\(1\\))>>')],
  ['pdf-javascript', 'a name with escapes', () => add('<</S/J#61vaScr#69pt>>')],
  ['pdf-javascript', 'a name as an object', () => add('/JavaScript')],
  ['pdf-javascript', 'a name that PDFium ends early', () => add('<</S/JavaScript\x80x>>')],
  ['pdf-javascript', 'a name behind a comment', () => add('<</S%)\r/JavaScript>>')],
  ['pdf-javascript', 'a name behind a string', () => add('<</X(\\\\)/S/JavaScript>>')],
  ['pdf-javascript', 'a name behind a hexadecimal string', () => add('<</X<28>/S/JavaScript>>')],
  ['pdf-javascript', 'a key behind a bracket in its place', () => add('<<[/JS(1)]>>')],
  ['pdf-javascript', 'a key behind brackets that do not match', () => add('<</X[1>>/JS(1)]>>')],
  ['pdf-launch', 'a start of a program', () => add('<</S/Launch/F(cmd.exe)>>')],
  ['pdf-form-submission', 'a form that sends itself', () => add('<</S/SubmitForm/F(x)>>')],
  ['pdf-form-submission', 'a form that fetches', () => add('<</S/ImportData/F(x)>>')],
  ['pdf-remote-target', 'a place in another file', () => add('<</S/GoToR/F(//evil/x)>>')],
  ['pdf-remote-target', 'a place in an attached file', () => add('<</S/GoToE/F(//evil/x)>>')],
  ['pdf-remote-target', 'a file at an address', () => add('<</FS/URL/F(http://evil)>>')],
  ['pdf-remote-target', 'data in another file', () => add(toStream('/F(//evil/x)', ''))],
  ['pdf-xfa', 'a form in XML', () => add('<</AcroForm<</XFA 9 0 R>>>>')],
  [
    'pdf-embedded-file',
    'a list of attached files',
    () => add('<</Names<</EmbeddedFiles 9 0 R>>>>'),
  ],
  ['pdf-embedded-file', 'an attached file', () => add('<</Type/Filespec/EF<</F 9 0 R>>>>')],
  ['pdf-embedded-file', "an attached file's data", () => add(toStream('/Type/EmbeddedFile', ''))],
  ['pdf-embedded-file', 'a paper clip', () => add('<</Subtype/FileAttachment>>')],
  ['pdf-additional-action', 'an action of a page', () => add('<</AA<</O 9 0 R>>>>')],
  ['pdf-open-action', 'an address that opens itself', () => open('<</S/URI/URI(http://evil)>>')],
  ['pdf-open-action', 'an address after a place', () => open('<</S/GoTo/S/URI>>')],
  ['pdf-open-action', 'an action of no kind', () => open('<</D[3 0 R/Fit]>>')],
  ['pdf-open-action', 'a kind that stands elsewhere', () => open('<</S 9 0 R>>')],
  [
    'pdf-open-action',
    'an address by reference',
    () => open('6 0 R', '<</S/URI/URI(http://evil)>>'),
  ],
  ['pdf-open-action', 'an address by two references', () => open('6 0 R', '7 0 R')],
  [
    'pdf-open-action',
    'an address among packed objects',
    () => open('20 0 R', toObjectStream({ 19: '<<>>', 20: '<</S/URI/URI(http://evil)>>' })),
  ],
  ['pdf-action-chain', 'an action after another', () => open('<</S/GoTo/Next 9 0 R>>')],
]);

/** The same script where a search from the top does not come by. */
const hidden = toBadFiles('pdf', [
  ['pdf-javascript', 'in an update', () => updatePdf(plain, [script], 6)],
  ['pdf-javascript', 'in an older version of an object', () => updatePdf(add(script), ['<<>>'], 6)],
  ['pdf-javascript', 'after an open string', () => insert(`(\n9 0 obj${script}endobj\n`)],
  [
    'pdf-javascript',
    'after an open hexadecimal string',
    () => insert(`<\n9 0 obj${script}endobj\n`),
  ],
  ['pdf-javascript', 'in a comment', () => insert(`%9 0 obj${script}endobj\n`)],
  ['pdf-javascript', 'in data', () => add(toStream('', `9 0 obj${script}endobj`))],
  [
    'pdf-javascript',
    'behind a word glued to its number',
    () => insert(`(\n9 0obj${script}endobj\n`),
  ],
  ['pdf-javascript', 'with a comment in its number', () => insert(`(\n9%x\n0%y\nobj${script}\n`)],
  ['pdf-javascript', 'in a trailer', () => insert(`(\ntrailer<</Root<</A${script}>>>>\n`)],
  ['pdf-javascript', 'after a stream', () => add(`${toStream('', 'x')}${script}`)],
  ['pdf-javascript', 'in an object stream', () => add(toObjectStream({ 9: script }))],
  [
    'pdf-javascript',
    'in an object stream of no type',
    () => add(toFlateStream('/N 1/First 4', `9 0 ${script}`)),
  ],
  [
    'pdf-javascript',
    'in one without a filter',
    () => add(toStream('/N 1/First 4', `9 0 ${script}`)),
  ],
  ['pdf-javascript', 'in one that MuPDF alone reads', () => add(toStream('/N 1', `9 4 ${script}`))],
  [
    'pdf-javascript',
    'in one behind an open string',
    () => add(toFlateStream('/N 2/First 8', `8 0 9 2 ( ${script}`)),
  ],
  [
    'pdf-javascript',
    'in one whose dictionary is interrupted',
    () => add(toFlateStream('/Type/ObjStm/X 8 0 obj/N 1/First 4', `9 0 ${script}`)),
  ],
  [
    'pdf-javascript',
    'in one whose count looks like a value, for a blank that is none',
    () => add(toFlateStream('/A\xffB/C/N 1/First 4', `9 0 ${script}`)),
  ],
  [
    'pdf-javascript',
    'in one whose count looks like a value, for half a reference',
    () => add(toFlateStream('/A R/N 1/First 4', `9 0 ${script}`)),
  ],
  [
    'pdf-javascript',
    'in one that is cut off',
    () => add(toPacked(deflateSync(toBytes(`9 0 ${script}`)).subarray(0, -5))),
  ],
  [
    'pdf-javascript',
    'in one of a document that is said to be locked, and is not',
    () => encrypt(locked, toObjectStream({ 9: script })),
  ],
  [
    'pdf-javascript',
    'in one of such a document, whose data break',
    () => encrypt(locked, toPacked(breakOff(`9 0 ${script}`))),
  ],
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map(
      (name) =>
        [
          'pdf-javascript',
          `encrypted, ${name}`,
          () => readFileSync(new URL(name, folder)),
        ] as const,
    ),
]);

export const activePdfs: readonly BadFile[] = [...active, ...hidden];
