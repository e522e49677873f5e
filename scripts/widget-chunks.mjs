// Assigns the widget's modules to chunks. Modules that always load together are smaller in one chunk.
import { join } from 'node:path';
import { root } from './project.mjs';

/** The chunk that a page loads before it shows the form. */
export const firstChunk = 'funding-application';

/**
 * Chunks by name, with the modules that each contains. A chunk also contains the imports of its modules, unless an earlier
 * chunk contains them. The first chunk is one file, so that one hash covers the first load of a page; by default, the bundler
 * moves code that it shares with lazy chunks into separate files.
 *
 * @type {Readonly<Record<string, readonly [string, ...string[]]>>}
 */
const chunks = {
  [firstChunk]: ['widget/define.ts'],
  form: ['widget/chunks/form.ts'],
  'after-submission': ['widget/chunks/after-submission.ts', 'widget/api/send-file.ts'],
  'phone-page': ['widget/chunks/phone-page.ts'],
};

/**
 * The module of each chunk that `import()` loads, by chunk. All of them are entries of the build, so that their files export what
 * the modules export. Otherwise the bundler creates an object with the exports, by a helper in a file of its own.
 */
export const entries = Object.fromEntries(
  Object.entries(chunks).map(([name, [module]]) => [name, module]),
);

/**
 * Returns the chunk of a module. The bundler chooses the chunk of all other modules.
 *
 * @param {string} id
 * @param {{ getModuleInfo(id: string): { importedIds: readonly string[] } | null }} graph
 * @param {readonly string[]} [firstModules] the modules of the first chunk
 */
export function toChunkName(id, graph, firstModules = chunks[firstChunk]) {
  const found = Object.entries({ ...chunks, [firstChunk]: firstModules }).find(([, modules]) =>
    isReachable(id, modules, graph),
  );
  return found ? found[0] : null;
}

const lazyFileNames = 'chunks/[name]-[hash].js';

/**
 * The bundler's options for the element: as a script of a page, and as an npm package.
 *
 * @param {readonly string[]} firstFiles the entries whose files keep their names
 * @param {readonly string[]} [firstModules] the modules of the first chunk
 * @returns {import('vite').Rolldown.RolldownOptions}
 */
export function toRolldownOptions(firstFiles, firstModules) {
  return {
    // The types take longer than the bundle.
    checks: { bundlerTimings: false },
    // An entry also exports the code that it shares with other chunks.
    preserveEntrySignatures: 'allow-extension',
    // Modules of `shared/` only declare. The bundler can't tell that from a schema with checks.
    treeshake: { moduleSideEffects: [{ test: /\/shared\//, sideEffects: false }] },
    output: {
      // By default, library mode minifies in part. `widgetMinify` does all of it.
      minify: false,
      entryFileNames: ({ name }) => (firstFiles.includes(name) ? '[name].js' : lazyFileNames),
      chunkFileNames: lazyFileNames,
      codeSplitting: {
        groups: [
          {
            name: (id, graph) => toChunkName(id, graph, firstModules),
            debugName: 'first and lazy chunks',
          },
        ],
        includeDependenciesRecursively: false,
      },
    },
  };
}

/** Returns true if a chain of static imports connects one of the modules to this module. */
function isReachable(id, modules, graph) {
  const reached = new Set(modules.map((module) => join(root, module)));
  for (const module of reached) {
    for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) reached.add(imported);
  }
  return reached.has(id);
}
