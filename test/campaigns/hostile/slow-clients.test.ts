// 200 slow or hostile clients of all kinds from one address. The full run uses 1,000 of each kind.

import { describe, expect, it } from 'vitest';
import { runSlowClients, slowKinds } from './slow-clients.ts';

describe('slow clients', () => {
  it('do not keep other applicants from applying', async () => {
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
    // They were connected, and the server did not wait for refused bodies.
    expect(tallies.filter(({ connected, failed }) => connected < 25 || failed > 0)).toEqual([]);
    const flood = tallies.find(({ kind }) => kind === 'flood after a refusal');
    expect(flood?.answers['413']).toBeGreaterThan(0);
    expect(flood?.ended).toBeGreaterThan(0);
  });
});

function fail(): never {
  throw new Error('There was no wave');
}
