// The short cache: what it shares, and for how long.

import { describe, expect, it } from 'vitest';
import { createShortCache } from '../../../bff/routes/short-cache.ts';

const maxAgeMs = 3_000;

describe('createShortCache', () => {
  it('shares a pending request', async () => {
    const { get, answer, loaded } = createRig();
    const both = [get('a'), get('a')];
    answer('a', 'one');
    expect(await Promise.all(both)).toEqual(['one', 'one']);
    expect(loaded).toEqual(['a']);
  });

  it('keeps a result for its age', async () => {
    const { get, answer, loaded, advance } = createRig();
    const first = get('a');
    answer('a', 'one');
    await first;
    advance(maxAgeMs - 1);
    expect(await get('a')).toBe('one');
    advance(1);
    void get('a');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('returns no old result while an earlier request of another key is pending', async () => {
    const { get, answer, loaded, advance } = createRig();
    void get('slow');
    const first = get('a');
    answer('a', 'one');
    await first;
    advance(maxAgeMs);
    const second = get('a');
    answer('a', 'two');
    expect(await second).toBe('two');
    expect(loaded).toEqual(['slow', 'a', 'a']);
  });

  it('does not keep a failure', async () => {
    const { get, fail, loaded } = createRig();
    const first = get('a');
    fail('a');
    await expect(first).rejects.toThrow('failed');
    void get('a');
    expect(loaded).toEqual(['a', 'a']);
  });
});

function createRig() {
  let now = 0;
  const loaded: string[] = [];
  const pending = new Map<string, PromiseWithResolvers<string>>();
  const get = createShortCache(
    maxAgeMs,
    () => now,
    (key: string) => {
      loaded.push(key);
      const result = Promise.withResolvers<string>();
      pending.set(key, result);
      return result.promise;
    },
  );
  return {
    get,
    loaded,
    answer: (key: string, value: string) => pending.get(key)?.resolve(value),
    fail: (key: string) => pending.get(key)?.reject(new Error('failed')),
    advance(ms: number) {
      now += ms;
    },
  };
}
