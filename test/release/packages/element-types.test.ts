// Compiles programs of adopters with the packed types of the element. Each has right uses, and wrong uses that must be errors.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { parseBlocks } from '../../support/code-blocks.ts';
import { createPackedFolder, type PackedFolder } from '../support/packed-folder.ts';
import { readPackedPackage } from './packed.ts';

const compiler = join(root, 'node_modules', '.bin', 'tsc');
const always = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];

describe.each(['nodenext', 'preserve'])('the types of the element with --module %s', (module) => {
  let folder: PackedFolder;

  beforeAll(() => {
    const tarballs = { 'funding-application': readPackedPackage('element').tarball };
    folder = createPackedFolder(tarballs, ['@types/react', 'csstype']);
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => folder.remove());

  // embed-tools.test.ts checks those of Vue and Svelte.
  it('compile programs without a framework, and with React 19', () => {
    const files = ['consumer.ts', 'exports.ts', 'react.tsx'];
    for (const file of files)
      copyFileSync(join(root, 'test/release/fixtures/consumer', file), join(folder.path, file));
    expect(compile(files)).toBe('');
  });

  it('compile the examples of the README', () => {
    const readme = readPackedPackage('element').read('README.md');
    const example = parseBlocks('README.md', readme).find(({ info }) => info === 'tsx')!;
    expect(example.text).toContain('<funding-application');
    writeFileSync(join(folder.path, 'readme.tsx'), example.text);
    expect(compile(['readme.tsx'])).toBe('');
  });

  it('do not know the element in JSX without the import for React', () => {
    writeFileSync(
      join(folder.path, 'forgotten.tsx'),
      `import 'funding-application/define';
      export const form = <funding-application bff-url="https://apply.partner.example" />;`,
    );
    expect(compile(['forgotten.tsx'])).toContain(
      "Property 'funding-application' does not exist on type 'JSX.IntrinsicElements'",
    );
  });

  function compile(files: readonly string[]): string {
    const options = [...always, '--module', module, '--types', '', '--jsx', 'react-jsx'];
    return folder.run(compiler, [...options, ...files]).output;
  }
});
