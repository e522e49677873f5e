// A pool of scripted inspection children on a manual clock, for tests.

import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import {
  createInspectionPool,
  type InspectionFailure,
  type InspectionPool,
  type InspectionPoolOptions,
  type Verdict,
  type StoredDocument,
} from '../../../bff/documents/inspection-pool.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';

export const timeoutMs = 2_000;
export const unresponsiveMs = 30_000;
export const maxWaitMs = 20_000;
/** Processes take their time on a busy machine. */
export const testMs = 60_000;

export type Piece = Uint8Array | string | Error;

export interface InspectionRig {
  readonly pool: InspectionPool;
  readonly time: ManualTime;
  inspect(
    pieces: string | readonly string[],
    onFailure?: (failure: InspectionFailure) => void,
  ): Promise<Verdict>;
  /** Resolves when exactly these timers are set, in milliseconds from now. */
  untilTimers(expected: readonly number[]): Promise<void>;
}

/** @param program of `children/` */
export function createInspectionRig(
  changes: Partial<InspectionPoolOptions> = {},
  program = 'scripted',
): InspectionRig {
  const time = createManualTime();
  const pool = createInspectionPool({
    startTimer: time.startTimer,
    timeoutMs,
    program: new URL(`./children/${program}-child.ts`, import.meta.url),
    ...changes,
  });
  return {
    pool,
    time,
    inspect(given, onFailure) {
      const pieces = [given].flat();
      return pool.inspect(
        toDocument(pieces.join('').length, () => pieces),
        onFailure,
      );
    },
    untilTimers: (expected) => until(() => time.listTimers().join() === expected.join()),
  };
}

/** `read` is called for each attempt. An error among the pieces is thrown. */
export function toDocument(bytes: number, read: () => readonly Piece[]): StoredDocument {
  return {
    extension: 'pdf',
    options: { allowedExtensions: ['pdf', 'png'] },
    bytes,
    async *content() {
      for (const piece of read()) {
        if (piece instanceof Error) throw piece;
        yield Buffer.from(piece);
      }
    },
  };
}

export function notChecked(reason: string): object {
  return { kind: 'not-checked', reason };
}

export const accepted = { kind: 'accepted', extension: 'pdf' };

/** Waits as long as the test may run. */
export async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise<void>((resolve) => {
      startUnrefTimer(5, resolve);
    });
  }
}
