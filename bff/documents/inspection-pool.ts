// Inspects whole documents in a few threads that are ended when they take too long; one bad document harms no other one.

import { extname } from 'node:path';
import type { After } from '../after.ts';
import {
  startInspectionThread,
  type InspectionThread,
  type Verdict,
  type WholeDocument,
} from './inspection-thread.ts';

export interface InspectionPoolOptions {
  readonly after: After;
  /** How many documents are looked at at once; default 2. */
  readonly threads?: number;
  /** How long one may take, without waiting for its turn; default 2,000. */
  readonly timeLimitMs?: number;
  /** The program of the threads; default our own. */
  readonly program?: URL;
}

export interface InspectionPool {
  /**
   * In the order of asking. How many may wait is for the caller to limit. Throws what reading the content throws, and when no
   * thread can begin.
   */
  inspect(document: WholeDocument): Promise<Verdict>;
  /** Ends all threads; to be called once nothing is being inspected. */
  close(): Promise<void>;
}

/** Threads are begun when they are first needed, then kept. */
export function createInspectionPool(options: InspectionPoolOptions): InspectionPool {
  const { after, threads = 2, timeLimitMs = 2_000, program = findProgram() } = options;
  const idle: InspectionThread[] = [];
  const waiting: (() => void)[] = [];
  let free = threads;

  async function takeTurn(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function giveTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  function takeThread(): InspectionThread {
    for (let thread = idle.pop(); thread; thread = idle.pop()) {
      if (!thread.hasEnded()) return thread;
    }
    return startInspectionThread({ program, after, timeLimitMs });
  }

  return {
    async inspect(document) {
      await takeTurn();
      try {
        const thread = takeThread();
        try {
          return await thread.inspect(document);
        } finally {
          if (!thread.hasEnded()) idle.push(thread);
        }
      } finally {
        giveTurn();
      }
    },

    async close() {
      await Promise.all(idle.splice(0).map((thread) => thread.end()));
    },
  };
}

/** Beside this file, and of its kind: a source beside sources, a bundle beside the bundle. */
function findProgram(): URL {
  return new URL(`./inspection-worker${extname(import.meta.url)}`, import.meta.url);
}
