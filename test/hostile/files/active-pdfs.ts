// Active PDFs: everything that acts, in every place it can be hidden. For each place, MuPDF or PDF.js was seen to find what is in it.

import { activeContents } from './active-content.ts';
import { encryptionPlaces } from './encryption-places.ts';
import { hidingPlaces } from './hiding-places.ts';
import { toBytes, type HostileFile } from './hostile-file.ts';
import { objectStreamPlaces } from './object-stream-places.ts';
import { writePdf } from './pdf-writer.ts';

export const activePdfs: readonly HostileFile[] = [
  ...hidingPlaces,
  ...objectStreamPlaces,
  ...encryptionPlaces,
].flatMap((place) =>
  activeContents.map((content) => ({
    group: 'active PDF',
    name: `${content.name}, ${place.name}`,
    extension: 'pdf',
    expected: 'refused' as const,
    make: () => toBytes(place.hide(writePdf(), content.objects)),
  })),
);
