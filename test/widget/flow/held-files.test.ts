// Files that may not be sent for long: let go after it, or at once when nobody waits any more.

import { describe, expect, it } from 'vitest';
import { HeldFiles } from '../../../widget/flow/held-files.ts';
import { fail } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const failure = fail('too-many-requests');

function createHeld() {
  const polling = createManualPolling();
  const released: number[] = [];
  const held = new HeldFiles(polling.environment, (id) => released.push(id));
  return { held, polling, released };
}

describe('a file that may not be sent for long', () => {
  it('is let go once it may', async () => {
    const { held, polling, released } = createHeld();
    const problem = held.toProblem(1, { ...failure, retryAfterMs: 2_400_000 });
    expect(problem).toEqual({ kind: 'failed', code: failure.code, retryAfterMs: 2_400_000 });
    await polling.tick();
    expect([released, polling.delays]).toEqual([[1], [2_400_000]]);
  });

  it('is let go at once when nobody waits any more, and not a second time', async () => {
    const { held, polling, released } = createHeld();
    for (const id of [1, 2]) held.toProblem(id, { ...failure, retryAfterMs: 2_400_000 });
    held.releaseAll();
    held.releaseAll();
    expect([released, polling.waiting]).toEqual([[1, 2], 0]);
  });

  it('is not held for less than a minute', () => {
    const { held, polling } = createHeld();
    const problem = held.toProblem(1, { ...failure, retryAfterMs: 59_999 });
    expect([problem, polling.waiting]).toEqual([{ kind: 'failed', code: failure.code }, 0]);
  });
});
