// The inside of an inspection thread: gathers a document from its pieces, has it inspected, and answers what it is.

import type { MessagePort } from 'node:worker_threads';
import type { Inspection } from './inspect-document.ts';
import type { FromThread, ToThread } from './inspection-thread.ts';

export type Inspect = (
  document: { readonly bytes: Uint8Array; readonly extension: string },
  allowedExtensions: readonly string[],
) => Promise<Inspection>;

interface Gathered {
  readonly extension: string;
  readonly allowedExtensions: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  filled: number;
}

/** What throws in here ends the thread, which refuses the document. */
export function serveInspections(port: MessagePort, inspect: Inspect): void {
  let gathered: Gathered | undefined;

  function addPiece(piece: Uint8Array<ArrayBuffer>): void {
    if (!gathered) throw new RangeError('A piece came before its document');
    gathered.bytes.set(piece, gathered.filled);
    gathered.filled += piece.byteLength;
    free(piece);
  }

  async function inspectGathered(): Promise<void> {
    if (gathered?.filled !== gathered?.bytes.byteLength || !gathered) {
      throw new RangeError('A document is not whole');
    }
    const { extension, bytes, allowedExtensions } = gathered;
    gathered = undefined;
    const inspection = await inspect({ extension, bytes }, allowedExtensions);
    free(bytes);
    answer({ kind: 'inspected', inspection });
  }

  function answer(message: FromThread): void {
    port.postMessage(message);
  }

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'begin': {
        const { extension, allowedExtensions, bytes } = message;
        gathered = { extension, allowedExtensions, bytes: new Uint8Array(bytes), filled: 0 };
        return;
      }
      case 'piece':
        addPiece(message.piece);
        return;
      case 'end':
        void inspectGathered();
    }
  });
  answer({ kind: 'ready' });
}

/** At once: a thread that then waits would keep a dead document until it collects, which may be never. */
function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}
