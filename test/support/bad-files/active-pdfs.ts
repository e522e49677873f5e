// PDFs that the inspection must refuse for active content or attachments: each kind of action at each position where a viewer runs
// it. The hostile files hide the same contents.

import { readdirSync, readFileSync } from 'node:fs';
import { type PdfRow, toObjectStream, writePdfRow } from '../files/pdf.ts';
import { readRows } from '../files/rows.ts';
import { type BadFile, toBadFiles } from './bad-file.ts';

/** Without a `detail`: allowed, because it is harmless or needs a click. */
export type ActiveContent = PdfRow & Partial<Pick<BadFile, 'detail' | 'isStrict'>>;

export const activeContents = readRows<ActiveContent>('active-contents.ndjson', import.meta.url);

const encrypted = new URL('../../fixtures/encrypted-javascript/', import.meta.url);

export const activePdfs: readonly BadFile[] = [
  ...activeContents.flatMap(({ detail, ...row }) =>
    detail ? [{ ...row, detail, extension: 'pdf', make: () => writePdfRow(row) }] : [],
  ),
  ...toBadFiles(
    'pdf',
    {
      'pdf-script': {
        'a script in an object stream': withObjectStream,
        ...Object.fromEntries(
          readdirSync(encrypted)
            .filter((name) => name.endsWith('.pdf') && name !== 'aes-256-owner.pdf')
            .map((name) => [`encrypted, ${name}`, () => readFileSync(new URL(name, encrypted))]),
        ),
      },
    },
    true,
  ),
];

function withObjectStream(): Buffer {
  const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
  return writePdfRow({
    catalog: `/OpenAction ${script}`,
    objects: [toObjectStream([[9, script]])],
  });
}
