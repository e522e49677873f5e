// Bundles the BFF into a release that runs without node_modules: `main.js`, which checks the Node, and `bff.js` beside it.
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'bff/launch.ts',
    outDir: 'dist/bff',
    target: 'node24',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        format: 'es',
        entryFileNames: 'main.js',
        // The bundler plans one more chunk than it writes, which must not take the name.
        chunkFileNames: ({ name }) => (name === 'main' ? 'bff.js' : '[name].js'),
      },
    },
  },
});
