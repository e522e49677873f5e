// Runs the checks and the tests, one step after the other; Firefox and WebKit run at the same time. The last line of the output
// is `N passed, N failed`. Where the variable CI is set, each missing tool is a failure, because its tests did not run.
//   npm test                              the quick tests: needs Chromium and PostgreSQL
//   npm test -- test/bff/app.test.ts      the named files or folders, with the runner of each
//   npm test -- --watch test/widget/offers.browser.test.ts    the same, again after each change
//   npm run lint                          types, lint, format, and the glossary's words
//   npm run test:unit                     types, lint, and the tests that need no process and no database
//   npm run test:unit -- --watch          the same, again after each change
//   npm run test:release                  packages, frameworks, documents, deployment, other browsers, samples of the campaigns
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment, readJson, root } from './project.mjs';
import { listMissing, quickTools, toolNames } from './test-tools.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ name: string, command: string[], env?: Record<string, string>, count?: (report: any) => Counts, tool?: string }} Step */

/** Each step writes `<name>.log`, and each test runner `<name>.json` (see its configuration). */
const reportFolder = join(root, 'test-output', 'reports');

/** Their packages are installed for a release only, and lint reads types. */
const releaseFolders = ['bench/peers', 'docs', 'test/release'];

/** @type {Step[]} */
const typesAndLint = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types (widget)', command: ['tsc', '--noEmit', '--project', 'tsconfig.widget.json'] },
  {
    name: 'lint',
    command: [
      'oxlint',
      '--deny-warnings',
      ...releaseFolders.map((path) => `--ignore-pattern=${path}`),
    ],
  },
];
const nodeTests = {
  name: 'node',
  command: ['vitest', 'run'],
  count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
};
const unitTests = {
  ...nodeTests,
  command: ['vitest', 'run', '--project=unit'],
  // Files with tests for both stores run in the unit project, and skip PostgreSQL.
  env: { TEST_POSTGRES_URL: 'none' },
};
const browserTests = {
  name: 'browser',
  command: ['web-test-runner'],
  count: (report) => report,
};
const endToEndTests = {
  name: 'e2e',
  command: ['playwright', 'test'],
  // A test that passes at its second attempt has failed once.
  count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
};
/** The element and the BFF, without packages. */
const quickBuild = { name: 'build', command: ['npm', 'run', '--silent', 'build:quick'] };

const checks = [
  ...typesAndLint,
  {
    name: 'format',
    // By content: another branch, or a landing, gives files new times.
    command: [
      'prettier',
      '--check',
      '--cache',
      '--cache-strategy=content',
      '--log-level=warn',
      '.',
    ],
  },
  { name: 'words', command: ['node', 'scripts/check-words.mjs'] },
];
const quickSteps = [...checks, quickBuild, nodeTests, browserTests, endToEndTests];

const otherEngines = ['firefox', 'webkit'];
const releaseConfig = (file) => `--config=test/release/${file}`;
const releaseSteps = [
  { name: 'types (release)', command: ['tsc', '--noEmit', '--project', 'test/release'] },
  { name: 'lint (release)', command: ['oxlint', '--deny-warnings', ...releaseFolders] },
  { name: 'build', command: ['npm', 'run', '--ignore-scripts', '--silent', 'build'] },
  {
    ...nodeTests,
    name: 'release-node',
    command: ['vitest', 'run', releaseConfig('vitest.config.ts')],
    // The step above has built them.
    env: { TEST_PACKAGES: 'built' },
  },
  // A browser uses one of the two processors.
  otherEngines.map((engine) => ({
    ...browserTests,
    name: engine,
    command: ['web-test-runner', releaseConfig('web-test-runner.config.js')],
    env: { TEST_ENGINE: engine },
    tool: engine,
  })),
  {
    ...endToEndTests,
    name: 'release-e2e',
    command: ['playwright', 'test', releaseConfig('playwright.config.ts')],
  },
];

const interruption = new AbortController();

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
  process.exitCode = await main();
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      lint: { type: 'boolean' },
      unit: { type: 'boolean' },
      release: { type: 'boolean' },
      watch: { type: 'boolean' },
    },
  });
  if (positionals.length > 0) return await runFiles(positionals, values);
  if (values.watch) return await watch();
  if (values.lint) return await runSteps(checks, []);
  if (values.unit) return await runSteps([...typesAndLint, unitTests], []);
  if (values.release) return await runSteps(releaseSteps, toolNames);
  return await runSteps(quickSteps, quickTools);
}

async function runSteps(steps, tools) {
  const startedAt = performance.now();
  const missingTools = listMissing(tools);
  rmSync(reportFolder, { recursive: true, force: true });
  mkdirSync(reportFolder, { recursive: true });
  const rows = [];
  for (const step of steps) {
    if (interruption.signal.aborted) break;
    const together = [step].flat().filter(({ tool }) => !missingTools.includes(tool));
    rows.push(...(await Promise.all(together.map(runStep))));
  }
  rows.push(...countMissing(missingTools));
  console.log(`\n${rows.map(describeRow).join('\n')}`);
  console.log(`\nTook ${toSeconds(performance.now() - startedAt)} s`);
  for (const tool of missingTools)
    console.log(`Not run: ${tool} is not installed, or does not start, on this machine`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runStep({ name, command, env, count }) {
  const startedAt = performance.now();
  const logFile = join(reportFolder, `${name}.log`);
  const exitCode = await run(command, openSync(logFile, 'w'), env);
  const counts = countTests(exitCode, count, readJson(join(reportFolder, `${name}.json`)));
  if (counts.failed === 0) console.log(`${name} ok`);
  else
    console.log(
      `\n── ${name} failed: ${command.join(' ')}\n${readFileSync(logFile, 'utf8').trim()}\n`,
    );
  return { name, ...counts, durationMs: performance.now() - startedAt };
}

/**
 * A command without a report is one test. A runner that reports no failed test and exits with an error, or that ran no
 * test, counts as one failure.
 */
export function countTests(exitCode, count, report) {
  if (!count) return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const { passed, failed } = report ? count(report) : { passed: 0, failed: 0 };
  const isBroken = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isBroken ? 1 : failed };
}

/** One failed row for each missing tool in CI, where a green result means that every test ran. None on another machine. */
export function countMissing(tools, environment = process.env) {
  if (!environment.CI || environment.CI === 'false') return [];
  return tools.map((tool) => ({ name: `no ${tool}`, passed: 0, failed: 1, durationMs: 0 }));
}

function describeRow({ name, passed, failed, durationMs }) {
  return `${name.padEnd(16)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${toSeconds(durationMs).padStart(7)} s`;
}

function toSeconds(ms) {
  return (ms / 1000).toFixed(1);
}

/** Runs each file with the test runner of its suffix, and with the configuration of its folder. Playwright cannot watch. */
async function runFiles(paths, { watch: isWatching, unit: isUnit }) {
  const isBrowser = (path) => path.endsWith('.browser.test.ts');
  const isEndToEnd = (path) => path.endsWith('.e2e.ts') || /(^|\/)e2e\/?$/.test(path);
  const isRelease = (path) =>
    /^test\/(release\b|campaigns\/.*(samples|real-files)\.test)/.test(path);
  const watchOption = isWatching ? ['--watch'] : [];
  const list = (command, isWanted, config) => {
    const files = paths.filter(isWanted);
    const quick = files.filter((path) => !isRelease(path));
    const release = files.filter(isRelease);
    return [
      ...(quick.length > 0 ? [[...command, ...quick]] : []),
      ...(release.length > 0 ? [[...command, releaseConfig(config), ...release]] : []),
    ];
  };
  const commands = [
    // Tests of processes need the built BFF, and end-to-end tests also the built element.
    ...(isUnit || paths.every(isBrowser) ? [] : [quickBuild.command]),
    ...list(
      ['vitest', isWatching ? 'watch' : 'run'],
      (path) => !isBrowser(path) && !isEndToEnd(path),
      'vitest.config.ts',
    ),
    ...(paths.some(isBrowser)
      ? [['web-test-runner', ...watchOption, '--files', ...paths.filter(isBrowser)]]
      : []),
    ...list(endToEndTests.command, isEndToEnd, 'playwright.config.ts'),
  ];
  for (const command of commands) {
    const exitCode = await run(command, 'inherit');
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

async function watch() {
  const types = run(['tsc', '--noEmit', '--watch', '--preserveWatchOutput'], 'inherit');
  const exitCode = await run(['vitest', '--watch', '--project=unit'], 'inherit', unitTests.env);
  interruption.abort();
  await types;
  return exitCode;
}

/** Runs a tool of the project. Each tool closes its browsers when it receives SIGINT. */
async function run([name, ...args], output, env) {
  try {
    const child = spawn(name, args, {
      cwd: root,
      env: childEnvironment(env),
      stdio: ['inherit', output, output],
      shell: process.platform === 'win32',
      killSignal: 'SIGINT',
      signal: interruption.signal,
    });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } catch (error) {
    writeSync(output === 'inherit' ? 2 : output, `${name}: ${error.message}\n`);
    return 1;
  }
}
