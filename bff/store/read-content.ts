// Reads what a child is made of back from the store, piece by piece.

import type { Store } from './store.ts';
import { chunkPlace, type Seal } from './encryption.ts';

/** Ends early where the pieces are erased meanwhile. Throws when a piece was changed or sealed with another key. */
export async function* readContent(
  store: Pick<Store, 'readChunk'>,
  seal: Seal,
  childId: string,
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const sealed = await store.readChunk(childId, number);
    if (sealed === undefined) return;
    yield seal.open(chunkPlace(childId, number), sealed);
  }
}
