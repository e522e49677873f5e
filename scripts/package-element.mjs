// Vite plugin: the files of the element's npm package beside its scripts: types, manifest, data for editors, types for frameworks,
// and the example themes.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';
import { format } from 'prettier';
import { versionPlaceholder } from './package-folder.mjs';
import { root, toJson } from './project.mjs';
import { toCustomElementsManifest } from './widget-custom-elements.mjs';
import { createTypePrinter, createWidgetProgram, toDeclarationFile } from './widget-types.mjs';

const sources = join(root, 'widget', 'package');
const editorFiles = {
  html: 'vscode.html-custom-data.json',
  css: 'vscode.css-custom-data.json',
  jetBrains: 'web-types.json',
};

/** Frameworks whose compiler knows the element after `import 'funding-application/<framework>'`. */
export const frameworks = ['react', 'vue', 'svelte'];

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

/** Fields of `package.json` that refer to these files. */
export function toExports() {
  const withTypes = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
  const files = ['custom-elements.json', ...Object.values(editorFiles), 'package.json'];
  return {
    '.': withTypes('index'),
    './define': withTypes('define'),
    ...Object.fromEntries(frameworks.map((name) => [`./${name}`, withTypes(name)])),
    './themes/*.css': './themes/*.css',
    ...Object.fromEntries(files.map((file) => [`./${file}`, `./${file}`])),
  };
}

/** @returns {Promise<Record<string, string>>} the text of each file by its name */
export async function generateElementFiles() {
  const program = createWidgetProgram('widget/package/index.ts');
  const manifest = toPackageManifest(toCustomElementsManifest(program, createTypePrinter(program)));
  const [{ declarations }] = manifest.modules;
  const element = declarations.find(({ customElement }) => customElement);
  const types = `${await toDeclarationFile(program, { hasValues: true })}\n${toFrameworkTypes(element)}`;
  return {
    'index.d.ts': await format(types, { parser: 'typescript', printWidth: 100, singleQuote: true }),
    'define.d.ts': "// Registers <funding-application>.\n\nexport * from './index.js';\n",
    'custom-elements.json': toJson(manifest),
    ...toEditorFiles(manifest),
    ...Object.fromEntries(frameworks.flatMap(toFrameworkFiles)),
    ...Object.fromEntries(
      globSync('examples/themes/*.css', { cwd: root }).map((file) => [
        `themes/${basename(file)}`,
        readFileSync(join(root, file), 'utf8'),
      ]),
    ),
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

/** The types that the files for frameworks have in common. */
function toFrameworkTypes({ attributes, members, events, cssProperties }) {
  const properties = members.filter(({ kind, attribute }) => kind === 'field' && !attribute);
  const entries = [
    ...attributes.map(({ name, fieldName, description }) => ({ name, fieldName, description })),
    ...properties.map(({ name, description }) => ({ name, fieldName: name, description })),
  ];
  const toMember = ({ name, description }, type) =>
    `/** ${description.replaceAll('*/', '*\\/')} */\n'${name}'?: ${type} | undefined;`;
  return `
/** The attributes of the element, and its properties that have no attribute. A framework sets them. */
export interface FundingApplicationProps {
  ${entries.map((entry) => toMember(entry, toPropType(entry))).join('\n')}
}

/** Listeners of the element's events, as React and Svelte name them. */
export interface FundingApplicationListeners {
  ${events.map((event) => toMember({ ...event, name: `on${event.name}` }, `((event: ${event.type.text}) => void)`)).join('\n')}
}

/** The custom properties that style the element. */
export interface FundingCssProperties {
  ${cssProperties.map((property) => toMember(property, 'string | number')).join('\n')}
}
`;
}

/** An attribute is also written as text in a template. */
function toPropType({ fieldName }) {
  const type = `FundingApplication['${fieldName}']`;
  return fieldName === 'headingLevel' ? `${type} | '1' | '2' | '3' | '4' | '5' | '6'` : type;
}

/** The script of a framework registers the element, so that one import is enough. */
function toFrameworkFiles(name) {
  return [
    [`${name}.js`, "import './define.js';\n\nexport * from './define.js';\n"],
    [`${name}.d.ts`, readFileSync(join(sources, `${name}.d.ts`), 'utf8')],
  ];
}

function toEditorFiles(manifest) {
  const folder = mkdtempSync(join(tmpdir(), 'editor-data-'));
  try {
    // The libraries change the manifest, and take a name of a type for a value of the attribute.
    const copy = () => withoutTypeNames(structuredClone(manifest));
    generateVsCodeCustomElementData(copy(), {
      outdir: folder,
      htmlFileName: editorFiles.html,
      cssFileName: editorFiles.css,
      hideLogs: true,
    });
    const webTypes = JSON.parse(getWebTypesData(copy(), { hideLogs: true }));
    return {
      ...Object.fromEntries(
        [editorFiles.html, editorFiles.css].map((file) => [
          file,
          toJson(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
        ]),
      ),
      [editorFiles.jetBrains]: toJson({
        ...webTypes,
        name: 'funding-application',
        version: versionPlaceholder,
      }),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withoutTypeNames(manifest) {
  for (const { declarations } of manifest.modules)
    for (const { attributes = [] } of declarations)
      for (const attribute of attributes)
        if (!/'|boolean|number/.test(attribute.type.text)) attribute.type.text = 'string';
  return manifest;
}
