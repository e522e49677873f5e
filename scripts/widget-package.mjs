// Vite plugin: makes the built widget's folder a package without dependencies, with its types and its own `package.json`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root } from './project.mjs';
import { noticesFile } from './third-party-notices.mjs';

const types = 'funding-application.d.ts';
const sources = ['element.ts', 'contract.ts'].map((file) =>
  join(root, 'widget/public-types', file),
);

/** @returns {import('vite').Plugin} */
export function widgetPackage() {
  return {
    name: 'widget-package',
    apply: 'build',
    generateBundle() {
      for (const file of sources) this.addWatchFile(file);
      const texts = sources.map((file) => readFileSync(file, 'utf8'));
      this.emitFile({ type: 'asset', fileName: types, source: joinTypes(texts) });
      const manifest = toManifest(readJson(join(root, 'package.json')));
      const source = `${JSON.stringify(manifest, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'package.json', source });
    },
  };
}

/** Joins all types in one file, so that a page that uses only the script needs to copy one file of types. */
export function joinTypes(texts) {
  return texts.map((text) => text.replaceAll(/^import type [^;]*;\n\n?/gm, '')).join('\n');
}

/**
 * Without dependencies, because the bundle contains everything. The project itself is not an installable package, because it
 * would also install the dependencies of the BFF and require Node.
 */
function toManifest({ name, version, private: isPrivate, description, license }) {
  return {
    name,
    version,
    private: isPrivate,
    description,
    license,
    type: 'module',
    types: `./${types}`,
    exports: {
      '.': { types: `./${types}`, default: './funding-application.js' },
      './manifest.json': './manifest.json',
      './package.json': './package.json',
    },
    // Excludes the version folders, which only the BFF serves.
    files: ['funding-application.*', 'chunks', 'manifest.json', noticesFile],
  };
}
