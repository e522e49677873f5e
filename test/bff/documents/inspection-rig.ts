// Creates an inspection pool with scripted children and a manual clock.

import { createSecretKey, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { inspectionDefaults } from '../../../bff/config/settings.ts';
import {
  createInspectionPool,
  type InspectionFailure,
  type InspectionPoolOptions,
  type Verdict,
  type StoredDocument,
} from '../../../bff/documents/inspection-pool.ts';
import { type EncryptedFile, encryptChunk } from '../../../bff/runtime/encrypted-file.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createFolder } from '../../support/temporary-folder.ts';

export const timeoutMs = 2_000;
export const unresponsiveMs = 30_000;
export const maxWaitMs = 20_000;

type Chunk = Uint8Array | string | Error;

/**
 * Closes at the end of the test.
 *
 * @param program a program in `children/`, without `-child.ts`.
 */
export function createInspectionRig(
  changes: Partial<InspectionPoolOptions> = {},
  program = 'scripted',
) {
  const time = createManualTime();
  const pool = createInspectionPool({
    ...inspectionDefaults,
    startTimer: time.startTimer,
    timeoutSeconds: timeoutMs / 1_000,
    program: new URL(`./children/${program}-child.ts`, import.meta.url),
    ...changes,
  });
  onTestFinished(() => pool.close());
  return {
    pool,
    time,
    inspect(
      given: string | readonly string[],
      onFailure?: (failure: InspectionFailure) => void,
    ): Promise<Verdict> {
      const chunks = [given].flat();
      return pool.inspect(
        toDocument(chunks.join('').length, () => chunks),
        onFailure,
      );
    },
    /** Resolves when exactly these timers are pending, in milliseconds from now. */
    untilTimers: (expected: readonly number[]) =>
      waitUntil(() => time.listTimers().join() === expected.join()),
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

/** Creates a folder for content files. `add` creates a file in it, and returns a `findFile` for the file. */
export function createContentFolder() {
  const contentFolder = createFolder();
  const key = randomBytes(32);
  let files = 0;

  function add(text: string): () => Promise<EncryptedFile> {
    const path = join(contentFolder, `d${files}`);
    files += 1;
    const chunks = text.match(/.{1,262143}/g) ?? [];
    const parts = chunks.flatMap((chunk, number) =>
      encryptChunk(createSecretKey(key), number, Buffer.from(chunk)),
    );
    writeFileSync(path, Buffer.concat(parts));
    return async () => ({ path, key: key.toString('base64'), chunkBytes: 262_143 });
  }

  return { contentFolder, add };
}

export function notChecked(reason: string): object {
  return { kind: 'not-checked', reason };
}

export const accepted = { kind: 'accepted', extension: 'pdf' };
