// Reads what a child is made of back from the store, piece by piece.

import type { Store } from './store.ts';
import { chunkPlace, type ApplicationCipher } from './encryption.ts';

/** Ends early where the pieces are erased meanwhile. Throws when a piece was changed or sealed with another key. */
export async function* readContent(
  store: Pick<Store, 'readChunk'>,
  cipher: ApplicationCipher,
  attachmentId: string,
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const encrypted = await store.readChunk(attachmentId, number);
    if (encrypted === undefined) return;
    yield cipher.decrypt(chunkPlace(attachmentId, number), encrypted);
  }
}
