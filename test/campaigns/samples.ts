// A sample of each campaign, as a test.

import { afterAll, expect, it } from 'vitest';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { type Campaign, createServices } from './campaign.ts';

export function testSamples(campaigns: readonly Campaign[]): void {
  const services = createServices();
  const isWithoutPostgres = !readTestTools().postgres;
  afterAll(services.stop);
  for (const { group, name, sample, engine = 'SQLite', run } of campaigns) {
    if (!sample) continue;
    const test = engine === 'PostgreSQL' && isWithoutPostgres ? it.skip : it;
    test(`${group}: ${name}, ${engine}`, async () => {
      const { problems, runs } = await run({ engine, share: sample.share, ...services });
      expect(problems).toEqual([]);
      expect(runs).toBeGreaterThanOrEqual(sample.least);
    });
  }
}
