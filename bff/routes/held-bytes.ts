// A limit on the memory that bodies take together while they are held whole.

import { AppError } from '../app-error.ts';

export type HoldBytes = <Result>(bytes: number, run: () => Promise<Result>) => Promise<Result>;

const retryAfterSeconds = 5;

/**
 * Runs what is given while there is room for its bytes, and refuses it with `too-busy` when there is none.
 * @param maxBytes of all bodies of one process.
 */
export function createHeldBytes(maxBytes: number): HoldBytes {
  let held = 0;

  return async function holdBytes(bytes, run) {
    if (held + bytes > maxBytes) throw new AppError('too-busy', { retryAfterSeconds });
    held += bytes;
    try {
      return await run();
    } finally {
      held -= bytes;
    }
  };
}
