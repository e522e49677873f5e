// The tests of `npm test` that run in Node, as projects by what they need. test/release/vitest.config.ts has those of a release.
//   vitest run --project=unit            or process, database
//   vitest run test/bff/app.test.ts      one file, in its own project
import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testLimitMs, waitLimitMs } from './test/support/time-limit.ts';

export const postgresSetup = 'test/support/postgres-setup.ts';

/** A file's imports decide its project, so that a new test needs no entry here. */
const needsDatabase = /from '.*\/(postgres|store-bytes)\.ts'/;
/** Starts processes, or replaces timers that other files of the same process have set already. */
const needsProcess =
  /from '(node:child_process|.*\/(bff-process|stack|inspection-rig)\.ts)'|toFake: \['set/;

const files = globSync('test/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: [
    'test/**/*.browser.test.ts',
    'test/release/**',
    // The samples of the campaigns run with the tests of a release.
    'test/campaigns/*/{samples,real-files}.test.ts',
    '**/node_modules',
  ],
});
// `npm run test:unit` runs these files too, without the parts that need PostgreSQL.
const isWithoutPostgres = process.env['TEST_POSTGRES_URL'] === 'none';
const databaseFiles = files.filter((file) => !isWithoutPostgres && needsDatabase.test(read(file)));
const processFiles = files.filter(
  (file) => needsProcess.test(read(file)) && !databaseFiles.includes(file),
);
const unitFiles = files.filter(
  (file) => !databaseFiles.includes(file) && !processFiles.includes(file),
);

/** For all projects of a run. */
export const runOptions = {
  // The default is one less than there are cores, but vitest's own process has little to do.
  maxWorkers: '100%',
  // `npm test` reads the counts.
  reporters: ['default', 'json'],
  outputFile: { json: 'test-output/reports/node.json' },
  passWithNoTests: false,
  allowOnly: false,
  // The library prints a stack trace for each object of a damaged PDF. In the BFF, inspection-child.ts turns this off.
  onConsoleLog: (text: string) => !text.includes('@libpdf/core'),
};

export default defineConfig({
  test: {
    ...runOptions,
    projects: [
      createProject('unit', unitFiles),
      createProject('process', processFiles, { isolate: true }),
      createProject('database', databaseFiles, { globalSetup: postgresSetup }),
    ],
  },
});

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

export function createProject(
  name: string,
  include: string[],
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    root: import.meta.dirname,
    test: {
      name,
      include,
      environment: 'node',
      // A worker process for each file costs more than most files do. Tests share nothing that they do not restore.
      pool: 'forks',
      isolate: false,
      // Node runs the TypeScript by itself, as `npm start` does.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      testTimeout: testLimitMs,
      hookTimeout: testLimitMs,
      expect: { poll: { timeout: waitLimitMs } },
      ...options,
    },
  };
}
