// Builds the npm package of the BFF: dist/packages/bff, and its tarball beside it. Needs dist/widget. A part of the release only.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { bffFiles, copyFiles, projectVersion } from './vite.config.bff.ts';
import { packagesFolder } from './scripts/project.mjs';
import { bffPackage, separateProgram } from './scripts/release/bff.mjs';
import {
  collectPackages,
  npmPackage,
  readBundledPackages,
  zipCodes,
} from './scripts/release/packages.mjs';

/** Beside `widget/`, as in a release. */
const folder = 'bff';
/** Programs where `bff/main.ts` expects them, with the files that each reads beside it. */
const programs = {
  sandbox: ['console.css', 'console.js'],
  conformance: ['files/test.jpg', 'files/test.png'],
};
const inFolder = Object.entries(bffFiles).map(([name, path]) => [`${folder}/${name}`, path]);
const besidePrograms = Object.entries(programs).flatMap(([program, files]) =>
  files.map((file) => [`${program}/${file}`, `${program}/${file}`]),
);
const packages = collectPackages([zipCodes]);
packages.add(readBundledPackages('dist/widget'));

export default defineConfig({
  publicDir: false,
  // Everything, so that the package installs no other one (docs/decisions/0074).
  ssr: { noExternal: true },
  plugins: [
    projectVersion(),
    copyFiles({
      ...Object.fromEntries([...inFolder, ...besidePrograms]),
      'settings.schema.json': 'bff/config/settings.schema.json',
      'openapi.json': 'docs/public/openapi.json',
    }),
    bffPackage(folder),
    Object.keys(programs).map((program) => separateProgram(program, packages.plugin)),
    packages.plugin,
    npmPackage({
      readme: 'bff/package/README.md',
      copied: [zipCodes],
      packages,
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
