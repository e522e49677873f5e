// Inspects documents in a few child processes, so that one bad document harms nothing else.

import { extname } from 'node:path';
import type { After } from '../after.ts';
import type { Inspection } from './inspect-document.ts';
import {
  InspectionFault,
  mebibyte,
  startInspectionProcess,
  type Attempt,
  type InspectionFailure,
  type InspectionProcess,
  type WholeDocument,
} from './inspection-process.ts';

/** Defaults of the setting `documents.inspection`. */
export const inspectionDefaults = { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 };

/** For a turn. Two waits and two inspections have to fit into the 120 s after which the server closes a silent connection. */
const maxWaitMs = 20_000;

/** `not-checked`: the inspection failed twice, the second time with the machine's inspections to itself. */
export type Verdict =
  Inspection | { readonly kind: 'not-checked'; readonly reason: 'timeout' | 'memory' | 'crash' };

export interface InspectionPoolOptions {
  readonly after: After;
  /** Documents inspected at once. */
  readonly processes?: number;
  /** For one attempt, from the moment the whole document is in the child. */
  readonly timeoutMs?: number;
  /** Resident memory of one child. JavaScript objects may take half of it. */
  readonly memoryMegabytes?: number;
  /** Default: our own, `inspection-child`. */
  readonly program?: URL;
}

export interface InspectionPool {
  /** Starts a child if none is idle, so that it is ready by the time a document is. */
  prepare(): void;
  /**
   * Inspects in the order of the calls. Throws an `InspectionFault`, and the `AppError` that reading the content throws.
   *
   * @param onFailure called for each attempt that failed; the first failure is followed by another attempt
   */
  inspect(
    document: WholeDocument,
    onFailure?: (failure: InspectionFailure) => void,
  ): Promise<Verdict>;
  /** Ends all children, also those that inspect. */
  close(): Promise<void>;
}

export function createInspectionPool(options: InspectionPoolOptions): InspectionPool {
  const { after, processes = inspectionDefaults.processes } = options;
  const {
    timeoutMs = inspectionDefaults.timeoutSeconds * 1_000,
    memoryMegabytes = inspectionDefaults.memoryMegabytes,
    program = findProgram(),
  } = options;
  const turns = createTurns(processes, after);
  const children = new Set<InspectionProcess>();
  const idle = new Set<InspectionProcess>();
  let isClosed = false;

  function start(): InspectionProcess {
    const child = startInspectionProcess({ program, after, timeoutMs, memoryMegabytes });
    children.add(child);
    void child.closed.then(() => {
      children.delete(child);
      idle.delete(child);
    });
    return child;
  }

  function takeIdle(): InspectionProcess | undefined {
    const [child] = idle;
    if (child) idle.delete(child);
    return child;
  }

  async function attempt(document: WholeDocument, isAlone: boolean): Promise<Attempt> {
    if (isClosed) throw new InspectionFault('closed');
    // Memory that an earlier document left behind must not count against the second attempt.
    if (isAlone) await Promise.all([...children].map((child) => child.end()));
    const child = takeIdle() ?? start();
    let isReusable = false;
    try {
      const result = await child.inspect(document);
      if (isClosed) throw new InspectionFault('closed');
      // A child that has grown is replaced: idle memory is of no use, and the next document needs its own.
      isReusable =
        result.kind === 'inspected' && result.residentBytes < (memoryMegabytes * mebibyte) / 2;
      return result;
    } finally {
      if (isReusable) idle.add(child);
      else await child.end();
    }
  }

  return {
    prepare() {
      if (isClosed || idle.size > 0 || children.size >= processes) return;
      try {
        idle.add(start());
      } catch {
        // `inspect` meets the same fault and reports it.
      }
    },

    async inspect(document, onFailure = () => undefined) {
      const first = await turns.run('one', () => attempt(document, false));
      if (first.kind === 'inspected') return first.inspection;
      onFailure(first.failure);
      const second = await turns.run('all', () => attempt(document, true));
      if (second.kind === 'inspected') return second.inspection;
      onFailure(second.failure);
      const { reason } = second.failure;
      if (reason === 'interrupted') throw new InspectionFault(reason);
      return { kind: 'not-checked', reason };
    },

    async close() {
      isClosed = true;
      await Promise.all([...children].map((child) => child.end()));
    },
  };
}

interface Turns {
  /** Runs `work` beside others (`one`) or with no other work under way (`all`). */
  run<Result>(share: 'one' | 'all', work: () => Promise<Result>): Promise<Result>;
}

/** First come, first served; second attempts go first, so that nobody waits twice for the whole line. */
function createTurns(count: number, after: After): Turns {
  const line: { readonly share: 'one' | 'all'; readonly begin: () => void }[] = [];
  let free = count;

  function beginNext(): void {
    for (let next = line[0]; next; next = line[0]) {
      const needed = next.share === 'all' ? count : 1;
      if (needed > free) return;
      free -= needed;
      line.shift();
      next.begin();
    }
  }

  function take(share: 'one' | 'all'): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        share,
        begin() {
          cancel();
          resolve();
        },
      };
      const cancel = after(maxWaitMs, () => {
        line.splice(line.indexOf(waiting), 1);
        reject(new InspectionFault('overloaded'));
        beginNext();
      });
      const place = line.findIndex((other) => other.share === 'one');
      if (share === 'all' && place >= 0) line.splice(place, 0, waiting);
      else line.push(waiting);
      beginNext();
    });
  }

  return {
    async run(share, work) {
      await take(share);
      try {
        return await work();
      } finally {
        free += share === 'all' ? count : 1;
        beginNext();
      }
    },
  };
}

/** Lies beside this file and is of its kind: a source beside sources, a bundle beside the bundle. */
function findProgram(): URL {
  return new URL(`./inspection-child${extname(import.meta.url)}`, import.meta.url);
}
