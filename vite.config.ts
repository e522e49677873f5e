// Builds the widget: one entry a partner's page loads, and its lazy chunks.
import { defineConfig } from 'vite';
import { widgetSize } from './scripts/widget-size.mjs';

export default defineConfig({
  // Library mode leaves this to the consumer's bundler, and there is none: a script tag loads the file.
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  plugins: [widgetSize()],
  build: {
    // Library mode also keeps Vite's preload helper out, which puts <link> elements into the page;
    // chunks are then plain relative imports, found beside the file and not on the partner's origin.
    lib: { entry: { 'funding-application': 'widget/define.ts' }, formats: ['es'] },
    outDir: 'dist/widget',
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // What the lazy chunk shares with the entry stays in the entry: one file to load first, and one hash that covers it.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // Library mode alone would keep the whitespace and the annotations for that other bundler.
        minify: true,
        comments: false,
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
});
