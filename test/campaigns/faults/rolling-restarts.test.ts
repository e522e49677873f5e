import { expect, inject, it } from 'vitest';
import { runRollingRestarts } from './rolling-restarts.ts';

const postgresUrl = inject('postgresUrl');

it.skipIf(!postgresUrl)('three BFFs lose no request during rolling restarts', async () => {
  const result = await runRollingRestarts({
    program: inject('bffProgram'),
    postgresUrl: postgresUrl!,
    restarts: 3,
    inspects: false,
    applicantsPerSecond: 5,
  });
  expect(result.violations).toEqual([]);
  expect(result.resetKinds).toEqual([]);
  expect(result.acknowledged).toBeGreaterThan(0);
});
