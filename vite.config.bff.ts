// Bundles the BFF into a release that runs without node_modules: `main.js`, which checks the Node, `bff.js` beside it, and the
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
        // The bundler plans one more chunk than it writes, which must not take the name.
        chunkFileNames: ({ name }) => (name === 'main' ? 'bff.js' : '[name].js'),
      },
    },
  },
});
