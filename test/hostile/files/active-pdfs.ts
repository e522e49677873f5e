// Active PDFs: everything that acts, in the open and in every place where it can be hidden, under both policies. For each hiding
// place, MuPDF or PDF.js was seen to find what is in it.

import { activeContents, type ActiveContent } from './active-content.ts';
import { encryptionPlaces } from './encryption-places.ts';
import { hidingPlaces, type HidingPlace } from './hiding-places.ts';
import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import { lyingTables } from './lying-tables.ts';
import { objectStreamPlaces } from './object-stream-places.ts';
import { writePdfText, statementObjects } from '../../support/file-writers/pdf-writer.ts';

/** The statement written anew, with nothing to hide. */
const inTheOpen: HidingPlace = {
  name: 'in the open',
  hide: (_statement, objects) => writePdfText([...new Map([...statementObjects, ...objects])]),
};

export const activePdfs: readonly HostileFile[] = [
  inTheOpen,
  ...hidingPlaces,
  ...objectStreamPlaces,
  ...encryptionPlaces,
].flatMap((place) => listFiles('active PDF', place));

export const lyingTablePdfs: readonly HostileFile[] = lyingTables.flatMap((place) =>
  listFiles('lying table', place),
);

/** One file a policy and content. */
function listFiles(group: string, place: HidingPlace): HostileFile[] {
  return (['accept', 'refuse'] as const).flatMap((scripts) =>
    activeContents.map((content) => ({
      group,
      name: `${content.name}, ${place.name}${scripts === 'refuse' ? ', strict' : ''}`,
      extension: 'pdf',
      scripts,
      expected: toExpected(content, place, scripts),
      make: () => toBytes(place.hide(writePdfText(), content.objects)),
    })),
  );
}

/** What is allowed must be accepted in the open. Where it is hidden, the file may be too damaged to open. */
function toExpected(
  { refused }: ActiveContent,
  place: HidingPlace,
  scripts: 'accept' | 'refuse',
): HostileFile['expected'] {
  if (refused === 'always' || (refused === 'strict' && scripts === 'refuse')) return 'refused';
  return place === inTheOpen ? 'accepted' : 'either';
}
