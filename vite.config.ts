// Builds the widget: the file that a partner's page loads, and its lazy-loaded chunks.
import { defineConfig } from 'vite';
import { thirdPartyNotices } from './scripts/third-party-notices.mjs';
import { entries, firstChunk, toChunkName } from './scripts/widget-chunks.mjs';
import { widgetLiterals } from './scripts/widget-literals.mjs';
import { widgetMinify } from './scripts/widget-minify.mjs';
import { widgetPackage } from './scripts/widget-package.mjs';
import { widgetSize } from './scripts/widget-size.mjs';
import { widgetZod } from './scripts/widget-zod.mjs';

const lazyFileNames = 'chunks/[name]-[hash].js';

export default defineConfig({
  // Library mode leaves this to the consumer's bundler. A script tag loads this file without a bundler.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  plugins: [
    widgetZod(),
    widgetLiterals(),
    widgetMinify(),
    thirdPartyNotices(),
    widgetPackage(),
    widgetSize(),
  ],
  build: {
    // Library mode omits Vite's preload helper, which adds <link> elements to the page. Chunks are then
    // relative imports, which the browser loads from the origin of the first file, not of the partner's page.
    lib: { entry: entries, formats: ['es'] },
    outDir: 'dist/widget',
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // The types take longer than the bundle.
      checks: { bundlerTimings: false },
      // An entry also exports the code that it shares with other chunks.
      preserveEntrySignatures: 'allow-extension',
      // Modules of `shared/` only declare. The bundler can't tell that from a schema with checks.
      treeshake: { moduleSideEffects: [{ test: /\/shared\//, sideEffects: false }] },
      output: {
        // By default, library mode minifies in part. `widgetMinify` does all of it.
        minify: false,
        entryFileNames: ({ name }) => (name === firstChunk ? '[name].js' : lazyFileNames),
        chunkFileNames: lazyFileNames,
        codeSplitting: {
          groups: [{ name: toChunkName, debugName: 'first and lazy chunks' }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
});
