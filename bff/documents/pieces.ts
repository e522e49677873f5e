// Cuts an incoming body into pieces of one size, counts and hashes it on the way, and stops at the limits.

import { createHash } from 'node:crypto';
import { createIncomingChunks, type Pace } from './incoming-chunks.ts';
import { relieveMemory } from './memory-relief.ts';

export interface PieceOptions {
  /** Bytes of one file; a longer body is refused as soon as that is known. */
  readonly maxBytes: number;
  /** The announced length (`Content-Length`). */
  readonly expectedBytes: number;
  /** A multiple of three, so that each piece becomes Base64 on its own. */
  readonly pieceBytes: number;
  readonly pace: Pace;
}

/** How the reading ended. */
export type PiecesEnd =
  | { readonly kind: 'whole'; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'too-large' | 'incomplete' };

/** Takes one piece, numbered from 0; each is memory of its own that may be kept. */
export type TakePiece = (piece: Uint8Array, index: number) => Promise<void> | void;

/** Reads `source` to its end. All pieces but the last have `pieceBytes` bytes; an empty body has none. Throws what `take` throws. */
export async function readPieces(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, expectedBytes, pieceBytes, pace }: PieceOptions,
  take: TakePiece,
): Promise<PiecesEnd> {
  if (expectedBytes > maxBytes) return { kind: 'too-large' };
  const buffer = createPieceBuffer(pieceBytes, expectedBytes);
  const hash = createHash('sha256');
  const chunks = createIncomingChunks(source, pace);
  let bytes = 0;
  let index = 0;
  try {
    for (;;) {
      const chunk = await chunks.next();
      if (chunk === 'broken') return { kind: 'incomplete' };
      if (chunk === 'end') break;
      bytes += chunk.byteLength;
      if (bytes > expectedBytes) return { kind: 'incomplete' };
      hash.update(chunk);
      for (const piece of buffer.add(chunk)) {
        await take(piece, index);
        index += 1;
        relieveMemory(piece.byteLength);
      }
    }
    if (bytes !== expectedBytes) return { kind: 'incomplete' };
    const rest = buffer.rest();
    if (rest) await take(rest, index);
    return { kind: 'whole', bytes, sha256: hash.digest('hex') };
  } finally {
    await chunks.close();
  }
}

interface PieceBuffer {
  /** The pieces that are full now. */
  readonly add: (chunk: Uint8Array) => Generator<Uint8Array>;
  readonly rest: () => Uint8Array | undefined;
}

/** `longest` is how much can come at most, so that a small file does not take a whole piece of memory. */
function createPieceBuffer(pieceBytes: number, longest: number): PieceBuffer {
  let remaining = longest;
  let piece = new Uint8Array(0);
  let filled = 0;

  function* add(chunk: Uint8Array): Generator<Uint8Array> {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (filled === 0) piece = new Uint8Array(Math.min(pieceBytes, remaining));
      const part = rest.subarray(0, piece.byteLength - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      remaining -= part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (filled < pieceBytes) continue;
      filled = 0;
      yield piece;
    }
  }

  return { add, rest: () => (filled > 0 ? piece.subarray(0, filled) : undefined) };
}
