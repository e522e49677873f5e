// A Stryker checker that lets a run test only a sample of the mutants, or only the mutants of a list.
import { relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { toKey, toPlace } from './mutant-key.mjs';

/** @type {{ every: number, places?: Record<string, string[]> }} */
const { every, places } = JSON.parse(process.env['MUTATION_SELECTION'] ?? '{"every":1}');

/** @param {import('@stryker-mutator/api/core').Mutant} mutant */
function isSelected(mutant) {
  const file = relative(process.cwd(), mutant.fileName);
  if (places !== undefined) return places[file]?.includes(toPlace(mutant)) ?? false;
  return Number.parseInt(toKey(file, mutant).slice(0, 8), 16) % every === 0;
}

function createSelection() {
  return {
    async init() {},
    /** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
    async check(mutants) {
      return Object.fromEntries(
        mutants.map((mutant) => [
          mutant.id,
          isSelected(mutant)
            ? { status: CheckStatus.Passed }
            : { status: CheckStatus.CompileError, reason: 'not selected' },
        ]),
      );
    },
  };
}
createSelection.inject = /** @type {const} */ ([]);

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.Checker, 'selection', createSelection),
];
