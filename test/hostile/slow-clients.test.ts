// Two hundred slow and rude clients of all kinds at once, from one address; the full run holds a thousand of each.

import { describe, expect, it } from 'vitest';
import { runSlowClients } from './slow-clients.ts';
import { slowKinds } from './slow-kinds.ts';

describe('slow clients', () => {
  it('keep nobody else from applying', async () => {
    const { waves, isReady } = await runSlowClients({
      waves: [slowKinds.map((kind) => ({ kind, connections: 25 }))],
      seconds: 5,
      applicantsPerSecond: 5,
      slowSessions: 10,
      limits: 'default',
    });

    const [{ broken, journeys, tallies } = fail()] = waves;
    expect(broken).toEqual([]);
    expect(journeys).toBe(25);
    expect(isReady).toBe(true);
    // They were there, and a body that was refused was not waited for.
    expect(tallies.filter(({ connected, failed }) => connected < 25 || failed > 0)).toEqual([]);
    const flood = tallies.find(({ kind }) => kind === 'flood after a refusal');
    expect(flood?.answers['413']).toBeGreaterThan(0);
    expect(flood?.ended).toBeGreaterThan(0);
  });
});

function fail(): never {
  throw new Error('There was no wave');
}
