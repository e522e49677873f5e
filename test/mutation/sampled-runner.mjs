// Stryker's runner for vitest, which skips the mutants that are not in the sample or in the list of a run. A checker would be
// the documented place, but with a checker Stryker runs the tests in one process more than `concurrency` says.
import { relative } from 'node:path';
import {
  commonTokens,
  declareFactoryPlugin,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { isSelected } from './mutant-key.mjs';

/** @type {{ root: string, selection: import('./mutant-key.mjs').Selection }} */
const { root, selection } = JSON.parse(process.env['MUTATION_RUN'] ?? '{}');

/** @param {import('@stryker-mutator/api/plugin').Injector<import('@stryker-mutator/api/plugin').PluginContext>} injector */
function createRunner(injector) {
  const log = injector.resolve(commonTokens.logger);
  const runner = injector.injectFunction(vitestPlugins[0].factory);
  const dryRun = runner.dryRun.bind(runner);
  const run = runner.mutantRun.bind(runner);
  /** @type {string[] | undefined} */
  let testFilter;

  /** A few tests cannot pass in a copy: the child of an inspection may read no packages outside. They must not stop the run. */
  runner.dryRun = async (options) => {
    setBail(runner, 0);
    const result = await dryRun(options);
    setBail(runner, 1);
    if (result.status !== DryRunStatus.Complete) return result;
    const failed = result.tests.filter(({ status }) => status === TestStatus.Failed);
    if (failed.length === 0) return result;
    for (const { fileName, name } of failed)
      log.warn(`Left out, fails without a mutant: ${fileName}: ${name}`);
    const tests = result.tests.filter((test) => !failed.includes(test));
    testFilter = tests.map(({ id }) => id);
    for (const { id } of failed) delete result.mutantCoverage?.perTest[id];
    return { ...result, tests };
  };

  /** @param {import('@stryker-mutator/api/test-runner').MutantRunOptions} options */
  runner.mutantRun = async (options) => {
    const mutant = options.activeMutant;
    return isSelected(relative(root, mutant.fileName), mutant, selection)
      ? run({ ...options, testFilter: options.testFilter ?? testFilter })
      : { status: MutantRunStatus.Error, errorMessage: 'not selected' };
  };
  return runner;
}
/** @param {{ ctx: import('vitest/node').Vitest }} runner @param {number} bail */
function setBail({ ctx }, bail) {
  for (const { config } of [ctx, ...ctx.projects]) config.bail = bail;
}

createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'sampled', createRunner),
];
