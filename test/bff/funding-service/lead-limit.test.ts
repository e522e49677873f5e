import { beforeEach, describe, expect, it } from 'vitest';
import { createLeadLimit } from '../../../bff/funding-service/lead-limit.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';

const max = 16;
const accepted = { outcome: { kind: 'accepted', value: 1 }, status: 200 } as const;
const refused = { outcome: { kind: 'refused', refusal: { reason: 'duplicate-id' } } } as const;
const throttled = { outcome: { kind: 'throttled', retryAfterMs: undefined }, status: 429 } as const;
const unknown = { kind: 'unknown' } as const;

interface Ended {
  readonly outcome: Outcome<number>;
  readonly status?: number;
  readonly failure?: string;
}

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

  async function run(count: number, ended: Ended): Promise<void> {
    for (const end of begin(count)) await end(ended);
  }

  it('halves the calls in progress once, for all that were in progress together', async () => {
    expect(limit.current()).toBe(max);
    await run(12, throttled);
    expect(limit.current()).toBe(6);
    await run(6, throttled);
    expect(reported).toEqual([6, 3]);
  });

  it('halves the limit while earlier calls are still in progress', async () => {
    const [first] = begin(max);
    await first!(throttled);
    const [later] = begin(1);
    await later!(throttled);
    expect(reported).toEqual([8, 4]);
  });

  it('stays at one or more', async () => {
    for (let count = 0; count < 9; count += 1) await run(2, throttled);
    expect(limit.current()).toBe(1);
  });

  it('does not change after a single call', async () => {
    await run(1, throttled);
    expect(limit.current()).toBe(max);
  });

  it.each([accepted, refused])('grows by one after each full window: %j', async (ended) => {
    await run(8, throttled);
    await run(3, ended);
    expect(limit.current()).toBe(4);
    await run(1, ended);
    expect(limit.current()).toBe(5);
    await run(5, ended);
    expect(limit.current()).toBe(6);
  });

  it('does not grow above the maximum', async () => {
    await run(3 * max, accepted);
    expect(limit.current()).toBe(max);
  });

  it('does not grow because of calls from before the reduction', async () => {
    const [first, ...others] = begin(max);
    await first!(throttled);
    for (const end of others) await end(accepted);
    expect(limit.current()).toBe(8);
  });

  it.each<[Ended, boolean]>([
    [{ outcome: unknown, status: 503 }, true],
    [{ outcome: unknown, status: 504 }, true],
    [{ outcome: unknown, failure: 'UND_ERR_HEADERS_TIMEOUT' }, true],
    [{ outcome: unknown, failure: 'UND_ERR_BODY_TIMEOUT' }, true],
    [{ outcome: unknown, failure: 'TimeoutError' }, true],
    [{ outcome: unknown, failure: 'UND_ERR_SOCKET' }, false],
    [{ outcome: { kind: 'not-sent' }, failure: 'TimeoutError' }, false],
    [{ outcome: unknown, status: 500 }, false],
    [{ outcome: { kind: 'authentication' }, status: 401 }, false],
  ])('knows whether the funding service was overloaded: %j: %s', async (ended, isOverloaded) => {
    await run(8, ended);
    expect(limit.current()).toBe(isOverloaded ? 4 : max);
  });

  it('does not count a call that throws', async () => {
    const failing = limit.observe(() => Promise.reject(new RangeError('damaged')));
    await expect(failing).rejects.toThrow('damaged');
    await run(1, throttled);
    expect(limit.current()).toBe(max);
  });
});
