// Runs the checks and the tests. The last line of the output is `N passed, N failed`.
//   npm test                              everything; browser tests in Chromium
//   npm test -- --engines=all             browser tests in Firefox and WebKit too
//   npm test -- test/bff/app.test.ts      the named files or folders, with the runner of each
//   npm run test:unit                     types, lint, and the tests that need no process and no database
//   npm run test:unit -- --watch          the same, again after each change
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { missingEngines, readBrowsers } from './browsers.mjs';
import { missingPostgres } from './postgres.mjs';
import { childEnvironment, readJson, root } from './project.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ name: string, command: string[], env?: Record<string, string>, count?: (report: any) => Counts }} Step */

const timeoutMs = 600_000;
const shutdownMs = 3_000;

const typeChecks = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types (widget)', command: ['tsc', '--noEmit', '--project', 'tsconfig.widget.json'] },
];
/** Files with tests for both stores run in the unit project, and skip PostgreSQL. */
const withoutPostgres = { TEST_POSTGRES_URL: 'none' };
const lint = { name: 'lint', command: ['oxlint', '--deny-warnings'] };
const format = {
  name: 'format',
  command: ['prettier', '--check', '--cache', '--log-level=warn', '.'],
};
const words = { name: 'words', command: ['node', 'scripts/check-words.mjs'] };
const buildWidget = { name: 'build (widget)', command: ['vite', 'build', '--logLevel=warn'] };
const buildBff = {
  name: 'build (bff)',
  command: ['vite', 'build', '--config=vite.config.bff.ts', '--logLevel=warn'],
};

const running = new Set();
let isInterrupted = false;

if (import.meta.main) {
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  process.exitCode = await main();
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      unit: { type: 'boolean' },
      watch: { type: 'boolean' },
      engines: { type: 'string', default: 'chromium' },
    },
  });
  const env = { TEST_ENGINES: values.engines };
  if (values.watch) return await watch();
  if (positionals.length > 0) return await runFiles(positionals, env);
  const phases = values.unit ? listUnitPhases() : listPhases(env);
  return await runPhases(phases, values.unit ? [] : listMissing(values.engines));
}

/** Phases run one after the other, the lanes of a phase at the same time, and the steps of a lane one after the other. */
function listPhases(env) {
  return [
    [
      [...typeChecks, lint, format, words],
      [buildWidget, buildBff],
    ],
    // Tests in browsers mostly wait, and leave processor time to the tests in Node.
    [[vitest('node')], [browserTests(env), endToEndTests()]],
  ];
}

function listUnitPhases() {
  const unit = { ...vitest('unit', ['--project=unit']), env: withoutPostgres };
  return [[[...typeChecks, lint], [unit]]];
}

function vitest(name, args = []) {
  return {
    name,
    command: ['vitest', 'run', ...args, '--reporter=default', '--reporter=json'],
    reportOption: '--outputFile.json=',
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  };
}

function browserTests(env) {
  return {
    name: 'browser',
    command: ['web-test-runner'],
    env,
    reportVariable: 'BROWSER_TEST_REPORT',
    count: (report) => report,
  };
}

function endToEndTests() {
  return {
    name: 'e2e',
    command: ['playwright', 'test', '--reporter=list,json'],
    reportVariable: 'PLAYWRIGHT_JSON_OUTPUT_FILE',
    // A test that passes at its second attempt has failed once.
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
  };
}

async function runPhases(phases, missing) {
  const startedAt = performance.now();
  const reportFolder = mkdtempSync(join(tmpdir(), 'funding-application-'));
  process.once('exit', () => rmSync(reportFolder, { recursive: true, force: true }));
  const rows = [];
  for (const lanes of phases) {
    const runLane = async (steps) => {
      for (const step of steps) rows.push(await runStep(step, reportFolder));
    };
    await Promise.all(lanes.map(runLane));
  }
  console.log(`\n${rows.map(describeRow).join('\n')}`);
  console.log(`\nTook ${toSeconds(performance.now() - startedAt)} s`);
  for (const name of missing) console.log(`Not run: ${name} is not installed on this machine`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runStep({ name, command, env = {}, count, ...report }, reportFolder) {
  const startedAt = performance.now();
  const file = join(reportFolder, `${name}.json`);
  const args = report.reportOption ? [`${report.reportOption}${file}`] : [];
  const variables = report.reportVariable ? { [report.reportVariable]: file } : {};
  const { exitCode, output } = await run([...command, ...args], { ...env, ...variables }, 'pipe');
  const counts = countTests(exitCode, count, readJson(file));
  if (counts.failed > 0)
    console.log(`\n── ${name} failed: ${command.join(' ')}\n${output.trim()}\n`);
  else console.log(`${name} ok`);
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

function describeRow({ name, passed, failed, durationMs }) {
  return `${name.padEnd(16)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${toSeconds(durationMs).padStart(7)} s`;
}

function toSeconds(ms) {
  return (ms / 1000).toFixed(1);
}

function listMissing(wantedEngines) {
  const browsers = missingEngines(readBrowsers());
  const wanted =
    wantedEngines === 'all' ? browsers : browsers.filter((name) => wantedEngines.includes(name));
  return [...missingPostgres(), ...wanted];
}

/** Each runner gets its files, by their suffix. */
async function runFiles(paths, env) {
  const isBrowserTest = (path) => path.endsWith('.browser.test.ts');
  const isEndToEndTest = (path) => path.endsWith('.e2e.ts') || /^test\/e2e\/?$/.test(path);
  const browser = paths.filter(isBrowserTest);
  const endToEnd = paths.filter(isEndToEndTest);
  const node = paths.filter((path) => !isBrowserTest(path) && !isEndToEndTest(path));
  const commands = [
    ...(browser.length + endToEnd.length > 0 ? [buildWidget.command] : []),
    ...(node.length > 0 ? [['vitest', 'run', ...node]] : []),
    ...(browser.length > 0 ? [['web-test-runner', ...browser]] : []),
    ...(endToEnd.length > 0 ? [['playwright', 'test', ...endToEnd]] : []),
  ];
  for (const command of commands) {
    const { exitCode } = await run(command, env, 'inherit');
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

async function watch() {
  void run(['tsc', '--noEmit', '--watch', '--preserveWatchOutput'], {}, 'inherit');
  const { exitCode } = await run(
    ['vitest', '--watch', '--project=unit'],
    withoutPostgres,
    'inherit',
  );
  process.exit(exitCode);
}

/** Runs a tool of the project, which gets SIGINT at the time limit: the signal at which each closes its browsers. */
async function run([name, ...args], env, output) {
  const child = spawn(name, args, {
    cwd: root,
    env: childEnvironment(env),
    stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    ...(output === 'pipe' ? { timeout: timeoutMs, killSignal: 'SIGINT' } : {}),
  });
  running.add(child);
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  const exitCode = await new Promise((resolve) => {
    child.once('error', (error) => {
      text += error.message;
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
    // A browser that outlives its runner keeps the pipes open, and `close` does not come.
    child.once('exit', (code) => setTimeout(resolve, shutdownMs, code ?? 1).unref());
  });
  running.delete(child);
  if (isInterrupted) process.exit(130);
  child.stdout?.destroy();
  child.stderr?.destroy();
  // Some tools color their output even in a pipe.
  return { exitCode, output: stripVTControlCharacters(text) };
}

function interrupt() {
  isInterrupted = true;
  for (const child of running) child.kill('SIGINT');
}
