// Builds the element: the file that a partner's page loads, and its lazy-loaded chunks. `--mode release` adds what only a release
// has: the second minifier, types, licenses, and SBOM.
import { defineConfig, type UserConfig } from 'vite';
import type * as releaseTools from './scripts/release/element.mjs';
import { entries, toRolldownOptions, widgetPlugins, widgetVersion } from './scripts/widget.mjs';

/** @param release the tools of a release. */
export function createWidgetConfig(release?: typeof releaseTools): UserConfig {
  return {
    // Library mode leaves this to the consumer's bundler. A script tag loads this file without a bundler.
    define: { 'process.env.NODE_ENV': '"production"' },
    publicDir: false,
    plugins: [widgetPlugins(release?.shrink), release?.scriptPlugins(), widgetVersion()],
    build: {
      // Library mode omits Vite's preload helper, which adds <link> elements to the page. Chunks are then
      // relative imports, which the browser loads from the origin of the first file, not of the partner's page.
      lib: { entry: entries, formats: ['es'] },
      outDir: 'dist/widget',
      target: 'es2022',
      reportCompressedSize: false,
      rolldownOptions: toRolldownOptions(),
    },
  };
}

export default defineConfig(async ({ mode }) =>
  createWidgetConfig(await importForRelease(mode, 'element.mjs')),
);

/** Node imports the module: Vite would make it a part of this file, and then every build would need the packages of a release. */
export async function importForRelease(mode: string, file: string) {
  if (mode !== 'release') return undefined;
  return import(new URL(`scripts/release/${file}`, import.meta.url).href);
}
