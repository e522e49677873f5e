// Mutates source files and reports the mutants that no unit test notices. See README.md of this folder.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { isSelected, readOriginal, toKey } from './mutant-key.mjs';
import { count, describe, isUndetected, listLost, statuses } from './report.mjs';

/** @typedef {import('./report.mjs').Report} Report */

const root = join(import.meta.dirname, '../..');
const reportFolder = 'test-output/mutation';
const allTests = 'test/**/*.test.ts';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    tests: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    recheck: { type: 'boolean', default: false },
  },
});

process.chdir(root);
if (positionals[0] === 'compare') {
  await compare(positionals[1], positionals[2]);
} else if (positionals.length > 0) {
  const targets = positionals.map((target) => relative(root, join(root, target)));
  const tests = values.tests?.split(',') ?? targets.map(toTests);
  const out = values.out ?? join(reportFolder, `${targets.join('+').replaceAll('/', '-')}.json`);
  const keys =
    values.only &&
    load(values.only)
      .mutants.filter(isUndetected)
      .map(({ key }) => key);
  const report = await mutate(targets, tests, {
    every: Number(values.every),
    ...(keys && { keys }),
  });
  save(report, out);
  print(report);
  say(`Report: ${out}`);
} else {
  process.stderr.write('Name a source folder or file: npm run test:mutation -- bff/delivery\n');
  process.exitCode = 2;
}

/** The tests of a source folder are in the same folder of test/. Those of the element cross its folders. @param {string} target */
function toTests(target) {
  const folder = statSync(target).isDirectory() ? target : dirname(target);
  return target.startsWith('widget/') ? 'test/widget/**/*.test.ts' : `test/${folder}/**/*.test.ts`;
}

/**
 * @param {string[]} targets
 * @param {string[]} tests
 * @param {import('./mutant-key.mjs').Selection} selection
 * @returns {Promise<Report>}
 */
async function mutate(targets, tests, selection) {
  const { Stryker } = await loadStryker();
  const files = targets.flatMap((target) =>
    statSync(target).isDirectory() ? globSync(`${target}/**/*.ts`) : [target],
  );
  process.env['MUTATION_TESTS'] = tests.join(',');
  process.env['MUTATION_RUN'] = JSON.stringify({ root, selection });
  // Files with tests for both stores skip PostgreSQL.
  process.env['TEST_POSTGRES_URL'] = 'none';
  // Each mutant starts a process that loads the same files.
  process.env['NODE_COMPILE_CACHE'] = join(root, reportFolder, 'compile-cache');
  const start = Date.now();
  const results = await new Stryker({
    mutate: files,
    // Most texts are for logs, styles, or SQL: without them, the queries of a folder fail as a whole.
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: [
      import.meta.resolve('@stryker-mutator/vitest-runner'),
      import.meta.resolve('./sampled-runner.mjs'),
    ],
    testRunner: 'sampled',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'forks' },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // For endless loops without a mutant inside. A busy machine must not count as one.
    timeoutMS: 180_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
    tempDirName: join(reportFolder, 'sandbox'),
    cleanTempDir: 'always',
    ignorePatterns: ['node_modules', 'dist', 'test-output', 'tsconfig*.json'],
    // Types are removed and not checked. TypeScript 7 has no interface for Stryker.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    allowEmpty: true,
    reporters: process.stdout.isTTY ? ['progress'] : ['progress-append-only'],
    warnings: { slow: false },
    logLevel: 'warn',
  }).runMutationTest();
  const mutants = results
    .filter(({ status }) => status in statuses)
    .flatMap((result) => {
      const file = relative(root, result.fileName);
      const mutant = { ...result, location: toZeroBased(result.location) };
      if (!isSelected(file, mutant, selection)) return [];
      return {
        key: toKey(file, mutant),
        file,
        line: mutant.location.start.line + 1,
        mutator: mutant.mutatorName,
        original: shorten(readOriginal(mutant)),
        replacement: shorten(mutant.replacement ?? ''),
        status: statuses[mutant.status],
      };
    })
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return {
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
    targets,
    tests,
    every: selection.every ?? 1,
    minutes: Math.round((Date.now() - start) / 6_000) / 10,
    totals: count(mutants),
    mutants,
  };
}

async function loadStryker() {
  try {
    return await import('@stryker-mutator/core');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('StrykerJS is not installed. Run npm ci --prefix test/mutation.', {
      cause: error,
    });
  }
}

/** The results count lines and columns from 1, the mutants of a checker from 0. @param {import('./mutant-key.mjs').Mutant['location']} location */
function toZeroBased({ start, end }) {
  return {
    start: { line: start.line - 1, column: start.column - 1 },
    end: { line: end.line - 1, column: end.column - 1 },
  };
}

/** @param {Report} report */
function print({ targets, totals, every, minutes, mutants }) {
  for (const mutant of mutants.filter(isUndetected)) say(describe(mutant));
  say(
    `${targets.join(', ')}: score ${totals.score}% of ${totals.mutants} mutants${every > 1 ? ` (1 of ${every})` : ''}: ` +
      `${totals.killed} killed, ${totals.timeout} timeouts, ${totals.error} errors, ` +
      `${totals.survived} survived, ${totals['no-coverage']} without coverage. ${minutes} min.`,
  );
}

/**
 * Lists the mutants that only the first report detects. With --recheck, these are tried again with every unit test, because
 * the test that detects them may be in another folder now.
 * @param {string} beforePath
 * @param {string} afterPath
 */
async function compare(beforePath, afterPath) {
  const before = load(beforePath);
  const after = load(afterPath);
  let lost = listLost(before, after);
  if (values.recheck && lost.length > 0) {
    const files = [...new Set(lost.map(({ file }) => file))];
    const keys = lost.map(({ key }) => key);
    lost = listLost(before, await mutate(files, [values.tests ?? allTests], { keys }));
  }
  say(`before: ${JSON.stringify(before.totals)}`);
  say(`after:  ${JSON.stringify(after.totals)}`);
  for (const mutant of lost) say(`LOST ${describe(mutant)}`);
  say(`${lost.length} lost kills`);
  if (lost.length > 0) process.exitCode = 1;
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {string} text */
function shorten(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** @param {string} path @returns {Report} */
function load(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** @param {Report} report @param {string} path */
function save(report, path) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);
}
