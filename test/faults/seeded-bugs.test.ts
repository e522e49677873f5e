import { afterEach, describe, expect, inject, it } from 'vitest';
import { findViolations } from './invariants.ts';
import { runScenario, seededBugs } from './seeded-bugs.ts';
import { createStorage, engines, type Storage } from './storage.ts';
import { createWorld, type Decoration, type World } from './world.ts';

let storage: Storage | undefined;
let world: World | undefined;

afterEach(async () => {
  await world?.close();
  await storage?.remove();
});

async function tell(engine: Storage['engine'], decoration: Decoration = {}) {
  storage = await createStorage({ engine, postgresUrl: inject('postgresUrl') });
  world = await createWorld({ databaseUrl: storage.url, decoration });
  await runScenario(world);
  return findViolations(await world.readEvidence());
}

describe.each(engines)('the checker on %s', (engine) => {
  const isMissing = engine === 'PostgreSQL' && inject('postgresUrl') === undefined;

  it.skipIf(isMissing)('finds no violation without a seeded bug', async () => {
    expect(await tell(engine)).toEqual([]);
  });
});

// The checker reads the same records on both engines.
describe('the checker', () => {
  it.each(seededBugs)('finds: $name ($invariant)', async (bug) => {
    const found = (await tell('SQLite', bug.create())).map(({ invariant }) => invariant);
    expect(found).toContain(bug.invariant);
  });
});
