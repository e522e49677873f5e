// One thread that inspects documents, one after another, as its owner sees it: it may hang or end, and is ended then.

import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { After } from '../after.ts';
import type { Inspection } from './inspect-document.ts';

/** Small, so that a thread collects before it asks for more. Buffers do not count: a document's size is limited, and so is what the inspection inflates. */
const heapLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 } as const;

/** A document whose pieces are all at hand, to be read one by one. */
export interface WholeDocument {
  /** From the file's name, without dot, in any case. */
  readonly extension: string;
  readonly allowedExtensions: readonly string[];
  /** Of all pieces together. */
  readonly bytes: number;
  /** Asked for once the document's turn has come. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** `timeout`: it took longer than it may. `worker-ended`: the thread broke or ran out of memory. */
export type Verdict =
  | Inspection
  | {
      readonly kind: 'refused';
      readonly code: 'document-unsafe';
      readonly detail: 'timeout' | 'worker-ended';
    };

export type ToThread =
  | {
      readonly kind: 'begin';
      readonly extension: string;
      readonly allowedExtensions: readonly string[];
      readonly bytes: number;
    }
  | { readonly kind: 'piece'; readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' };

export type FromThread =
  { readonly kind: 'ready' } | { readonly kind: 'inspected'; readonly inspection: Inspection };

export interface ThreadOptions {
  /** The program of the thread. */
  readonly program: URL;
  readonly after: After;
  /** How long one inspection may take, from the moment the document is whole there. */
  readonly timeLimitMs: number;
}

export interface InspectionThread {
  /** Throws what reading the content throws, and when the thread could not begin at all. */
  inspect(document: WholeDocument): Promise<Verdict>;
  hasEnded(): boolean;
  end(): Promise<void>;
}

export function startInspectionThread(options: ThreadOptions): InspectionThread {
  const { program, after, timeLimitMs } = options;
  const worker = new Worker(program, {
    // It needs none of our secrets, nor what node was told to load into this process.
    env: {},
    execArgv: [],
    resourceLimits: heapLimits,
  });
  // A thread that waits for the next document does not keep the process alive.
  worker.unref();
  let isRunning = true;
  const ended = new Promise<'ended'>((resolve) => {
    worker.once('exit', () => {
      isRunning = false;
      resolve('ended');
    });
  });
  let cause: unknown;
  worker.on('error', (error) => (cause ??= error));
  const ready = Promise.race([nextMessage(), ended]);

  function nextMessage(): Promise<FromThread> {
    return new Promise((resolve) => {
      worker.once('message', resolve);
    });
  }

  function post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    worker.postMessage(message, transfer);
  }

  async function handOver({ extension, allowedExtensions, bytes, content }: WholeDocument) {
    post({ kind: 'begin', extension, allowedExtensions, bytes });
    for await (const piece of content()) {
      // A copy, since what is given may be part of a memory that others use.
      const own = new Uint8Array(piece);
      post({ kind: 'piece', piece: own }, [own.buffer]);
    }
  }

  /**
   * Over only once the messages that had come by then are read: where this thread itself stood still, the verdict lies there
   * already.
   */
  function passing(ms: number): { readonly over: Promise<'timeout'>; readonly cancel: () => void } {
    let cancel: () => void = () => undefined;
    const over = new Promise<'timeout'>((resolve) => {
      cancel = after(ms, () => resolve(setImmediate('timeout')));
    });
    return { over, cancel };
  }

  function end(): Promise<void> {
    isRunning = false;
    return worker.terminate().then(() => undefined);
  }

  return {
    async inspect(document) {
      // A thread that cannot begin is a fault of ours, and no document's.
      if ((await ready) === 'ended') throw new Error('The inspection cannot begin', { cause });
      await handOver(document);
      const message = nextMessage();
      const limit = passing(timeLimitMs);
      post({ kind: 'end' });
      const result = await Promise.race([message, ended, limit.over]);
      limit.cancel();
      if (result === 'timeout') await end();
      if (result === 'timeout') return { kind: 'refused', code: 'document-unsafe', detail: result };
      if (result !== 'ended' && result.kind === 'inspected') return result.inspection;
      return { kind: 'refused', code: 'document-unsafe', detail: 'worker-ended' };
    },
    hasEnded: () => !isRunning,
    end,
  };
}
