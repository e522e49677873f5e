// Tests that run in Node, as projects by what they need. web-test-runner.config.js and playwright.config.ts are for browsers.
//   vitest run --project=unit            or process, database, packages, faults, hostile, deployment, browsers
//   vitest run test/bff/app.test.ts      one file, in its own project
import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { readTestTools } from './scripts/test-tools.mjs';
import { engines } from './test/browsers/combinations.ts';

const postgres = 'test/support/postgres-setup.ts';
const bundle = 'test/campaigns/faults/bff-bundle.ts';
const packages = 'test/packages/**/*.test.ts';
const commands = 'test/commands/**/*.test.ts';
const campaigns = {
  faults: 'test/campaigns/faults/**/*.test.ts',
  hostile: 'test/campaigns/hostile/**/*.test.ts',
  deployment: 'test/deployment/**/*.test.ts',
};

/** Engine of the browsers project, or `all`. */
const wantedEngine = process.env['TEST_ENGINES'] ?? 'chromium';
const engineFiles = engines
  .filter((engine) => wantedEngine === 'all' || wantedEngine === engine)
  .filter((engine) => readTestTools()[engine])
  .map((engine) => `test/browsers/${engine}.{applicant,journeys}.ts`);

/** A file's imports decide its project, so that a new test needs no entry here. */
const needsDatabase = /from '.*\/(postgres|store-bytes)\.ts'/;
/** Starts processes, or replaces timers that other files of the same process have set already. */
const needsProcess =
  /from '(node:child_process|.*\/(bff-process|stack|inspection-rig)\.ts)'|toFake: \['set/;

const files = globSync('test/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['test/**/*.browser.test.ts', packages, commands, ...Object.values(campaigns)],
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

export default defineConfig({
  test: {
    // The default is one less than there are cores, but vitest's own process has little to do.
    maxWorkers: '100%',
    // `npm test` reads the counts.
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/reports/node.json' },
    passWithNoTests: false,
    allowOnly: false,
    // The library prints a stack trace for each object of a damaged PDF. In the BFF, inspection-child.ts turns this off.
    onConsoleLog: (text) => !text.includes('@libpdf/core'),
    projects: [
      createProject('unit', unitFiles),
      createProject('process', processFiles, { isolate: true }),
      createProject('database', databaseFiles, { globalSetup: postgres }),
      // Builds the npm packages once.
      createProject('packages', [packages], {
        globalSetup: [postgres, 'test/packages/build-packages.ts'],
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      createProject('faults', [campaigns.faults], {
        globalSetup: [postgres, bundle],
        testTimeout: 300_000,
      }),
      createProject('hostile', [campaigns.hostile], { testTimeout: 300_000 }),
      // The next three need the built release.
      createProject('commands', [commands]),
      createProject('deployment', [campaigns.deployment], {
        globalSetup: postgres,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      createProject('browsers', engineFiles, { hookTimeout: 120_000 }),
    ],
  },
});

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

function createProject(
  name: string,
  include: string[],
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      environment: 'node',
      // A worker process for each file costs more than most files do. Tests share nothing that they do not restore.
      pool: 'forks',
      isolate: false,
      // Node runs the TypeScript by itself, as `npm start` does.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // For tests that hang. A busy machine must not fail a test.
      testTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      hookTimeout: 60_000,
      ...options,
    },
  };
}
