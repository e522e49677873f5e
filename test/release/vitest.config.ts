// The tests of a release that run in Node: packages, documents, deployment, browsers, and samples of the campaigns.
//   vitest run --config test/release/vitest.config.ts --project=packages
import { defineConfig } from 'vitest/config';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { createProject, postgresSetup, runOptions } from '../../vitest.config.ts';
import { engines } from './browsers/combinations.ts';

const engineFiles = engines
  .filter((engine) => readTestTools()[engine])
  .map((engine) => `test/release/browsers/${engine}.{applicant,journeys}.ts`);

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    ...runOptions,
    outputFile: { json: 'test-output/reports/release-node.json' },
    projects: [
      createProject(
        'release',
        ['test/release/*.test.ts', 'test/release/{commands,mounts}/**/*.test.ts'],
        { isolate: true },
      ),
      createProject('packages', ['test/release/packages/**/*.test.ts'], {
        globalSetup: [postgresSetup, 'test/release/packages/build-packages.ts'],
      }),
      createProject('deployment', ['test/release/deployment/**/*.test.ts'], {
        globalSetup: postgresSetup,
      }),
      createProject('browsers', engineFiles),
      createProject('samples', ['test/campaigns/*/{samples,real-files}.test.ts']),
    ],
  },
});
