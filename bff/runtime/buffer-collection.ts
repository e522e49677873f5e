// Runs a minor garbage collection for every 8 MiB of content that is read from rows. docs/decisions/0004-keys-content-and-erasure.md
// explains why. Everywhere else, the memory of a chunk is freed at once.
//
// V8 underestimates the cost of unreferenced buffers. Without this file, the network, the cipher, the database, and Base64
// leave 60 to 90 MB of them behind before V8 collects. Measured with 2 MiB and `npm run bench -- memory`, files of 5 to 90 MB:
//
//                                           with            without
//   peak during one upload                  149 to 180 MB   185 to 236 MB
//   peak during three or five at once       160 to 221 MB   187 to 237 MB
//   processor time for 25 MB                0.6 s           0.9 s
//
// Neither peak grows with the size of the file.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const intervalBytes = 8 * 1024 * 1024;
const collect = exposeGarbageCollector();
let streamedBytes = 0;

/** Call this after each chunk, with its length, once nothing refers to the chunk. */
export function collectStreamedBuffers(chunkBytes: number): void {
  streamedBytes += chunkBytes;
  if (streamedBytes < intervalBytes) return;
  streamedBytes = 0;
  collect({ type: 'minor' });
}

/** Works without a command-line flag, so that a partner can embed the BFF in a server of their own. */
function exposeGarbageCollector(): (options: { readonly type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  return typeof gc === 'function' ? (options) => void gc(options) : () => undefined;
}
