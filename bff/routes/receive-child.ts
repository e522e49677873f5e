// Takes a document or asset report into the journal piece by piece, and looks at it whole before it counts.

import { AppError } from '../app-error.ts';
import type { Pace } from '../documents/incoming-chunks.ts';
import { relieveMemory } from '../documents/memory-relief.ts';
import { readPieces } from '../documents/pieces.ts';
import { chunkPlace } from '../journal/places.ts';
import { readContent } from '../journal/read-content.ts';
import type { ApplicationRow, ChildRow, NewChild } from '../journal/records.ts';
import type { Seal } from '../journal/sealing.ts';
import { explainClosed } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';

/**
 * A multiple of three below 256 KiB. Larger pieces become strings and buffers that wait for a full collection: a 25 MB file
 * in 1 MB pieces raises the process's memory by 60 to 100 MB, in these by 40.
 */
const pieceBytes = 262_143;

export interface Incoming {
  readonly application: ApplicationRow;
  readonly seal: Seal;
  readonly source: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  readonly expectedBytes: number;
  readonly pace: Pace;
  /** How many of its kind one application may have. */
  readonly limit: number;
  /** How many bytes all of its kind may have together; default no matter how many. */
  readonly maxTotalBytes?: number;
  readonly child: NewChild;
  /** Looks at the first piece; throws what refuses it. Default: it is not looked at. */
  readonly lookAtBeginning?: (first: Uint8Array) => void;
  /** Looks at the whole and says its name; throws what refuses it. Default: it is not looked at, and has none. */
  readonly inspect?: (
    content: () => AsyncIterable<Uint8Array>,
    bytes: number,
  ) => Promise<Uint8Array>;
  /** What makes two children of an application the same, given the SHA-256 of their bytes. */
  readonly toSameness: (sha256: string) => readonly string[];
}

/**
 * The child as it is kept from now on; the same content twice is one child. What breaks off or is refused leaves nothing
 * behind, and memory does not grow with the length.
 */
export async function receiveChild(
  incoming: Incoming,
  { journal }: Pick<RouteDependencies, 'journal'>,
): Promise<ChildRow> {
  const { application, seal, child, source, maxBytes, expectedBytes, pace } = incoming;
  const { limit, maxTotalBytes } = incoming;
  let hasBegun = false;
  let isComplete = false;
  try {
    const options = { maxBytes, expectedBytes, pieceBytes, pace };
    const end = await readPieces(source, options, takePiece);
    if (end.kind === 'refused') throw new AppError(end.code);
    if (!hasBegun) throw new AppError('document-empty');
    const { bytes, sha256 } = end;
    const sealedName = await incoming.inspect?.(() => readWhole(bytes), bytes);
    const fingerprint = seal.fingerprint(JSON.stringify(incoming.toSameness(sha256)));
    const completed = { fingerprint, bytes, sealedName, limit, maxTotalBytes };
    const result = await journal.completeChild(child.id, completed);
    isComplete = true;
    if ('child' in result) return result.child;
    if (result.kind === 'dropped') throw await explainClosed(journal, application.id);
    throw new AppError(`document-${result.kind}`);
  } finally {
    if (hasBegun && !isComplete) await journal.discardChild(child.id);
  }

  async function takePiece(piece: Uint8Array, index: number): Promise<void> {
    if (index === 0) {
      incoming.lookAtBeginning?.(piece);
      await begin();
    }
    const sealed = seal.seal(chunkPlace(child.id, index), piece);
    const isKept = await journal.addChunk(child.id, index, sealed);
    if (!isKept) throw await explainClosed(journal, application.id);
  }

  async function begin(): Promise<void> {
    // One more than the limit is let in: it may be the last one again. Whether it is shows when it is whole.
    const begun = await journal.beginChild(child, limit + 1);
    if (begun === 'limit-reached') throw new AppError('document-limit-reached');
    if (begun === 'closed') throw await explainClosed(journal, application.id);
    hasBegun = true;
  }

  async function* readWhole(bytes: number): AsyncGenerator<Uint8Array> {
    let read = 0;
    for await (const piece of readContent(journal, seal, child.id)) {
      read += piece.byteLength;
      yield piece;
      relieveMemory(piece.byteLength);
    }
    // Its pieces went with the application, which is no fault of the document.
    if (read !== bytes) throw await explainClosed(journal, application.id);
  }
}
