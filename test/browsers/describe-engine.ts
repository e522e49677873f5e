// The cells of one engine as tests: a journey for each cell, a test for each thing it has to show.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCells, type CookiePolicy, type Engine } from './cells.ts';
import type { Journey } from './journey.ts';
import { judge, scenarios, type Scenario } from './judge.ts';
import { startBrowserRig, type BrowserRig } from './rig.ts';

/** The others are walked by `run.ts`. */
const policies: readonly CookiePolicy[] = ['default', 'third-party-blocked'];

export function describeEngine(engine: Engine): void {
  let rig: BrowserRig;
  beforeAll(async () => {
    rig = await startBrowserRig();
  });
  afterAll(() => rig.stop());

  describe.each(listCells(engine, policies))('in $engine, $mode, cookies: $policy', (cell) => {
    let journey: Journey;
    beforeAll(async () => {
      journey = await rig.walk(cell);
    });

    it.each(Object.entries(scenarios) as [Scenario, string][])('%s: %s', (scenario) => {
      expect(judge(journey)[scenario]).toEqual([]);
    });
  });
}
