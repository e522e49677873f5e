// Runs the checks and the tests. The last line of the output is `N passed, N failed`. Where the variable CI is set, each
// missing tool is a failure, because its tests did not run.
//   npm test                              everything; browser tests in Chromium
//   npm test -- --engine=firefox          browser tests in this engine: chromium, firefox, webkit, or all
//   npm test -- test/bff/app.test.ts      the named files or folders, with the runner of each
//   npm test -- --watch test/widget/offers.browser.test.ts    the same, again after each change
//   npm run test:unit                     types, lint, and the tests that need no process and no database
//   npm run test:unit -- --watch          the same, again after each change
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment, readJson, root } from './project.mjs';
import { engines, listMissing } from './test-tools.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ name: string, command: string[], env?: Record<string, string>, count?: (report: any) => Counts }} Step */

const timeoutMs = 1_800_000;
/** Each step writes `<name>.log`, and each test runner `<name>.json` (see its configuration). */
const reportFolder = join(root, 'test-output', 'reports');

/** @type {Step[]} */
const typesAndLint = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types (widget)', command: ['tsc', '--noEmit', '--project', 'tsconfig.widget.json'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
];
const checks = [
  ...typesAndLint,
  { name: 'format', command: ['prettier', '--check', '--cache', '--log-level=warn', '.'] },
  { name: 'words', command: ['node', 'scripts/check-words.mjs'] },
];
const buildWidget = { name: 'build (widget)', command: ['vite', 'build', '--logLevel=warn'] };
const buildBff = {
  name: 'build (bff)',
  command: ['vite', 'build', '--config=vite.config.bff.ts', '--logLevel=warn'],
};
const buildSite = { name: 'build (site)', command: ['vitepress', 'build', 'docs'] };
/** Both packages are for the end-to-end test that follows docs/deploy/rehearsal.md. */
const buildElement = {
  name: 'build (element)',
  command: ['vite', 'build', '--config=vite.config.element.ts', '--logLevel=warn'],
};
const buildBffPackage = {
  name: 'build (bff package)',
  command: ['vite', 'build', '--config=vite.config.bff-package.ts', '--logLevel=warn'],
};
const nodeTests = {
  name: 'node',
  command: ['vitest', 'run'],
  // A second build would replace the tarballs while the end-to-end test of the rehearsal copies them.
  env: { TEST_PACKAGES: 'built' },
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

const interruption = new AbortController();

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
  process.exitCode = await main();
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      unit: { type: 'boolean' },
      watch: { type: 'boolean' },
      engine: { type: 'string', default: 'chromium' },
    },
  });
  const { engine } = values;
  if (engine !== 'all' && !engines.includes(engine)) {
    console.error(`--engine=${engine} is not an engine. Use ${engines.join(', ')}, or all.`);
    return 1;
  }
  // For the configurations of web-test-runner and vitest.
  process.env.TEST_ENGINES = engine;
  if (positionals.length > 0) return await runFiles(positionals, values.watch);
  if (values.watch) return await watch();
  if (values.unit) return await runPhases([[typesAndLint, [unitTests]]]);
  return await runPhases(
    [
      [checks, [buildWidget, buildBff, buildElement, buildBffPackage, buildSite]],
      // Tests in browsers mostly wait, and leave processor time to the tests in Node.
      [[nodeTests], [browserTests, endToEndTests]],
    ],
    listMissing().filter((tool) => !engines.includes(tool) || engine === 'all' || engine === tool),
  );
}

/** Runs one phase after the other, the lanes of a phase at the same time, and the steps of a lane one after the other. */
async function runPhases(phases, missingTools = []) {
  const startedAt = performance.now();
  rmSync(reportFolder, { recursive: true, force: true });
  mkdirSync(reportFolder, { recursive: true });
  const rows = [];
  for (const lanes of phases) {
    const runLane = async (steps) => {
      for (const step of steps) rows.push(await runStep(step));
    };
    await Promise.all(lanes.map(runLane));
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

/** Runs each file with the test runner of its suffix. Playwright cannot watch. */
async function runFiles(paths, isWatching = false) {
  const browser = paths.filter((path) => path.endsWith('.browser.test.ts'));
  const endToEnd = paths.filter((path) => path.endsWith('.e2e.ts') || /^test\/e2e\/?$/.test(path));
  const node = paths.filter((path) => !browser.includes(path) && !endToEnd.includes(path));
  const watchOption = isWatching ? ['--watch'] : [];
  const commands = [
    ...(node.length > 0 ? [['vitest', isWatching ? 'watch' : 'run', ...node]] : []),
    ...(browser.length > 0 ? [['web-test-runner', ...watchOption, '--files', ...browser]] : []),
    ...(endToEnd.length > 0 ? [buildWidget.command, [...endToEndTests.command, ...endToEnd]] : []),
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
      timeout: output === 'inherit' ? undefined : timeoutMs,
    });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } catch (error) {
    writeSync(output === 'inherit' ? 2 : output, `${name}: ${error.message}\n`);
    return 1;
  }
}
