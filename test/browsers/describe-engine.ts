// Tests of one engine: one journey per combination, one test per check.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, Engine } from './cells.ts';
import type { Journey } from './journey.ts';
import { checkJourney, scenarios, type Scenario } from './check-journey.ts';
import { startBrowserRig, type BrowserRig } from './rig.ts';

/** `npm run test:campaigns -- --only=browsers` covers all combinations. */
const cells: readonly Omit<Cell, 'engine'>[] = [
  { mode: 'same-origin', policy: 'default' },
  { mode: 'same-site', policy: 'default' },
  { mode: 'cross-site', policy: 'third-party-allowed' },
  { mode: 'cross-site', policy: 'third-party-blocked' },
];

export function describeEngine(engine: Engine): void {
  let rig: BrowserRig;
  beforeAll(async () => {
    rig = await startBrowserRig();
  });
  afterAll(() => rig.stop());

  const engineCells = cells.map((cell): Cell => ({ engine, ...cell }));
  describe.each(engineCells)('in $engine, $mode, cookies: $policy', (cell) => {
    let journey: Journey;
    beforeAll(async () => {
      journey = await rig.walk(cell);
    });

    it.each(Object.entries(scenarios) as [Scenario, string][])('%s: %s', (scenario) => {
      expect(checkJourney(journey)[scenario]).toEqual([]);
    });
  });
}
