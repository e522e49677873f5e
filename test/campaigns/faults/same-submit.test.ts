import { describe, expect, inject, it } from 'vitest';
import { runSameSubmit, sameSubmitWays } from './same-submit.ts';
import type { Engine } from './storage.ts';

const setUps: readonly (readonly [Engine, number])[] = [
  ['SQLite', 1],
  ['PostgreSQL', 3],
];

describe.each(setUps)('twenty concurrent submissions on %s, %i BFFs', (engine, processes) => {
  const postgresUrl = inject('postgresUrl');
  const isMissing = engine === 'PostgreSQL' && postgresUrl === undefined;

  it.skipIf(isMissing)('create one lead', async () => {
    const result = await runSameSubmit({
      program: inject('bffProgram'),
      engine,
      processes,
      rounds: 1,
      postgresUrl,
    });
    expect(result.problems).toEqual([]);
    expect(result.violations).toEqual([]);
    expect(result.leads).toBe(sameSubmitWays.length);
  });
});
