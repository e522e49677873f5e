// Runs the whole ambiguity matrix several times.

import { createMatrix } from './ambiguity-matrix.ts';
import { findViolations } from './checker.ts';
import { operations } from '../../shared/funding-service/operations.ts';
import { matrixFaults } from './matrix-faults.ts';
import { toResult, type CampaignResult } from './result.ts';
import { createStorage, type StorageOptions } from './storage.ts';

export interface MatrixCampaignResult extends CampaignResult {
  /** Outcomes that were classified incorrectly, and rows with an unexpected final state. */
  readonly problems: readonly string[];
}

/** Each repeat has its own BFF, store, and funding service. */
export async function runMatrixCampaign(
  options: StorageOptions,
  repeats: number,
): Promise<MatrixCampaignResult> {
  const results: MatrixCampaignResult[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) results.push(await runOnce(options));
  const sum = (read: (result: MatrixCampaignResult) => number) =>
    results.reduce((total, result) => total + read(result), 0);
  return {
    runs: sum(({ runs }) => runs),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    twice: sum(({ twice }) => twice),
    falselyRejected: sum(({ falselyRejected }) => falselyRejected),
    violations: results.flatMap(({ violations }) => violations),
    problems: results.flatMap(({ problems }) => problems),
  };
}

async function runOnce(options: StorageOptions): Promise<MatrixCampaignResult> {
  const storage = await createStorage(options);
  const matrix = await createMatrix(storage.url);
  const problems: string[] = [];
  for (const operation of operations) {
    for (const fault of matrixFaults) problems.push(...(await matrix.runCell(operation, fault)));
  }
  const evidence = await matrix.world.readEvidence();
  await matrix.close();
  await storage.remove();
  return {
    ...toResult(evidence, findViolations(evidence)),
    runs: operations.length * matrixFaults.length,
    problems,
  };
}
