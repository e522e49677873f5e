// Tests of one engine: one journey per combination, one test per check.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Combination, Engine } from './combinations.ts';
import type { Journey } from './journey.ts';
import { checkJourney, scenarios, type Scenario } from './check-journey.ts';
import { startJourneys, type Journeys } from './journeys.ts';

/** `npm run test:campaigns -- --only=browsers` covers all combinations. */
const combinations: readonly Omit<Combination, 'engine'>[] = [
  { mode: 'same-origin', policy: 'default' },
  { mode: 'same-site', policy: 'default' },
  { mode: 'cross-site', policy: 'third-party-allowed' },
  { mode: 'cross-site', policy: 'third-party-blocked' },
];

const titles = (Object.entries(scenarios) as [Scenario, string][]).map(([scenario, title]) => ({
  scenario,
  title,
}));

export function describeEngine(engine: Engine): void {
  let journeys: Journeys;
  beforeAll(async () => {
    journeys = await startJourneys();
  });
  afterAll(() => journeys.stop());

  const engineCombinations = combinations.map((combination): Combination => ({
    engine,
    ...combination,
  }));
  describe.each(engineCombinations)(
    'the element in $engine, $mode, cookies: $policy',
    (combination) => {
      let journey: Journey;
      beforeAll(async () => {
        journey = await journeys.run(combination);
      });

      it.each(titles)('$title', ({ scenario }) => {
        expect(checkJourney(journey)[scenario]).toEqual([]);
      });
    },
  );
}
