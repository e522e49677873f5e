// The build of the element: its chunks, its shortened code, and the folder of its version.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkImports,
  entries,
  shortenLiterals,
  toChunkName,
  widgetPlugins,
  writeVersion,
} from '../../scripts/widget.mjs';

const root = join(import.meta.dirname, '../..');

describe('the chunks of the element', () => {
  const imports: Readonly<Record<string, readonly string[]>> = {
    'widget/define.ts': ['lit.js', 'widget/funding-application.ts'],
    'widget/chunks/after-submission.ts': ['lit.js', 'widget/offers/offers.ts'],
    'widget/offers/offers.ts': ['widget/offers/offer-views.ts'],
  };
  const graph = {
    getModuleInfo: (id: string) => ({
      importedIds: (imports[id.slice(root.length + 1)] ?? []).map((file) => join(root, file)),
    }),
  };

  it.each([
    ['widget/define.ts', 'funding-application'],
    ['lit.js', 'funding-application'],
    ['widget/chunks/form.ts', 'form'],
    ['widget/offers/offer-views.ts', 'after-submission'],
    ['widget/bank/demonstration-bank.ts', null],
  ])('contain %s in %s', (file, name) => {
    expect(toChunkName(join(root, file), graph)).toBe(name);
  });

  it('begin with the module that they are loaded by', () => {
    const names = Object.values(entries).map((file) => toChunkName(join(root, file), graph));
    expect(names).toEqual(Object.keys(entries));
  });

  const toChunk = (name: string, ...others: readonly string[]) => ({
    type: 'chunk',
    name,
    fileName: `${name}.js`,
    imports: others,
  });
  const first = toChunk('funding-application');

  it('import only the files of named chunks', () => {
    expect(() => checkImports([first, toChunk('form', first.fileName)])).not.toThrow();
    const helper = toChunk('helper');
    expect(() => checkImports([first, helper, toChunk('form', helper.fileName)])).toThrow(
      'Chunks import helper.js',
    );
  });

  it('have a first file that imports nothing', () => {
    const [form, importing] = [toChunk('form'), toChunk('funding-application', 'form.js')];
    expect(() => checkImports([importing, form])).toThrow('more than one file');
  });
});

describe('the templates of the element', () => {
  it.each([
    [
      'have one space for whitespace in markup',
      'const a = html`<p\n    class="a"\n  >\n    ${b}  and\n\t<b>c</b>\n  </p>`;',
      'const a = html`<p class="a" > ${b} and <b>c</b> </p>`;',
    ],
    [
      'are shortened when nested, without changes to the code',
      "html`<p>\n${x\n  ? html`<b>\n\n</b>` : '  '}\n}</p>`",
      "html`<p> ${x\n  ? html`<b> </b>` : '  '} }</p>`",
    ],
    [
      'keep non-breaking spaces, escapes, or other templates',
      'html`\u00a0 \\u00a0  `;\nconst a = `  ${b}  `;\nlog`  `;',
      'html`\u00a0 \\u00a0 `;\nconst a = `  ${b}  `;\nlog`  `;',
    ],
    [
      'lose comments or redundant whitespace in style sheets',
      'css`\n  /* Why. */\n  .a :hover,\n  .b > p {\n    margin: 0 calc(1px + ${two});\n    content: "a:  b";\n  }\n`',
      'css` .a :hover,.b > p{margin:0 calc(1px + ${two});content:"a:  b"}`',
    ],
  ])('%s', (_name, source, shortened) => {
    expect(shortenLiterals(source)).toBe(shortened);
  });

  it('are refused in elements that keep whitespace', () => {
    expect(() => shortenLiterals('html`<textarea\n></textarea>`')).toThrow('textarea');
  });
});

describe('the code of the element', () => {
  it('has short names, except for properties, templates, or exports', async () => {
    const source =
      'const greeting = read(); export class Form { submit(draft) { return greeting + draft.amount + html`<p> ${draft} </p>`; } }';
    expect(await minify('form', source)).toMatch(
      /^const (\w)=read\(\);(?:export )?class \w+\{submit\((\w)\)\{return \1\+\2\.amount\+html`<p> \$\{\2\} <\/p>`\}\}/,
    );
  });

  it('is refused with a syntax error', async () => {
    await expect(minify('form', 'const a = ;')).rejects.toThrow(/^form\.js/);
  });

  it('is compiled while it downloads, if it is in the first file', async () => {
    expect(await minify('funding-application', 'export let a')).toMatch(
      /^\/\/# allFunctionsCalledOnLoad\n/,
    );
    expect(await minify('form', 'export let a')).not.toContain('//#');
  });

  async function minify(name: string, source: string): Promise<string> {
    const plugin = widgetPlugins().find(({ renderChunk }) => renderChunk) as Plugin;
    const chunk = { fileName: `${name}.js`, name };
    const rendered = await Reflect.apply(plugin.renderChunk as never, undefined, [source, chunk]);
    return (rendered as { readonly code: string }).code;
  }
});

describe('a version of the element', () => {
  let folder: string;
  const names = ['entry.js', 'chunks/later-1.js', 'notices.txt', 'types.d.ts'];
  const files = Object.fromEntries(names.map((name) => [name, Buffer.from(`content of ${name}`)]));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'widget-version-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('contains every file, with compressed forms of scripts or long texts', () => {
    const name = write();
    for (const [file, content] of Object.entries(files)) {
      expect(read(name, file)).toEqual(content);
      if (file.endsWith('.ts')) continue;
      expect(brotliDecompressSync(read(name, `${file}.br`))).toEqual(content);
      expect(gunzipSync(read(name, `${file}.gz`))).toEqual(content);
    }
    expect(readdirSync(join(folder, name)).filter((file) => file.startsWith('t'))).toEqual([
      'types.d.ts',
    ]);
  });

  it('is named by the current manifest, with its hash beside it', () => {
    const name = write();
    const manifest = JSON.parse(read('manifest.json').toString());
    expect(manifest).toMatchObject({
      version: '1.2.3',
      hash: expect.stringMatching(/^[\da-f]{8}$/),
      entry: 'entry.js',
      files: names.map((file) => ({ file, integrity: expect.stringMatching(/^sha384-/) })),
    });
    expect(name).toBe(`1.2.3-${manifest.hash}`);
    expect(read(name, 'manifest.json')).toEqual(read('manifest.json'));
  });

  it('stays beside other bytes of the same version', () => {
    const [name, same] = [write(), write()];
    const other = write({ ...files, 'entry.js': Buffer.from('other') });
    expect(same).toBe(name);
    expect(readdirSync(folder).toSorted()).toEqual(['manifest.json', name, other].toSorted());
    expect(read(name, 'entry.js').toString()).toBe('content of entry.js');
  });

  function write(built = files): string {
    return writeVersion(folder, { version: '1.2.3', entry: 'entry.js', files: built });
  }

  function read(...path: readonly string[]): Buffer {
    return readFileSync(join(folder, ...path));
  }
});
