import { describe, expect, it } from 'vitest';
import { hasFailed } from '../../bench/instances.ts';

const result = {
  instances: 2,
  perSecond: 100,
  p50Ms: 1,
  p99Ms: 2,
  cpuSeconds: 1,
  confirmed: 10,
  delivered: 10,
  repeated: 0,
  refused: 0,
};

describe('hasFailed', () => {
  it.each([
    ['all confirmed applications arrived once', {}, false],
    ['an unconfirmed application arrived too', { delivered: 11 }, false],
    ['an application is lost', { delivered: 9 }, true],
    ['an application arrived twice', { repeated: 1 }, true],
  ])('judges that %s', (_name, changes, expected) => {
    expect(hasFailed({ ...result, ...changes })).toBe(expected);
  });
});
