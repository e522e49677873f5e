// Files that the build makes from the comments and types in the element's source: the types beside the script that the BFF serves, and the
// custom elements manifest of the npm package.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { readPackedPackage } from './packed.ts';

interface Named {
  readonly name: string;
  readonly description: string;
  readonly type: { readonly text: string };
}

interface ClassDeclaration extends Named {
  readonly members: readonly (Named & { readonly kind: string; readonly attribute?: string })[];
  readonly attributes: readonly (Named & { readonly fieldName: string })[];
  readonly events: readonly Named[];
  readonly slots: readonly Named[];
  readonly cssParts: readonly Named[];
  readonly cssProperties: readonly (Named & { readonly default: string })[];
}

const source = globSync('widget/**/*.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const typesFile = join(root, 'dist/widget/funding-application.d.ts');
let declarations: readonly ClassDeclaration[];
let element: ClassDeclaration;
let folder: string;

beforeAll(() => {
  const manifest = JSON.parse(readPackedPackage('element').read('custom-elements.json'));
  declarations = manifest.modules[0].declarations;
  element = declarations.find(({ name }) => name === 'FundingApplication')!;
  folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  const installed = join(folder, 'node_modules', 'funding-application');
  mkdirSync(installed, { recursive: true });
  copyFileSync(typesFile, join(installed, 'funding-application.d.ts'));
  writeFileSync(join(installed, 'package.json'), '{ "types": "./funding-application.d.ts" }');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('funding-application.d.ts', () => {
  it('imports nothing', () => {
    expect(readFileSync(typesFile, 'utf8')).not.toMatch(/^import|import\(|from '/m);
  });

  it('compiles in a program that has only the types of the DOM', () => {
    copyFileSync(
      join(root, 'test/release/fixtures/consumer/consumer.ts'),
      join(folder, 'consumer.ts'),
    );
    expect(compile('consumer.ts')).toBe('');
  });

  it('allows a program to declare the same event names', () => {
    writeFileSync(
      join(folder, 'declares.ts'),
      `import type { FundingApplication, FundingReadyEvent } from 'funding-application';
      declare global {
        interface HTMLElementTagNameMap { 'funding-application': FundingApplication }
        interface DocumentEventMap { 'funding-ready': FundingReadyEvent }
      }`,
    );
    expect(compile('declares.ts')).toBe('');
  });

  it('has the same types as the source', () => {
    writeFileSync(
      join(folder, 'comparison.ts'),
      `import type { LitElement } from '${join(root, 'node_modules/lit/index.js')}';
      import type * as built from 'funding-application';
      import type * as source from '${join(root, 'widget/index.ts')}';
      type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
      type Classes = Extract<
        (typeof source)[keyof typeof source],
        { readonly eventName: string; readonly prototype: Event }
      >;
      type Events = { [Class in Classes as Class['eventName']]: Class['prototype'] };
      type BuiltElement = Omit<built.FundingApplication, Exclude<keyof HTMLElement, 'focus'>>;
      type Element = Omit<source.FundingApplication, Exclude<keyof LitElement, 'focus'>>;
      export const element: Same<BuiltElement, Element> = true;
      export const events: Same<built.FundingEventMap, Events> = true;
      export const error: Same<built.FundingError, source.FundingError> = true;
      export const api: Same<built.FundingApi, source.FundingApi> = true;
      export const result: Same<built.Result<Date>, source.Result<Date>> = true;`,
    );
    expect(compile('comparison.ts', ['--allowImportingTsExtensions'])).toBe('');
  });
});

describe('custom-elements.json', () => {
  const [, properties = ''] = /static override properties = \{(.*?)\n {2}\};/s.exec(source) ?? [];
  const namesOf = (text: string, pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, name = '']) => name);
  const membersOf = (wanted: string) => element.members.filter(({ kind }) => kind === wanted);

  it.each<[string, () => readonly Named[], Iterable<string>]>([
    ['property', () => membersOf('field'), namesOf(properties, /^ {4}(\w+):/gm)],
    [
      'public method',
      () => membersOf('method'),
      ['finish', 'focus', 'goTo', 'reset', 'submitAssetReport'],
    ],
    [
      'event class',
      () => element.events,
      namesOf(source, /static readonly eventName = '([\w-]+)'/g),
    ],
    ['slot', () => element.slots, namesOf(source, /<slot(?: name="(\w+)")?/g)],
    ['part', () => element.cssParts, readParts()],
    [
      'custom property',
      () => element.cssProperties,
      namesOf(source, /var\(\s*(--funding-[\w-]+)/g),
    ],
  ])('describes each %s of the source', (_kind, list, names) => {
    const described = list().map(({ name }) => name);
    expect(described.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('has the default of each custom property', () => {
    const unit = element.cssProperties.find(({ name }) => name === '--funding-unit');
    expect(unit?.default).toBe('max(4px, 0.25rem)');
    for (const property of element.cssProperties) expect(property.default).not.toBe('');
  });

  it('has a description of each entry', () => {
    const entries = [
      ...declarations,
      ...declarations.flatMap(({ members }) => members.filter(({ name }) => name !== 'name')),
      ...element.attributes,
      ...element.events,
      ...element.slots,
      ...element.cssParts,
      ...element.cssProperties,
    ];
    expect(entries.filter(({ description }) => !description)).toEqual([]);
  });

  it('has types without names of values', () => {
    const types = declarations.flatMap(({ members }) =>
      members.map(({ type }) => type?.text ?? ''),
    );
    expect(types.filter((type) => /typeof |\[|FlowEventOf/.test(type))).toEqual([]);
  });
});

/** The names in `part="…"`, also those that an expression adds. */
function readParts(): ReadonlySet<string> {
  const attributes = [...source.matchAll(/\bpart="([^"]*)"/g)].map(([, text = '']) => text);
  const names = attributes.flatMap((text) => [
    ...text.replaceAll(/\$\{.*?\}/g, ' ').split(' '),
    ...[...text.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
  ]);
  return new Set(names.filter((name) => name !== ''));
}

/** Compiles a file with the types of the DOM only. Returns the errors. */
function compile(file: string, options: readonly string[] = []): string {
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const args = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext'];
  const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
  const { stdout, stderr } = spawnSync(compiler, [...args, ...libraries, ...options, file], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout + stderr;
}
