// Compiles the code that the playground shows for React and Vue, for all combinations of its choices.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import {
  examples,
  toCode,
  toPrefill,
} from '../../../examples/partner-site/public/playground-code.js';
import { scenarios } from '../../../sandbox/scenarios.ts';
import { root } from '../../../scripts/project.mjs';
import { createPackedFolder, type PackedFolder } from '../support/packed-folder.ts';
import { readPackedPackage } from './packed.ts';

const own = { business: { name: 'Rosa’s "Bakery" </script>', foundedMonth: 4 } };
const answers = [undefined, examples.business, examples.all, own];
const page = readFileSync(join(root, 'examples/partner-site/pages/playground.html'), 'utf8');
/** Choices of the theme. Each value of a list is in one of them. */
const sheets: Record<string, string>[] = [
  {},
  { accent: '#a02060', radius: '2' },
  ...readOptions('preset').map((preset) => ({ preset })),
  ...readOptions('font').map((font) => ({ font })),
];

const codes = { react: new Set<string>(), vue: new Set<string>() };
for (const scheme of ['', ...readOptions('scheme')])
  for (const locale of ['', ...readOptions('locale')])
    for (const heading of ['', ...readOptions('heading')])
      for (const known of answers)
        // No other sheet changes the attributes.
        for (const sheet of sheets.slice(0, 2)) add({ scheme, locale, heading, ...sheet }, known);
for (const sheet of sheets) for (const known of answers) add(sheet, known);
for (const { tag: outcome } of scenarios)
  for (const known of answers) add({ outcome, accent: '#a02060' }, known);
for (const startPage of readOptions('startPage'))
  for (const sheet of sheets) add({ startPage, ...sheet }, undefined);

const compiler = join(root, 'node_modules', '.bin', 'tsc');
const strict = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
const options = [...strict, '--module', 'preserve', '--jsx', 'react-jsx', '--types', ''];

describe('the code of the playground', () => {
  let folder: PackedFolder;

  beforeAll(() => {
    const tarballs = { 'funding-application': readPackedPackage('element').tarball };
    folder = createPackedFolder(tarballs, ['@types/react', 'csstype', 'vue']);
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    // As the types of Vite.
    writeFileSync(join(folder.path, 'sheets.d.ts'), "declare module '*.css';");
  });

  afterAll(() => folder.remove());

  it('differs for all combinations of choices', () => {
    expect(codes.react.size).toBeGreaterThan(300);
    expect(codes.vue.size).toBe(codes.react.size);
  });

  it('imports style sheets that the package has', () => {
    const names = [...codes.react, ...codes.vue].flatMap((code) =>
      Array.from(code.matchAll(/import '([^']+\.css)'/g), ([, name]) => name ?? ''),
    );
    expect(new Set(names).size).toBe(readOptions('preset').length);
    const { resolve } = createRequire(join(folder.path, 'page.js'));
    expect(new Set(names.map((name) => resolve(name))).size).toBe(readOptions('preset').length);
  });

  it('compiles for React', () => {
    expect(compile('react', 'tsx', [...codes.react])).toBe('');
  });

  it('compiles for Vue', () => {
    expect(compile('vue', 'ts', Array.from(codes.vue, compileVue))).toBe('');
  });

  it.each(['react', 'vue'] as const)('would not compile for %s with a wrong use', (format) => {
    const [code = ''] = codes[format];
    const wrong = code.replace('{ reference }', '{ ssn }').replace('(reference)', '(ssn)');
    expect(wrong).not.toBe(code);
    const extension = format === 'react' ? 'tsx' : 'ts';
    const text = format === 'vue' ? compileVue(wrong) : wrong;
    expect(compile(`wrong-${format}`, extension, [text])).toContain("'ssn' does not exist");
  });

  function compile(name: string, extension: string, texts: readonly string[]): string {
    const into = join(folder.path, name);
    mkdirSync(into);
    for (const [index, text] of texts.entries())
      writeFileSync(join(into, `${index}.${extension}`), text);
    const include = ['../sheets.d.ts', `*.${extension}`];
    writeFileSync(join(into, 'tsconfig.json'), JSON.stringify({ include }));
    return folder.run(compiler, ['--project', into, ...options]).output.slice(0, 4_000);
  }
});

function add(choices: Record<string, string>, known: object | undefined): void {
  const chosen = new Map(Object.entries(choices).filter(([, value]) => value));
  const prefill = toPrefill(known, chosen.get('outcome'));
  const parts = { choices: chosen, prefill, bffUrl: 'https://b.example', themes: {} };
  codes.react.add(toCode('react', parts));
  codes.vue.add(toCode('vue', parts));
}

/** The script and the render function of the template, as TypeScript. */
function compileVue(text: string): string {
  const { descriptor, errors } = parse(text);
  if (errors.length > 0) throw errors[0];
  const compilerOptions = { isCustomElement: (tag: string) => tag === 'funding-application' };
  const templateOptions = { compilerOptions };
  return compileScript(descriptor, { id: 'funding', inlineTemplate: true, templateOptions })
    .content;
}

/** The values of a list on the page, without the default. */
function readOptions(name: string): string[] {
  const [, list = ''] =
    new RegExp(`<select id="${name}"[^>]*>(.*?)</select>`, 's').exec(page) ?? [];
  const values = Array.from(list.matchAll(/<option value="([^"]*)"/g), ([, value]) => value ?? '');
  expect(values.length).toBeGreaterThan(1);
  return values.filter(Boolean);
}
