import { describe, expect, it } from 'vitest';
import { countMissing, countTests } from '../../scripts/test.mjs';

const readCounts = (report: { passed: number; failed: number }) => report;

describe('countTests', () => {
  it.each([
    ['a command that succeeds', 0, { passed: 1, failed: 0 }],
    ['a command that fails', 2, { passed: 0, failed: 1 }],
  ])('counts %s as one test', (_name, exitCode, expected) => {
    expect(countTests(exitCode, undefined, undefined)).toEqual(expected);
  });

  it.each([
    ['tests as its runner does', 1, { passed: 3, failed: 2 }, { passed: 3, failed: 2 }],
    [
      'a runner that fails with no failed test',
      1,
      { passed: 3, failed: 0 },
      { passed: 3, failed: 1 },
    ],
    ['a runner without tests', 0, { passed: 0, failed: 0 }, { passed: 0, failed: 1 }],
    ['a runner without a report', 1, undefined, { passed: 0, failed: 1 }],
  ])('counts %s', (_name, exitCode, report, expected) => {
    expect(countTests(exitCode, readCounts, report)).toEqual(expected);
  });
});

describe('countMissing', () => {
  it('counts each missing tool as a failure in CI', () => {
    expect(countMissing(['caddy', 'php'], { CI: 'true' })).toEqual([
      expect.objectContaining({ name: 'no caddy', passed: 0, failed: 1 }),
      expect.objectContaining({ name: 'no php', passed: 0, failed: 1 }),
    ]);
  });

  it.each([{}, { CI: '' }, { CI: 'false' }])('counts no missing tool with %j', (environment) => {
    expect(countMissing(['caddy'], environment)).toEqual([]);
  });
});
