// Builds the widget: one entry a partner's page loads, and its lazy chunks.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { thirdPartyNotices } from './scripts/third-party-notices.mjs';
import { widgetCatalogue } from './scripts/widget-catalogue.mjs';
import { toChunkName } from './scripts/widget-chunks.mjs';
import { widgetLiterals } from './scripts/widget-literals.mjs';
import { widgetPackage } from './scripts/widget-package.mjs';
import { widgetSize } from './scripts/widget-size.mjs';

export default defineConfig({
  // Library mode leaves this to the consumer's bundler, and there is none: a script tag loads the file.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  // The same results in a tenth of the bytes, as test/widget/schemas proves.
  resolve: { alias: { 'zod/mini': join(import.meta.dirname, 'widget/schemas/mini.ts') } },
  plugins: [
    widgetCatalogue(),
    widgetLiterals(),
    thirdPartyNotices(),
    widgetPackage(),
    widgetSize(),
  ],
  build: {
    // Library mode also keeps Vite's preload helper out, which puts <link> elements into the page;
    // chunks are then plain relative imports, found beside the file and not on the partner's origin.
    lib: { entry: { 'funding-application': 'widget/define.ts' }, formats: ['es'] },
    outDir: 'dist/widget',
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // Lazy chunks find in the entry what they share with it.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // Library mode alone would keep the whitespace and the annotations for that other bundler.
        minify: true,
        comments: false,
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        codeSplitting: { groups: [{ name: toChunkName }], includeDependenciesRecursively: false },
      },
    },
  },
});
