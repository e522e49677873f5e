// Reads what a child is made of back from the journal, piece by piece.

import type { Journal } from './journal.ts';
import { chunkPlace } from './places.ts';
import type { Seal } from './sealing.ts';

/** Ends early where the pieces are erased meanwhile. Throws when a piece was changed or sealed with another key. */
export async function* readContent(
  journal: Pick<Journal, 'readChunk'>,
  seal: Seal,
  childId: string,
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const sealed = await journal.readChunk(childId, number);
    if (sealed === undefined) return;
    yield seal.open(chunkPlace(childId, number), sealed);
  }
}
