// Vite plugins for a release of the element: the second minifier and the types of its script, and the files of its npm package.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import {
  getVsCodeCssCustomData,
  getVsCodeHtmlCustomData,
} from 'custom-element-vs-code-integration';
import { format } from 'prettier';
import { minify } from 'terser';
import { readJson, root, toJson } from '../project.mjs';
import { findElement, toCustomElementsManifest } from './custom-elements.mjs';
import { emitFiles, licenses } from './packages.mjs';
import { createTypePrinter, createProgram, toDeclarationFile } from './types.mjs';

const sources = join(root, 'widget', 'package');
const editorFiles = {
  html: 'vscode.html-custom-data.json',
  css: 'vscode.css-custom-data.json',
  jetBrains: 'web-types.json',
};

/** Frameworks whose compiler knows the element after `import 'funding-application/<framework>'`. */
export const frameworks = ['react', 'vue', 'svelte'];

/** Terser makes the output of Vite's own minifier 1.2 KiB (Brotli) smaller. */
export async function shrink(source) {
  const { code } = await minify(source, {
    module: true,
    ecma: 2022,
    compress: { passes: 3, keep_fargs: false },
    format: { comments: false },
  });
  return code ?? source;
}

/** The files beside the script that the BFF serves: its types, which import nothing, licenses, and SBOM. */
export function scriptPlugins() {
  return [
    emitFiles('widget-types', async () => ({
      'funding-application.d.ts': await toDeclarationFile(createProgram()),
    })),
    licenses('funding-application'),
  ];
}

/** The files of the npm package beside its scripts: types, manifest, data for editors, types for frameworks, and the example themes. */
export function elementPackage() {
  return emitFiles('element-package', generateElementFiles);
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
async function generateElementFiles() {
  const program = createProgram('widget/package/index.ts');
  const manifest = toCustomElementsManifest(program, createTypePrinter(program));
  const [{ declarations }] = manifest.modules;
  const types = await toDeclarationFile(program, { hasValues: true });
  const all = `${types}\n${toFrameworkTypes(findElement(declarations))}`;
  const themes = globSync('examples/themes/*.css', { cwd: root });
  return {
    'index.d.ts': await format(all, { parser: 'typescript', printWidth: 100, singleQuote: true }),
    'define.d.ts': "// Registers <funding-application>.\n\nexport * from './index.js';\n",
    'custom-elements.json': toJson(manifest),
    ...toEditorFiles(manifest),
    // The script of a framework registers the element, so that one import is enough.
    ...Object.fromEntries(
      frameworks.flatMap((name) => [
        [`${name}.js`, "import './define.js';\n\nexport * from './define.js';\n"],
        [`${name}.d.ts`, readFileSync(join(sources, `${name}.d.ts`), 'utf8')],
      ]),
    ),
    ...Object.fromEntries(
      themes.map((file) => [`themes/${basename(file)}`, readFileSync(join(root, file), 'utf8')]),
    ),
  };
}

/** The types that the files for frameworks have in common. */
function toFrameworkTypes({ attributes, members, events, cssProperties }) {
  const properties = members.filter(({ kind, attribute }) => kind === 'field' && !attribute);
  const entries = [
    ...attributes,
    ...properties.map((property) => ({ ...property, fieldName: property.name })),
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

function toEditorFiles(manifest) {
  // The libraries change the manifest, and take a name of a type for a value of the attribute.
  const generate = (library) =>
    JSON.parse(library(withoutTypeNames(structuredClone(manifest)), { hideLogs: true }));
  const { html, css, jetBrains } = editorFiles;
  const { version } = readJson(join(root, 'package.json'));
  const webTypes = { ...generate(getWebTypesData), name: 'funding-application', version };
  return {
    [html]: toJson(generate(getVsCodeHtmlCustomData)),
    [css]: toJson(generate(getVsCodeCssCustomData)),
    [jetBrains]: toJson(webTypes),
  };
}

function withoutTypeNames(manifest) {
  for (const { declarations } of manifest.modules)
    for (const { attributes = [] } of declarations)
      for (const attribute of attributes)
        if (!/'|boolean|number/.test(attribute.type.text)) attribute.type.text = 'string';
  return manifest;
}

const noDom = '\0no-dom';

/**
 * Lets a server import the element, which then does nothing. Lit's files for Node take `HTMLElement` from the page, and from a stand-in
 * on a server. This plugin replaces the stand-in, which would add `customElements` to the server's globals, by an empty class.
 *
 * @returns {import('vite').Plugin}
 */
export function elementOnServer() {
  return {
    name: 'element-on-server',
    apply: 'build',
    enforce: 'pre',
    // Without `browser`, so that the packages of Lit resolve to `node`. No other bundled package has either condition.
    config: () => ({ resolve: { conditions: ['node', 'module'] } }),
    resolveId: {
      filter: { id: /^@lit-labs\/ssr-dom-shim$|\/bff-origin\.ts$/ },
      handler: (id) => (id.startsWith('@') ? noDom : join(sources, 'bff-origin.ts')),
    },
    load: {
      filter: { id: /^\0no-dom$/ },
      handler: () =>
        'export const HTMLElement = class {};\nexport const customElements = undefined;\n',
    },
    transform: {
      filter: { id: /@lit\/reactive-element\/node\/reactive-element\.js$/ },
      handler(source) {
        const assignment = /\b\w+\.customElements\?\?=\w+;/;
        if (!assignment.test(source)) throw new Error('Lit sets customElements in another way.');
        return { code: source.replace(assignment, ''), map: null };
      },
    },
  };
}
