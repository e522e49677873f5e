// web-test-runner plugin: bundles the browser tests, which use the production build of the widget.
//
// In a test, `import '../../widget/define.ts'` is the built entry, and `await import()` of a module with a chunk of its own is
// this chunk. Other imports of the widget's modules are the sources, with the development mode of Lit.

import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestRunnerPlugin } from '@web/test-runner';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { createWidgetConfig } from '../../vite.config.ts';

const root = join(import.meta.dirname, '../..');
const widgetFolder = join(root, 'widget/');
/** In the server's root folder. */
const builtFolder = 'built-widget/';

/** web-test-runner only logs unhandled rejections. The browser reports one of the last test in a later task, hence the delay. */
const failOnUnhandledRejection = `{
  const rejections = [];
  addEventListener('unhandledrejection', ({ reason }) => rejections.push(reason));
  after(() => new Promise((resolve, reject) => setTimeout(() => (rejections.length > 0 ? reject(rejections[0]) : resolve()), 20)));
}`;

/** The code of the bundles and the built widget, by path. */
type Files = ReadonlyMap<string, string>;

/** @param pattern Paths of the tests. */
export function browserBundles(pattern: string): TestRunnerPlugin {
  let files: Promise<Files>;

  return {
    name: 'browser-bundles',

    serverStart({ fileWatcher }) {
      const bundle = (): void => {
        files = bundleTests(pattern, (id) => fileWatcher.add(id));
        // The page that requests its test reports the error.
        files.catch(() => undefined);
      };
      fileWatcher.add(widgetFolder);
      fileWatcher.on('change', bundle);
      bundle();
    },

    async serve({ path }) {
      const body = (await files).get(path.slice(1));
      return body === undefined ? undefined : { body, type: 'js' };
    },
  };
}

async function bundleTests(pattern: string, watch: (file: string) => void): Promise<Files> {
  const widget = await runVite(createWidgetConfig());
  const tests = await runVite({
    publicDir: false,
    resolve: { conditions: ['development', 'browser', 'module'] },
    plugins: [importBuiltWidget(widget)],
    build: {
      lib: { entry: globSync(pattern, { cwd: root }), formats: ['es'] },
      minify: false,
      sourcemap: 'inline',
      target: 'es2022',
      rolldownOptions: {
        // Paths of this server: web-test-runner's own modules, and the built widget.
        external: /^\/(?:__web-|built-widget\/)/,
        output: {
          banner: ({ isEntry }) => (isEntry ? failOnUnhandledRejection : ''),
          entryFileNames: ({ facadeModuleId }) => relative(root, facadeModuleId ?? ''),
          chunkFileNames: 'test-bundles/[name]-[hash].js',
          sourcemapExcludeSources: true,
          // Without the output folder, in which nothing is written.
          sourcemapPathTransform: (source) => source.replace('../', ''),
        },
      },
    },
  });
  for (const id of tests.flatMap(({ moduleIds }) => moduleIds))
    if (id.startsWith(root) && !id.includes('/node_modules/')) watch(id);
  return new Map([
    ...widget.map(({ fileName, code }) => [builtFolder + fileName, code] as const),
    ...tests.map(({ fileName, code }) => [fileName, code] as const),
  ]);
}

function importBuiltWidget(widget: readonly Rolldown.OutputChunk[]): Plugin {
  return {
    name: 'import-built-widget',
    enforce: 'pre',
    resolveId: {
      // Modules of the widget import each other without this folder.
      filter: { id: /^\.\.\/.*\bwidget\// },
      async handler(source, importer, { kind }) {
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        const isEntry = source.endsWith('/widget/define.ts');
        if (!isEntry && kind !== 'dynamic-import') return resolved;
        const chunk = widget.find(({ facadeModuleId }) => facadeModuleId === resolved?.id);
        if (chunk) return { id: `/${builtFolder}${chunk.fileName}`, external: true };
        return isEntry ? this.error(`${source} is not the entry of the built widget`) : resolved;
      },
    },
  };
}

/** Returns the code, and writes no files. */
async function runVite(config: InlineConfig): Promise<readonly Rolldown.OutputChunk[]> {
  const result = await build({
    ...config,
    configFile: false,
    root,
    logLevel: 'warn',
    build: { ...config.build, write: false },
  });
  // Only builds with `watch` return a watcher.
  const outputs = [result].flat() as Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) => output).filter((file) => file.type === 'chunk');
}
