// Creates an inspection pool with scripted children and a manual clock.

import { inspectionDefaults } from '../../../bff/config/settings.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import {
  createInspectionPool,
  type InspectionFailure,
  type InspectionPool,
  type InspectionPoolOptions,
  type Verdict,
  type StoredDocument,
} from '../../../bff/documents/inspection-pool.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';

export const timeoutMs = 2_000;
export const unresponsiveMs = 30_000;
export const maxWaitMs = 20_000;
/** Starting processes takes long on a busy machine. */
export const testMs = 60_000;

type Chunk = Uint8Array | string | Error;

export interface InspectionRig {
  readonly pool: InspectionPool;
  readonly time: ManualTime;
  inspect(
    chunks: string | readonly string[],
    onFailure?: (failure: InspectionFailure) => void,
  ): Promise<Verdict>;
  /** Resolves when exactly these timers are pending, in milliseconds from now. */
  untilTimers(expected: readonly number[]): Promise<void>;
}

/** @param program a program in `children/`, without `-child.ts`. */
export function createInspectionRig(
  changes: Partial<InspectionPoolOptions> = {},
  program = 'scripted',
): InspectionRig {
  const time = createManualTime();
  const pool = createInspectionPool({
    ...inspectionDefaults,
    startTimer: time.startTimer,
    timeoutSeconds: timeoutMs / 1_000,
    program: new URL(`./children/${program}-child.ts`, import.meta.url),
    ...changes,
  });
  return {
    pool,
    time,
    inspect(given, onFailure) {
      const chunks = [given].flat();
      return pool.inspect(
        toDocument(chunks.join('').length, () => chunks),
        onFailure,
      );
    },
    untilTimers: (expected) => until(() => time.listTimers().join() === expected.join()),
  };
}

/** `read` is called for each attempt. The content throws errors in the list. */
export function toDocument(bytes: number, read: () => readonly Chunk[]): StoredDocument {
  return {
    extension: 'pdf',
    options: { allowedExtensions: ['pdf', 'png'] },
    bytes,
    async *content() {
      for (const chunk of read()) {
        if (chunk instanceof Error) throw chunk;
        yield Buffer.from(chunk);
      }
    },
  };
}

export function notChecked(reason: string): object {
  return { kind: 'not-checked', reason };
}

export const accepted = { kind: 'accepted', extension: 'pdf' };

/** Polls until the test's own timeout. */
export async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise<void>((resolve) => {
      startUnrefTimer(5, resolve);
    });
  }
}
