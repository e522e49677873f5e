import { expect, it } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { runOutage } from './outage.ts';

it('a BFF delivers everything that was submitted during a three-day outage', async () => {
  const result = await runOutage({
    engine: 'SQLite',
    applications: 30,
    minStepMs: 5 * 60_000,
  });
  expect(result.violations).toEqual([]);
  expect(result.acknowledged).toBe(result.runs);
  expect(result.delivered).toBe(result.runs);
  expect(result.held).toBeGreaterThan(0);
  expect(result.mostConcurrent).toBeLessThanOrEqual(defaultSettings().delivery.maxConcurrent);
});
