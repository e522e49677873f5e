// Vite plugin: makes the built widget's folder a package without dependencies, with its types, its custom elements manifest, and
// its own `package.json`.
import { join } from 'node:path';
import { sbomFile } from './package-sbom.mjs';
import { readJson, root, toJson } from './project.mjs';
import { noticesFile } from './third-party-notices.mjs';
import { toCustomElementsManifest } from './widget-custom-elements.mjs';
import { createTypePrinter, createWidgetProgram, toDeclarationFile } from './widget-types.mjs';

const types = 'funding-application.d.ts';
const customElements = 'custom-elements.json';

/** A Vite plugin. */
export function widgetPackage() {
  /** `vite build --watch` keeps the files of its first build: generating them takes longer than everything else. */
  let files;
  return {
    name: 'widget-package',
    apply: 'build',
    async generateBundle() {
      files ??= await generateFiles();
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

async function generateFiles() {
  const program = createWidgetProgram();
  const manifest = toCustomElementsManifest(program, createTypePrinter(program));
  return {
    [types]: await toDeclarationFile(program),
    [customElements]: toJson(manifest),
    'package.json': toJson(toManifest(readJson(join(root, 'package.json')))),
  };
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
    customElements,
    exports: {
      '.': { types: `./${types}`, default: './funding-application.js' },
      './manifest.json': './manifest.json',
      [`./${customElements}`]: `./${customElements}`,
      './package.json': './package.json',
    },
    // Excludes the version folders, which only the BFF serves.
    files: [
      'funding-application.*',
      'chunks',
      customElements,
      'manifest.json',
      noticesFile,
      sbomFile,
    ],
  };
}
