import { describe, expect, it } from 'vitest';
import {
  addCounts,
  completeCounts,
  countPlaywright,
  countVitest,
  countWebTestRunner,
  describeTotal,
  emptyCounts,
} from '../../scripts/reports.mjs';

describe('countVitest', () => {
  it('counts each test by its status', () => {
    const statuses = ['passed', 'passed', 'failed', 'skipped', 'todo'];
    const assertionResults = statuses.map((status) => ({ status }));
    const counts = countVitest({
      testResults: [{ name: 'a', status: 'failed', assertionResults }],
    });

    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 2, problems: [] });
  });

  it('counts a file that does not load as a failure', () => {
    const counts = countVitest({
      testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }],
    });

    expect(counts).toMatchObject({ failed: 1, problems: ['a.test.ts: did not load'] });
  });
});

describe('countPlaywright', () => {
  it('counts a flaky test and an error outside the tests as failures', () => {
    const counts = countPlaywright({
      stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{ message: 'SyntaxError: oops\n  at a' }],
    });

    expect(counts).toEqual({ passed: 3, failed: 3, skipped: 2, problems: ['SyntaxError: oops'] });
  });
});

describe('countWebTestRunner', () => {
  const passing = {
    name: '',
    tests: [],
    suites: [{ tests: [{ passed: true }, { skipped: true }] }],
  };
  const failing = { name: '', tests: [{ passed: false }], suites: [] };
  const session = (browser: string, testResults?: object, passed = true): object => ({
    browser,
    testFile: 'a.browser.test.ts',
    passed,
    errors: passed ? [] : [{ message: 'late error\nstack' }],
    testResults,
  });

  it('counts nested suites for each engine', () => {
    const sessions = [session('Chrome', passing), session('Firefox', failing, false)];

    expect(countWebTestRunner(sessions, ['chromium', 'firefox'])).toEqual({
      chromium: { passed: 1, failed: 0, skipped: 1, problems: [] },
      firefox: { passed: 0, failed: 1, skipped: 0, problems: [] },
    });
  });

  it('fails an engine that was to run and reports nothing', () => {
    const engines = countWebTestRunner([session('Chrome', passing)], ['chromium', 'webkit']);

    expect(engines['webkit']).toMatchObject({ failed: 1, problems: ['webkit ran no test'] });
  });

  it('fails a file without a test', () => {
    const engines = countWebTestRunner([session('MiniBrowser')], ['webkit']);

    expect(engines['webkit']).toMatchObject({ passed: 0, failed: 1 });
  });

  it('fails a file whose tests passed and that broke outside of them', () => {
    const engines = countWebTestRunner([session('Chrome', passing, false)], ['chromium']);

    expect(engines['chromium']).toMatchObject({
      passed: 1,
      failed: 1,
      problems: ['chromium: a.browser.test.ts: late error'],
    });
  });
});

describe('countWebTestRunner on a rejected promise', () => {
  it('fails a file that the runner lets pass', () => {
    const text = 'An error was thrown in a Promise outside a test. Did you forget to await?';
    const tests = [{ passed: true }];
    const [session] = [{ browser: 'Chrome', passed: true, logs: [[text]], testResults: { tests } }];

    expect(countWebTestRunner([session], ['chromium'])['chromium']).toMatchObject({ failed: 1 });
  });
});

describe('completeCounts', () => {
  it('fails a runner that ran nothing and was content', () => {
    expect(completeCounts(emptyCounts(), 0, 'vitest').problems).toEqual(['vitest ran no test']);
  });

  it('fails a runner that crashed once although its tests passed', () => {
    const counts = completeCounts({ ...emptyCounts(), passed: 5 }, 1, 'vitest');

    expect(counts).toMatchObject({ passed: 5, failed: 1, problems: ['vitest ended with code 1'] });
  });

  it('does not count a failure twice', () => {
    expect(completeCounts({ ...emptyCounts(), failed: 1 }, 1, 'vitest').failed).toBe(1);
  });
});

describe('describeTotal', () => {
  it('names what did not run, and ends with the line machines read', () => {
    const total = addCounts([
      { ...emptyCounts(), passed: 2 },
      { ...emptyCounts(), passed: 3, failed: 1 },
    ]);

    expect(describeTotal(total, ['postgresql', 'webkit'])).toEqual([
      'not run: postgresql (not on this machine)',
      'not run: webkit (not on this machine)',
      '5 passed, 1 failed',
    ]);
  });
});
