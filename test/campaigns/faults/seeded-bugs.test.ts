import { afterEach, describe, expect, inject, it } from 'vitest';
import { hasPostgres } from '../../support/postgres.ts';
import { findViolations } from './invariants.ts';
import { runScenario, seededBugs } from './seeded-bugs.ts';
import { createStorage, engines, type Storage } from './storage.ts';
import { startSimulation, type Decoration, type Simulation } from './simulation.ts';

let storage: Storage | undefined;
let simulation: Simulation | undefined;

afterEach(async () => {
  await simulation?.close();
  await storage?.remove();
});

async function tell(engine: Storage['engine'], decoration: Decoration = {}) {
  storage = await createStorage({ engine, postgresUrl: inject('postgresUrl') });
  simulation = await startSimulation({ databaseUrl: storage.url, decoration });
  await runScenario(simulation);
  return findViolations(await simulation.readEvidence());
}

describe.each(engines)('the checker on %s', (engine) => {
  const isMissing = engine === 'PostgreSQL' && !hasPostgres();

  it.skipIf(isMissing)('finds no violation without a seeded bug', async () => {
    expect(await tell(engine)).toEqual([]);
  });
});

// The checker reads the same records on both engines.
describe('the checker', () => {
  it.each(Object.entries(seededBugs))('finds: %s', async (_name, [invariant, create]) => {
    const found = await tell('SQLite', create());
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
  });
});
