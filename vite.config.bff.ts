// Bundles the BFF into one file that runs without node_modules.
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'bff/main.ts',
    outDir: 'dist/bff',
    // The oldest Node the published package supports, not the one that runs the project.
    target: 'node22',
    reportCompressedSize: false,
    rolldownOptions: {
      output: { format: 'es', entryFileNames: 'main.js', codeSplitting: false },
    },
  },
});
