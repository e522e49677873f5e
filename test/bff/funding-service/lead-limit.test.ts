import { beforeEach, describe, expect, it } from 'vitest';
import { createLeadLimit } from '../../../bff/funding-service/lead-limit.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';

interface Ended {
  readonly outcome: Outcome<number>;
  readonly status?: number;
  readonly failure?: string;
}

const max = 16;
const accepted: Ended = { outcome: { kind: 'accepted', value: 1 }, status: 200 };
const refused: Ended = { outcome: { kind: 'refused', refusal: { reason: 'duplicate-id' } } };
const throttled: Ended = { outcome: { kind: 'throttled', retryAfterMs: undefined }, status: 429 };
const unknown = (details: Partial<Ended>): Ended => ({ outcome: { kind: 'unknown' }, ...details });

/** Calls that begin together and end in this way. */
type Round = readonly [number, Ended];
const few: Round = [15, accepted];
const eight: Round = [8, throttled];

describe('createLeadLimit', () => {
  let limit: ReturnType<typeof createLeadLimit>;
  let reported: number[];

  beforeEach(() => {
    reported = [];
    limit = createLeadLimit(max, (reduced) => reported.push(reduced));
  });

  /** Begins calls. Returns functions that end them. */
  function begin(count: number): ((ended: Ended) => Promise<unknown>)[] {
    return Array.from({ length: count }, () => {
      const { promise, resolve } = Promise.withResolvers<Ended>();
      const observed = limit.observe(() => promise);
      return (ended) => {
        resolve(ended);
        return observed;
      };
    });
  }

  it.each<[string, Round[], number, number[]]>([
    ['starts at the maximum', [], max, []],
    ['halves the calls in progress once', [[12, throttled]], 6, [6]],
    // prettier-ignore
    ['halves again after later calls', [[12, throttled], [6, throttled]], 3, [6, 3]],
    ['stays at one or more', Array.from({ length: 5 }, () => [2, throttled]), 1, [1, 1, 1, 1, 1]],
    ['stays after a single call', [[1, throttled]], max, []],
    ['stays before a full window', [few, eight, [3, accepted]], 4, [4]],
    ['grows by one after a full window', [eight, [4, accepted]], 5, [4]],
    ['grows after refusals too', [eight, [4, refused]], 5, [4]],
    ['grows again after the next window', [eight, [9, accepted]], 6, [4]],
    ['stays at the maximum', [[3 * max, accepted]], max, []],
    ['halves if the service is unavailable', [[8, unknown({ status: 503 })]], 4, [4]],
    ['halves if a gateway waits too long', [[8, unknown({ status: 504 })]], 4, [4]],
    ['halves without headers', [[8, unknown({ failure: 'UND_ERR_HEADERS_TIMEOUT' })]], 4, [4]],
    ['halves without an end', [[8, unknown({ failure: 'UND_ERR_BODY_TIMEOUT' })]], 4, [4]],
    ['halves after a timeout', [[8, unknown({ failure: 'TimeoutError' })]], 4, [4]],
    ['stays after broken connections', [[8, unknown({ failure: 'UND_ERR_SOCKET' })]], max, []],
    ['stays after a server error', [[8, unknown({ status: 500 })]], max, []],
    ['stays if nothing is sent', [[8, { outcome: { kind: 'not-sent' }, status: 503 }]], max, []],
  ])('%s', async (_name, rounds, expected, reductions) => {
    for (const [count, ended] of rounds) {
      for (const end of begin(count)) await end(ended);
    }
    expect([limit.current(), reported]).toEqual([expected, reductions]);
  });

  it('halves the limit while earlier calls are still in progress', async () => {
    await begin(max)[0]!(throttled);
    await begin(1)[0]!(throttled);
    expect(reported).toEqual([8, 4]);
  });

  it('does not grow because of calls from before the reduction', async () => {
    const [first, ...others] = begin(max);
    await first!(throttled);
    for (const end of others) await end(accepted);
    expect(limit.current()).toBe(8);
  });

  it('does not count a call that throws', async () => {
    const failing = limit.observe(() => Promise.reject(new RangeError('damaged')));
    await expect(failing).rejects.toThrow('damaged');
    await begin(1)[0]!(throttled);
    expect(limit.current()).toBe(max);
  });
});
