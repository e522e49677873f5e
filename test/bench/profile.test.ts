import { describe, expect, it } from 'vitest';
import { type CpuProfile, listCosts, toCostRows } from '../../bench/profile.ts';

const urls = [
  'file:///app/bff/store/sqlite.ts',
  'file:///app/node_modules/@hono/node-server/dist/index.mjs',
  'node:internal/crypto/hash',
];
const profile: CpuProfile = {
  nodes: [
    ...urls.map((url, index) => ({ id: index + 1, callFrame: { functionName: 'run', url } })),
    { id: 4, callFrame: { functionName: '(idle)', url: '' } },
  ],
  samples: [1, 1, 2, 3, 4],
  timeDeltas: [1000, 2000, 1000, 1000, 5000],
};

describe('listCosts', () => {
  it('adds the self times of a group, largest first', () => {
    expect(listCosts(profile, 0, 100)).toEqual([
      { group: 'bff/store/sqlite.ts', ms: 3 },
      { group: '@hono/node-server', ms: 1 },
      { group: 'Node: crypto', ms: 1 },
    ]);
  });

  it('leaves out samples outside of the measured time', () => {
    expect(listCosts(profile, 2, 4)).toEqual([
      { group: 'bff/store/sqlite.ts', ms: 2 },
      { group: '@hono/node-server', ms: 1 },
    ]);
  });
});

describe('toCostRows', () => {
  it('divides the costs by the number of applications', () => {
    const [, ...rows] = toCostRows([{ group: 'a', ms: 5 }], 10);
    expect(rows).toEqual([
      ['a', '0.500 ms', '100.0%'],
      ['all', '0.500 ms', '100.0%'],
    ]);
  });
});
