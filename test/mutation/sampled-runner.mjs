// Stryker's runner for vitest, which skips the mutants that are not in the sample or in the list of a run. A checker would be
// the documented place, but with a checker Stryker runs the tests in one process more than `concurrency` says.
import { relative } from 'node:path';
import {
  commonTokens,
  declareFactoryPlugin,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import { MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { isSelected } from './mutant-key.mjs';

/** @type {{ root: string, selection: import('./mutant-key.mjs').Selection }} */
const { root, selection } = JSON.parse(process.env['MUTATION_RUN'] ?? '{}');

/** @param {import('@stryker-mutator/api/plugin').Injector<import('@stryker-mutator/api/plugin').PluginContext>} injector */
function createRunner(injector) {
  const runner = injector.injectFunction(vitestPlugins[0].factory);
  const run = runner.mutantRun.bind(runner);
  /** @param {import('@stryker-mutator/api/test-runner').MutantRunOptions} options */
  runner.mutantRun = async (options) => {
    const mutant = options.activeMutant;
    return isSelected(relative(root, mutant.fileName), mutant, selection)
      ? run(options)
      : { status: MutantRunStatus.Error, errorMessage: 'not selected' };
  };
  return runner;
}
createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'sampled', createRunner),
];
