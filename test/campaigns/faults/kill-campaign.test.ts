// A small version of the campaign `kills`: fewer points, different ones on each engine, and BFFs that inspect no documents.

import { describe, expect, inject, it } from 'vitest';
import { runKillCampaign } from './kill-campaign.ts';
import { engines } from './storage.ts';

const kills = { SQLite: 16, PostgreSQL: 12 } as const;
const seeds = { SQLite: 1, PostgreSQL: 2 } as const;

describe.each(engines)('BFFs that are killed repeatedly, on %s', (engine) => {
  const postgresUrl = inject('postgresUrl');
  const isMissing = engine === 'PostgreSQL' && postgresUrl === undefined;

  it.skipIf(isMissing)('neither lose nor duplicate an application', async () => {
    const result = await runKillCampaign({
      program: inject('bffProgram'),
      engine,
      kills: kills[engine],
      seed: seeds[engine],
      inspects: false,
      postgresUrl,
    });
    expect(result.violations).toEqual([]);
    expect(result.crashes).toEqual([]);
    expect(result.runs).toBe(kills[engine]);
    expect(result.acknowledged).toBeGreaterThan(kills[engine] / 2);
    // A process that does not reach its point in time is killed elsewhere.
    expect(result.points.length).toBeGreaterThan(kills[engine] / 2);
  });
});
