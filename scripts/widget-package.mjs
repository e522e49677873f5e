// Vite plugin: makes of the built widget's folder a package that needs no other: its types, and a `package.json` of its own.
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

/** One file, so that a page that loads the script alone has but one to copy. */
export function joinTypes(texts) {
  return texts.map((text) => text.replaceAll(/^import type [^;]*;\n\n?/gm, '')).join('\n');
}

/**
 * Without dependencies: everything is in the bundle. The project itself is no package to install, since it would bring all that
 * the BFF and the tests need, a Node among it.
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
    // Not the folders of versions, from which the BFF serves.
    files: ['funding-application.*', 'chunks', 'manifest.json', noticesFile],
  };
}
