// Which modules of the widget travel together: what is always loaded at the same time is smaller in one piece.
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * Pieces by name: the modules that each of them is asked for. What a piece needs is in it, unless one before it has it.
 * The entry is one file, so that one hash covers what a page loads first; left to itself, the bundler puts some of what
 * it shares with lazy chunks into files of their own.
 */
const pieces = {
  'funding-application': ['widget/define.ts'],
  'further-steps': ['widget/steps/further-steps.ts'],
  'after-submission': ['widget/steps/after-submission.ts', 'widget/steps/offers-step.ts'],
};

/**
 * The piece that a module belongs to; modules of no piece are left to the bundler.
 *
 * @param {string} id
 * @param {{ getModuleInfo(id: string): { importedIds: readonly string[] } | null }} graph
 */
export function toChunkName(id, graph) {
  const found = Object.entries(pieces).find(([, modules]) => isReachable(id, modules, graph));
  return found ? found[0] : null;
}

/** Whether static imports lead from one of the modules to this one. */
function isReachable(id, modules, graph) {
  const reached = new Set(modules.map((module) => join(root, module)));
  for (const module of reached) {
    for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) reached.add(imported);
  }
  return reached.has(id);
}
