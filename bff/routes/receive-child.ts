// Takes a document or asset report into the journal piece by piece, and waits a little for its delivery.

import { AppError } from '../app-error.ts';
import { readPieces } from '../documents/pieces.ts';
import { chunkPlace } from '../journal/places.ts';
import type { ApplicationRow, ChildRow, NewChild } from '../journal/records.ts';
import type { Seal } from '../journal/sealing.ts';
import { explainClosed } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toUploadPace } from './pace.ts';
import { waitForChild } from './wait-for-child.ts';

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
  /** How many of its kind one application may have. */
  readonly limit: number;
  /** Looks at the first piece and says what is to be kept; throws what refuses it. */
  readonly inspect: (first: Uint8Array) => Promise<NewChild> | NewChild;
  /** What makes two children of an application the same, given the SHA-256 of their bytes. */
  readonly toSameness: (sha256: string) => readonly string[];
}

/**
 * The child as it stands after a short wait; the same content twice is one child. What breaks off leaves nothing behind,
 * and memory does not grow with the length.
 */
export async function receiveChild(
  incoming: Incoming,
  dependencies: RouteDependencies,
): Promise<ChildRow> {
  const { application, seal, source, maxBytes, expectedBytes, limit } = incoming;
  const { journal } = dependencies;
  let child: NewChild | undefined;
  let isComplete = false;
  try {
    const end = await readPieces(
      source,
      { maxBytes, expectedBytes, pieceBytes, pace: toUploadPace(dependencies) },
      async (piece, index) => {
        if (index === 0) child = await beginChild(piece, incoming, dependencies);
        if (child) await addPiece(child.id, index, piece);
      },
    );
    if (end.kind === 'refused') throw new AppError(end.code);
    if (child === undefined) throw new AppError('document-empty');
    const fingerprint = seal.fingerprint(JSON.stringify(incoming.toSameness(end.sha256)));
    const result = await journal.completeChild(child.id, { fingerprint, bytes: end.bytes, limit });
    isComplete = true;
    if (result.kind === 'limit-reached') throw new AppError('document-limit-reached');
    if (result.kind === 'dropped') throw await explainClosed(journal, application.id);
    return await waitForChild(application, result.child, dependencies);
  } finally {
    if (child !== undefined && !isComplete) await journal.discardChild(child.id);
  }

  async function addPiece(childId: string, index: number, piece: Uint8Array): Promise<void> {
    const sealed = seal.seal(chunkPlace(childId, index), piece);
    const isKept = await journal.addChunk(childId, index, sealed);
    if (!isKept) throw await explainClosed(journal, application.id);
  }
}

async function beginChild(
  first: Uint8Array,
  { inspect, limit }: Incoming,
  { journal }: RouteDependencies,
): Promise<NewChild> {
  const child = await inspect(first);
  // One more than the limit is let in: it may be the last one again. Whether it is shows when it is whole.
  const begun = await journal.beginChild(child, limit + 1);
  if (begun === 'limit-reached') throw new AppError('document-limit-reached');
  if (begun === 'closed') throw await explainClosed(journal, child.applicationId);
  return child;
}
