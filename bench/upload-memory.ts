// Measures the increase of the BFF's resident memory during an upload of 25 MB, then during five concurrent uploads.

import {
  getLargePdf,
  getStatementPdf,
  type TestFile,
} from '../test/support/files/realistic-files.ts';
import { createApplicant, type Applicant } from './applicant.ts';
import { measureMemory, type MemoryUse } from './memory.ts';
import { startStack } from '../test/support/stack.ts';
import { unlimited } from '../test/support/unlimited.ts';

export interface Figure {
  readonly name: string;
  readonly use: MemoryUse;
  readonly uploadedBytes: number;
  /** Limit of the increase. Without a limit, the figure is informational. */
  readonly limitBytes?: number;
}

const mebibyte = 1024 * 1024;
const fileBytes = 25 * mebibyte;
const limitBytes = 60 * mebibyte;
const parallelUploads = 5;

export async function measureUploadMemory(): Promise<readonly Figure[]> {
  const [small, large] = [await getStatementPdf(), await getLargePdf(fileBytes)];
  // Each file is one byte shorter than the one before, because the BFF does not store the same file twice.
  const others: TestFile[] = [];
  while (others.length < parallelUploads) {
    others.push(await getLargePdf(fileBytes - others.length - 1));
  }
  const stack = await startStack({
    settings: {
      documents: { maxBytes: fileBytes, maxTotalBytes: 2 * fileBytes, undoSeconds: 0 },
      limits: unlimited,
    },
  });
  try {
    const applicant = await createApplicant(stack);
    // A session may upload two files at once.
    const otherApplicants: Applicant[] = [];
    while (otherApplicants.length < others.length) {
      otherApplicants.push(await createApplicant(stack));
    }
    // The first upload loads and compiles code, which must not count for the measured uploads.
    await applicant.upload(small);
    await applicant.waitForDelivery(1);

    const one = await measureMemory(stack.bffProcessId, async () => {
      await applicant.upload(large);
      await applicant.waitForDelivery(2);
    });
    const several = await measureMemory(stack.bffProcessId, async () => {
      await Promise.all(
        otherApplicants.map(async (other, index) => {
          const file = others[index];
          if (file) await other.upload(file);
          await other.waitForDelivery(1);
        }),
      );
    });
    return [
      { name: 'one upload of 25 MB', use: one, uploadedBytes: fileBytes, limitBytes },
      {
        name: `${parallelUploads} concurrent uploads of 25 MB`,
        use: several,
        uploadedBytes: parallelUploads * fileBytes,
      },
    ];
  } finally {
    await stack.stop();
  }
}

export function describeFigure({ name, use, uploadedBytes, limitBytes: limit }: Figure): string {
  const verdict =
    limit === undefined ? '' : use.riseBytes < limit ? '  within' : '  PAST THE LIMIT';
  const rate = toMegabytes(uploadedBytes / (use.durationMs / 1000));
  return [
    `BFF resident memory, ${name}`,
    `  baseline ${toMegabytes(use.baselineBytes)} MB`,
    `  peak     ${toMegabytes(use.peakBytes)} MB`,
    `  rise     ${toMegabytes(use.riseBytes)} MB${limit === undefined ? '' : `, limit ${toMegabytes(limit)} MB`}${verdict}`,
    `  duration ${(use.durationMs / 1000).toFixed(2)} s until delivered, ${rate} MB/s, ${use.samples} samples`,
  ].join('\n');
}

function toMegabytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
