import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createMatrix, type Matrix, matrixFaults } from './ambiguity-matrix.ts';
import { findViolations } from './invariants.ts';
import { operations } from '../../shared/funding-service/operations.ts';
import { createStorage, engines, type Storage } from './storage.ts';

describe.each(engines)('on %s', (engine) => {
  const isMissing = engine === 'PostgreSQL' && inject('postgresUrl') === undefined;

  describe.skipIf(isMissing)('calls to the funding service with a fault', () => {
    let storage: Storage;
    let matrix: Matrix;

    beforeAll(async () => {
      storage = await createStorage({ engine, postgresUrl: inject('postgresUrl') });
      matrix = await createMatrix(storage.url);
    });

    afterAll(async () => {
      await matrix.close();
      await storage.remove();
    });

    describe.each(operations)('%s', (operation) => {
      it.each(matrixFaults)('classifies the outcome correctly: $name', async (fault) => {
        expect(await matrix.runCell(operation, fault)).toEqual([]);
      });
    });

    it('violates no invariant', async () => {
      expect(findViolations(await matrix.simulation.readEvidence())).toEqual([]);
    });
  });
});
