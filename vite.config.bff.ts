// Bundles the BFF into a release that runs without node_modules: `main.js`, which checks the Node version, `bff.js`, and the
// program of the processes that inspect documents.
import { defineConfig } from 'vite';
import { thirdPartyNotices } from './scripts/third-party-notices.mjs';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  plugins: [thirdPartyNotices()],
  build: {
    ssr: true,
    outDir: 'dist/bff',
    target: 'node24',
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: 'bff/main.ts', 'inspection-child': 'bff/documents/inspection-child.ts' },
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        // The bundler names a chunk that it does not write. That chunk must not use the name `bff.js`.
        chunkFileNames: ({ name }) => (name === 'main' ? 'bff.js' : '[name].js'),
      },
    },
  },
});
