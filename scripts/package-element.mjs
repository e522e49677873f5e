// Vite plugin: the types and the custom elements manifest of the element's npm package.
import { toCustomElementsManifest } from './widget-custom-elements.mjs';
import { createTypePrinter, createWidgetProgram, toDeclarationFile } from './widget-types.mjs';

const entry = 'packages/element/index.ts';

/** @returns {import('vite').Plugin} */
export function elementPackage() {
  return {
    name: 'element-package',
    apply: 'build',
    async generateBundle() {
      for (const [fileName, source] of Object.entries(await generateElementFiles()))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** @returns {Promise<Record<string, string>>} the text of each file by its name */
export async function generateElementFiles() {
  const program = createWidgetProgram(entry);
  const manifest = toPackageManifest(toCustomElementsManifest(program, createTypePrinter(program)));
  return {
    'index.d.ts': await toDeclarationFile(program, { hasValues: true }),
    'define.d.ts': "// Registers <funding-application>.\n\nexport * from './index.js';\n",
    'custom-elements.json': toJson(manifest),
  };
}

/** The modules of the package: one declares the classes, the other one registers the element. */
function toPackageManifest({ modules: [module], ...manifest }) {
  const [{ declaration, ...definition }] = module.exports;
  const path = 'index.js';
  const names = module.declarations.map(({ name }) => name);
  return {
    ...manifest,
    modules: [
      {
        ...module,
        path,
        exports: names.map((name) => ({ kind: 'js', name, declaration: { name, module: path } })),
      },
      {
        kind: 'javascript-module',
        path: 'define.js',
        declarations: [],
        exports: [{ ...definition, declaration: { ...declaration, module: path } }],
      },
    ],
  };
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
