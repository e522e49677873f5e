import { beforeAll, describe, expect, inject, it } from 'vitest';
import { operations } from '../../../shared/funding-service/operations.ts';
import { matrixFaults, runMatrix, toMatrixKey, type MatrixResult } from './ambiguity-matrix.ts';
import { engines, type Engine } from './storage.ts';

const postgresUrl = inject('postgresUrl');
const usedEngines = engines.filter((engine) => engine === 'SQLite' || postgresUrl !== undefined);
const results = new Map<Engine, MatrixResult>();

// At the same time on both engines, because most of the time is spent waiting for timeouts.
beforeAll(async () => {
  await Promise.all(
    usedEngines.map(async (engine) => {
      results.set(engine, await runMatrix({ engine, postgresUrl }));
    }),
  );
}, 300_000);

describe.each(usedEngines)('a call to the funding service with a fault, on %s', (engine) => {
  describe.each(operations)('%s', (operation) => {
    it.each(matrixFaults)('has the expected outcome: $name', (fault) => {
      expect(results.get(engine)?.problems.get(toMatrixKey(operation, fault))).toEqual([]);
    });
  });

  it('violates no invariant', () => {
    expect(results.get(engine)?.violations).toEqual([]);
  });
});
