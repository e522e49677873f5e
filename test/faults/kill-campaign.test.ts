import { describe, expect, inject, it } from 'vitest';
import { runKillCampaign } from './kill-campaign.ts';
import { engines } from './storage.ts';

const kills = 60;

// One engine after the other: each restart starts inspection processes too, and two campaigns at once starve each other.
describe('BFFs that are killed again and again', () => {
  const postgresUrl = inject('postgresUrl');

  for (const engine of engines) {
    const isMissing = engine === 'PostgreSQL' && postgresUrl === undefined;
    it.skipIf(isMissing)(`lose nothing and file nothing twice on ${engine}`, async () => {
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
