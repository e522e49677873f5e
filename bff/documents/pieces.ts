// Cuts an incoming body into pieces of one size, counts and hashes it on the way, and stops at the limits.

import { createHash } from 'node:crypto';
import { relieveMemory } from './memory-relief.ts';

/** The largest multiple of three below 1 MiB, so that each piece becomes Base64 on its own. */
export const defaultPieceBytes = 1_048_575;

export interface PieceOptions {
  /** Bytes of one file; a longer body is refused as soon as that is known. */
  readonly maxBytes: number;
  /** The announced length (`Content-Length`), if there was one. */
  readonly expectedBytes?: number | undefined;
  /** A multiple of three; default `defaultPieceBytes`. */
  readonly pieceBytes?: number;
}

/** How the reading ended; a `code` is one of our problem codes. */
export type PiecesEnd<Stop> =
  | { readonly kind: 'whole'; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'refused'; readonly code: 'document-too-large' | 'document-incomplete' }
  | { readonly kind: 'stopped'; readonly by: Stop };

/**
 * Takes one piece, numbered from 0; each is memory of its own that may be kept. Anything but `undefined` stops the
 * reading and is handed back.
 */
export type TakePiece<Stop> = (
  piece: Uint8Array,
  index: number,
) => Promise<Stop | undefined> | Stop | undefined;

/** Reads `source` to its end. All pieces but the last have `pieceBytes` bytes; an empty body has none. Throws what `take` throws. */
export async function readPieces<Stop = never>(
  source: AsyncIterable<Uint8Array>,
  options: PieceOptions,
  take: TakePiece<Stop>,
): Promise<PiecesEnd<Stop>> {
  const { maxBytes, expectedBytes } = options;
  if (expectedBytes !== undefined && expectedBytes > maxBytes) return tooLarge;
  const longest = Math.min(expectedBytes ?? maxBytes, maxBytes);
  const buffer = createPieceBuffer(options.pieceBytes ?? defaultPieceBytes, longest);
  const hash = createHash('sha256');
  const chunks = source[Symbol.asyncIterator]();
  let isOpen = true;
  let bytes = 0;
  let index = 0;
  try {
    for (;;) {
      const chunk = await nextChunk(chunks);
      if (chunk === 'broken' || chunk === 'end') isOpen = false;
      if (chunk === 'broken') return incomplete;
      if (chunk === 'end') break;
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return tooLarge;
      if (expectedBytes !== undefined && bytes > expectedBytes) return incomplete;
      hash.update(chunk);
      for (const piece of buffer.add(chunk)) {
        const by = await take(piece, index);
        if (by !== undefined) return { kind: 'stopped', by };
        index += 1;
        relieveMemory(piece.byteLength);
      }
    }
    if (expectedBytes !== undefined && bytes !== expectedBytes) return incomplete;
    const rest = buffer.rest();
    const by = rest && (await take(rest, index));
    if (by !== undefined) return { kind: 'stopped', by };
    return { kind: 'whole', bytes, sha256: hash.digest('hex') };
  } finally {
    if (isOpen) await chunks.return?.();
  }
}

const tooLarge = { kind: 'refused', code: 'document-too-large' } as const;
const incomplete = { kind: 'refused', code: 'document-incomplete' } as const;

/** A body that breaks off (the browser went away, the network failed) is an expected end, whatever the error is. */
async function nextChunk(
  chunks: AsyncIterator<Uint8Array>,
): Promise<Uint8Array | 'end' | 'broken'> {
  try {
    const next = await chunks.next();
    return next.done ? 'end' : next.value;
  } catch {
    return 'broken';
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
