// BFFs that are killed while they send webhooks, for example after the receiver has an event and before that is recorded. On
// PostgreSQL, two BFFs share the store.

import { describe, expect, inject, it } from 'vitest';
import { runKillCampaign } from './kill-campaign.ts';
import { killPoints } from './kill-points.ts';
import { engines } from './storage.ts';

const kills = 8;
const points = killPoints.filter((point) => /webhook|Event/.test(point));

describe.each(engines)('BFFs that are killed while they send events, on %s', (engine) => {
  const postgresUrl = inject('postgresUrl');
  const isMissing = engine === 'PostgreSQL' && postgresUrl === undefined;

  it.skipIf(isMissing)('lose no event', async () => {
    const result = await runKillCampaign({
      program: inject('bffProgram'),
      engine,
      kills,
      points,
      processes: engine === 'PostgreSQL' ? 2 : 1,
      seed: 3,
      applicantsPerSecond: 8,
      faultShare: 0.05,
      inspects: false,
      postgresUrl,
    });
    expect(result.violations).toEqual([]);
    expect(result.crashes).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(kills / 2);
    expect(result.points.length).toBeGreaterThan(kills / 2);
  });
});
