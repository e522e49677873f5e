// The unit tests of a mutation run. Node loads the TypeScript itself, as in the other runs of these tests.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

/** As in the configuration of the root: a mutant is active in one process, and replaced timers would reach the next file. */
const needsProcess =
  /from '(node:child_process|.*\/(bff-process|stack|inspection-rig)\.ts)'|toFake: \['set/;

const files = globSync((process.env['MUTATION_TESTS'] ?? 'test/**/*.test.ts').split(','), {
  cwd: root,
  exclude: [
    '**/node_modules/**',
    'test/**/*.browser.test.ts',
    'test/{browsers,campaigns,commands,deployment,e2e,faults,hostile,packages,release}/**',
  ],
});

export default defineConfig({
  root,
  test: {
    include: files.filter((file) => !needsProcess.test(readFileSync(join(root, file), 'utf8'))),
    environment: 'node',
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: [join(import.meta.dirname, 'stop-hanging-test.ts')],
    // Only the setup file decides that a test hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
