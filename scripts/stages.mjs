// What `npm test` runs: each stage is one command of a tool, and how its result is counted.
import { join } from 'node:path';
import { engines, missingEngines, readBrowsers } from './browsers.mjs';
import { readJson } from './project.mjs';
import {
  completeCounts,
  countCommand,
  countPlaywright,
  countVitest,
  countWebTestRunner,
  emptyCounts,
} from './reports.mjs';

export const groups = ['static', 'node', 'faults', 'hostile', 'browser', 'e2e'];

/**
 * The stages of the groups, in order. Those with `isLight` may run beside each other.
 * `count` gives one row of the table by default, or one an engine.
 */
export function listStages(only, reportFolder) {
  const report = (name) => join(reportFolder, `${name}.json`);
  const built = ['static', 'browser', 'e2e'];
  const stages = [
    command('types', ['static'], ['tsc', '--noEmit']),
    command('types (widget)', ['static'], ['tsc', '--noEmit', '--project', 'tsconfig.widget.json']),
    command('lint', ['static'], ['oxlint', '--deny-warnings']),
    command('format', ['static'], ['prettier', '--check', '--log-level=warn', '.']),
    // Browser and end-to-end tests use what was built: a stale build would prove nothing.
    command('build (widget)', built, ['vite', 'build', '--logLevel=warn']),
    command('build (bff)', built, [
      'vite',
      'build',
      '--config=vite.config.bff.ts',
      '--logLevel=warn',
    ]),
    vitest('node', report('node')),
    // The short campaigns; the long ones are `npm run test:faults`.
    vitest('faults', report('faults'), ['--config=test/faults/vitest.config.ts']),
    vitest('hostile', report('hostile'), ['--config=test/hostile/vitest.config.ts']),
    {
      name: 'browser',
      groups: ['browser'],
      command: ['web-test-runner'],
      env: { BROWSER_TEST_REPORT: report('browser') },
      count: (exitCode) => countBrowsers(report('browser'), exitCode),
    },
    // The whole path through each engine, for each way a page can stand to the BFF; all cells: `node test/browsers/run.ts`.
    {
      ...vitest('modes', report('modes'), ['--config=test/browsers/vitest.config.ts']),
      groups: ['browser'],
    },
    {
      name: 'e2e',
      groups: ['e2e'],
      command: ['playwright', 'test', '--reporter=dot,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('e2e') },
      count: (exitCode) => ({
        e2e: countReport(report('e2e'), exitCode, 'playwright', countPlaywright),
      }),
    },
  ];
  return stages.filter((stage) => stage.groups.some((group) => only.includes(group)));
}

function command(name, stageGroups, words) {
  const count = (exitCode) => ({ [name]: countCommand(exitCode) });
  return { name, groups: stageGroups, command: words, isLight: true, count };
}

function vitest(name, report, options = []) {
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  return {
    name,
    groups: [name],
    command: ['vitest', 'run', ...options, ...reporters],
    count: (exitCode) => ({ [name]: countReport(report, exitCode, 'vitest', countVitest) }),
  };
}

function countReport(file, exitCode, runner, countOf) {
  const report = readJson(file);
  return completeCounts(report ? countOf(report) : emptyCounts(), exitCode, runner);
}

function countBrowsers(file, exitCode) {
  const missing = missingEngines(readBrowsers());
  const expected = engines.filter((engine) => !missing.includes(engine));
  const rows = countWebTestRunner(readJson(file) ?? [], expected);
  const isExplained = exitCode === 0 || Object.values(rows).some(({ failed }) => failed > 0);
  if (!isExplained || expected.length === 0)
    rows.browser = completeCounts(emptyCounts(), exitCode, 'web-test-runner');
  return rows;
}
