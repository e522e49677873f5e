import { describe, expect, inject, it } from 'vitest';
import { runKillCampaign } from './kill-campaign.ts';
import { engines } from './storage.ts';

const kills = 60;

// The engines run one after the other: every restart also starts inspection processes, and two campaigns would compete for CPU.
describe('BFFs that are killed repeatedly', () => {
  const postgresUrl = inject('postgresUrl');

  for (const engine of engines) {
    const isMissing = engine === 'PostgreSQL' && postgresUrl === undefined;
    it.skipIf(isMissing)(`lose and duplicate no application on ${engine}`, async () => {
      const result = await runKillCampaign({
        program: inject('bffProgram'),
        engine,
        kills,
        postgresUrl,
      });
      expect(result.violations).toEqual([]);
      expect(result.crashes).toEqual([]);
      expect(result.runs).toBe(kills);
      expect(result.acknowledged).toBeGreaterThan(kills / 2);
      expect(result.points.length).toBeGreaterThan(25);
    });
  }
});
