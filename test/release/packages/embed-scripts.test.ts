// The code of docs/embed: TypeScript checks each script, also in JavaScript, with the packed types. embed-pages.test.ts runs the
// blocks that need no build, and embed-tools.test.ts checks Angular, PHP, Liquid, and the templates of Vue and Svelte.

import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { readBlocks, type CodeBlock } from '../../support/code-blocks.ts';
import { createPackedFolder, type PackedFolder } from '../support/packed-folder.ts';
import { readPackedPackage } from './packed.ts';

const pages = globSync('docs/embed/*.md', { cwd: root }).map((file) => basename(file, '.md'));

const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>\n([\s\S]*?)<\/script>/;

/** Types of what the host page and the bundler bring. */
const ambient = `
  interface Window {
    dataLayer: unknown[];
    gtag(command: 'event', name: string, values: object): void;
    turnstile?: ChallengeProvider;
    hcaptcha?: ChallengeProvider;
  }
  interface ChallengeProvider {
    render(box: Element, options: Record<string, unknown>): void;
  }
  interface ParentNode {
    querySelector(selectors: '#challenge'): HTMLDialogElement;
  }
  declare module 'https://*';
  declare module '*.vue' { const component: import('vue').Component; export default component; }
  declare module '*.svelte' { const component: import('svelte').Component; export default component; }
`;

describe('the scripts of docs/embed', () => {
  let folder: PackedFolder;

  beforeAll(() => {
    folder = createPackedFolder({ 'funding-application': readPackedPackage('element').tarball }, [
      '@playwright/test',
      '@sveltejs/vite-plugin-svelte',
      '@types/node',
      '@types/react',
      '@types/react-dom',
      'csstype',
      '@vitejs/plugin-react',
      '@vitejs/plugin-vue',
      'next',
      'playwright',
      'playwright-core',
      'react',
      'react-dom',
      'svelte',
      'vite',
      'vue',
    ]);
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => folder.remove());

  it('compile, with the types of the package', () => {
    const files = writePages(folder, (block) =>
      /^(?:tsx?|vue|svelte)$/.test(block.info) ? toScript(block) : undefined,
    );
    // The page about the package also copies its types, which import nothing.
    writeFileSync(
      join(folder.path, 'scripts/package/funding-application.d.ts'),
      "export * from 'funding-application';",
    );
    expect(files.length).toBeGreaterThan(12);
    expect(compile(folder, files, ['--strict'])).toBe('');
  });

  it('use only what exists, in JavaScript', () => {
    const files = writePages(folder, (block) => {
      const isInline = block.info === 'html' && /<script type="module">\n/.test(block.text);
      return block.info === 'js' || isInline ? toScript(block) : undefined;
    });
    expect(files.length).toBeGreaterThan(12);
    // JavaScript has no types for parameters, and does not check for null: the element is on the page.
    expect(compile(folder, files, ['--strict', 'false'])).toBe('');
  });

  it.each([
    ['ts', '--strict', 'true'],
    ['js', '--strict', 'false'],
  ])('do not compile with a wrong name in %s', (extension, ...options) => {
    const wrong = join(folder.path, `wrong.${extension}`);
    writeFileSync(
      wrong,
      `import 'funding-application/define';
      document.addEventListener('funding-submitted', ({ referenz }) => referenz);`,
    );
    expect(compile(folder, [wrong], options)).toContain("'referenz' does not exist");
  });
});

/** @returns the files, each with the blocks' own path or a number. */
function writePages(
  folder: PackedFolder,
  toFile: (block: CodeBlock) => { readonly extension: string; readonly text: string } | undefined,
): readonly string[] {
  return pages.flatMap((name) =>
    readBlocks(`docs/embed/${name}.md`).flatMap((block, index) => {
      const source = block.tab === 'Angular' ? undefined : toFile(block);
      if (!source) return [];
      const named = block.file && /\.tsx?$/.test(block.file) ? block.file : undefined;
      const file = join(
        folder.path,
        'scripts',
        block.tab ?? name,
        named ?? `block-${index}.${source.extension}`,
      );
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, source.text);
      return [file];
    }),
  );
}

function toScript({ info, text }: CodeBlock): { extension: string; text: string } {
  const [, script = text] = inlineScript.exec(text) ?? [];
  const extension = info === 'html' ? 'js' : /^(?:tsx|js)$/.exec(info)?.[0];
  return { extension: extension ?? 'ts', text: `${script}\nexport {};\n` };
}

function compile(
  folder: PackedFolder,
  files: readonly string[],
  options: readonly string[],
): string {
  const types = join(folder.path, 'ambient.d.ts');
  writeFileSync(types, `import 'funding-application/define';\nimport 'vue';\n`);
  writeFileSync(join(folder.path, 'page.d.ts'), ambient);
  const settings = {
    compilerOptions: {
      noEmit: true,
      checkJs: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'preserve',
      jsx: 'react-jsx',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['vite/client', 'node', 'svelte'],
    },
    files: [types, join(folder.path, 'page.d.ts'), ...files],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  return folder.run(compiler, ['--project', 'tsconfig.json', ...options]).output;
}
