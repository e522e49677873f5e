// Tests of the npm package of the element.

import { parseSync, Visitor } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPackedPackage, type PackedPackage } from './packed.ts';

let packed: PackedPackage;

beforeAll(() => {
  packed = readPackedPackage('element');
});

describe('the npm package of the element', () => {
  it('needs no other package', () => {
    for (const field of ['dependencies', 'optionalDependencies', 'engines'])
      expect(packed.manifest).not.toHaveProperty(field);
    const { peerDependencies, peerDependenciesMeta } = packed.manifest;
    for (const name of Object.keys(Object(peerDependencies)))
      expect(peerDependenciesMeta).toHaveProperty([name], { optional: true });
  });

  it('contains no source and no test', () => {
    const allowed =
      /^(?:[\w.-]+\.(?:js|d\.ts|json|md|txt)|LICENSE|chunks\/[\w-]+\.js|themes\/\w+\.css)$/;
    expect(packed.files.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('describes the element for VS Code and JetBrains', () => {
    const [element] = JSON.parse(packed.read('custom-elements.json')).modules[0].declarations;
    const names = (entries: readonly { readonly name: string }[]) =>
      entries.map(({ name }) => name);
    const html = JSON.parse(packed.read('vscode.html-custom-data.json'));
    const css = JSON.parse(packed.read('vscode.css-custom-data.json'));
    const webTypes = JSON.parse(packed.read('web-types.json'));
    expect(names(html.tags[0].attributes)).toEqual(names(element.attributes));
    expect(names(css.properties)).toEqual(names(element.cssProperties));
    expect(html.tags[0].attributes).toContainEqual(
      expect.objectContaining({ name: 'settings', values: [] }),
    );
    expect(webTypes.version).toBe(packed.manifest.version);
    expect(names(webTypes.contributions.html.elements[0].attributes)).toEqual(
      names(element.attributes),
    );
    expect(packed.manifest).toMatchObject({
      'web-types': './web-types.json',
      customElements: './custom-elements.json',
    });
  });

  it('imports its lazy-loaded chunks by relative paths', () => {
    const scripts = packed.files.filter((file) => file.endsWith('.js'));
    const imported = scripts.flatMap((file) =>
      readImports(packed.read(file)).map((path) =>
        new URL(path, `file:///${file}`).pathname.slice(1),
      ),
    );
    expect(imported.length).toBeGreaterThan(10);
    expect([...new Set(imported)].filter((file) => !scripts.includes(file))).toEqual([]);
  });

  it('does not read the URL of its script, which a bundler changes', () => {
    for (const file of packed.files.filter((file) => file.endsWith('.js')))
      expect(packed.read(file)).not.toContain('import.meta');
  });
});

function readImports(source: string): readonly string[] {
  const found: string[] = [];
  const add = (node: { source: unknown }) => {
    if (node.source) found.push(JSON.stringify(node.source));
  };
  new Visitor({
    ImportDeclaration: add,
    ImportExpression: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
  }).visit(parseSync('chunk.js', source).program);
  // Terser writes a dynamic import as a template without substitutions.
  return found.map((node) => /"(?:value|cooked)":"([^"]+)"/.exec(node)?.[1] ?? node);
}
