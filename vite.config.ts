// Builds the widget: the file that a partner's page loads, and its lazy-loaded chunks.
import { defineConfig } from 'vite';
import { softwareBill } from './scripts/package-sbom.mjs';
import { thirdPartyNotices } from './scripts/third-party-notices.mjs';
import { entries, firstChunk, toRolldownOptions } from './scripts/widget-chunks.mjs';
import { widgetLiterals } from './scripts/widget-literals.mjs';
import { widgetMinify } from './scripts/widget-minify.mjs';
import { widgetPackage } from './scripts/widget-package.mjs';
import { widgetSize } from './scripts/widget-size.mjs';
import { widgetZod } from './scripts/widget-zod.mjs';

export default defineConfig({
  // Library mode leaves this to the consumer's bundler. A script tag loads this file without a bundler.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  plugins: [
    widgetZod(),
    widgetLiterals(),
    widgetMinify(),
    thirdPartyNotices(),
    softwareBill('funding-application'),
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
    rolldownOptions: toRolldownOptions([firstChunk]),
  },
});
