// Reads each runner's own report into the same counts. Pure: texts in, numbers out.

/**
 * @typedef {{ passed: number, failed: number, skipped: number, problems: string[] }} Counts
 * `problems` are failures that no test stands for: a file that did not load, an engine that ran nothing.
 */

/** @returns {Counts} */
export function countCommand(exitCode) {
  return {
    passed: exitCode === 0 ? 1 : 0,
    failed: exitCode === 0 ? 0 : 1,
    skipped: 0,
    problems: [],
  };
}

/** @returns {Counts} */
export function countVitest(report) {
  const counts = emptyCounts();
  for (const file of report.testResults ?? []) {
    const tests = file.assertionResults ?? [];
    for (const { status } of tests) countTest(counts, status);
    const isBroken = file.status === 'failed' && !tests.some(({ status }) => status === 'failed');
    if (isBroken) addProblem(counts, `${file.name}: did not load`);
  }
  return counts;
}

/** @returns {Counts} */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report.stats ?? {};
  const counts = { passed: expected, failed: unexpected + flaky, skipped, problems: [] };
  for (const error of report.errors ?? []) addProblem(counts, firstLine(error.message));
  return counts;
}

/** @returns {Record<string, Counts>} the counts of each engine */
export function countWebTestRunner(sessions, expectedEngines) {
  const engines = Object.fromEntries(expectedEngines.map((engine) => [engine, emptyCounts()]));
  for (const session of sessions) {
    const engine = toEngine(session.browser);
    const counts = (engines[engine] ??= emptyCounts());
    const statuses = listTests(session.testResults).map(toStatus);
    for (const status of statuses) countTest(counts, status);
    if (session.logs?.some(isLostRejection)) {
      addProblem(counts, `${engine}: ${session.testFile}: a rejected promise that nothing handled`);
    }
    if (statuses.length === 0) addProblem(counts, `${engine}: ${session.testFile}: ran no test`);
    else if (!session.passed && !statuses.includes('failed')) {
      addProblem(
        counts,
        `${engine}: ${session.testFile}: ${firstLine(session.errors?.[0]?.message)}`,
      );
    }
  }
  for (const [engine, counts] of Object.entries(engines)) completeCounts(counts, 0, engine);
  return engines;
}

/** Turns what the counts do not show into a failure: a runner that crashed, or that ran nothing and was content. */
export function completeCounts(counts, exitCode, name) {
  if (exitCode !== 0 && counts.failed === 0)
    addProblem(counts, `${name} ended with code ${exitCode}`);
  if (counts.passed + counts.failed === 0) addProblem(counts, `${name} ran no test`);
  return counts;
}

/** @returns {Counts} */
export function addCounts(all) {
  const total = emptyCounts();
  for (const { passed, failed, skipped, problems } of all) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.problems.push(...problems);
  }
  return total;
}

/** @returns {Counts} */
export function emptyCounts() {
  return { passed: 0, failed: 0, skipped: 0, problems: [] };
}

/** The closing lines of a run; the last of them is what machines read. */
export function describeTotal(total, missing) {
  const lines = missing.map((name) => `not run: ${name} (not on this machine)`);
  return [...lines, `${total.passed} passed, ${total.failed} failed`];
}

function countTest(counts, status) {
  if (status === 'passed') counts.passed += 1;
  else if (status === 'failed') counts.failed += 1;
  else counts.skipped += 1;
}

function addProblem(counts, problem) {
  counts.failed += 1;
  counts.problems.push(problem);
}

function listTests(suite) {
  if (!suite) return [];
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(listTests)];
}

function toStatus(test) {
  if (test.skipped) return 'skipped';
  return test.passed ? 'passed' : 'failed';
}

// web-test-runner only logs it, in these words, and lets the file pass.
function isLostRejection(args) {
  return args.some((text) => text.startsWith('An error was thrown in a Promise outside a test'));
}

function toEngine(browserName) {
  if (/firefox/i.test(browserName)) return 'firefox';
  return /minibrowser|webkit|safari/i.test(browserName) ? 'webkit' : 'chromium';
}

function firstLine(text = 'an error outside a test') {
  return text.split('\n')[0];
}
