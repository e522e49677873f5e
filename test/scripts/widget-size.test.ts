import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { locales } from '../../shared/application/lists.ts';
import {
  findExcess,
  findFirstLoad,
  findLanguageChunks,
  findNamed,
  findUnnamedImports,
  listLanguages,
  summarize,
  toMark,
  widgetSize,
} from '../../scripts/widget-size.mjs';

const entry = { fileName: 'entry.js', imports: ['shared.js'] };
const chunks = [
  entry,
  { fileName: 'shared.js', imports: ['deep.js'] },
  { fileName: 'deep.js', imports: ['shared.js'] },
  { fileName: 'lazy.js', imports: ['shared.js'] },
];

interface Hooks {
  configResolved(config: object): void;
  writeBundle(options: object, bundle: object): void;
}

describe('the size of the widget', () => {
  it('counts all static imports of the entry as the first load', () => {
    expect([...findFirstLoad(entry, chunks)]).toEqual(['entry.js', 'shared.js', 'deep.js']);
  });

  it('counts only JavaScript, with the sandbox chunks separate', () => {
    const files = [
      { file: 'entry.js', brotli: 10 },
      { file: 'form.js', brotli: 4 },
      { file: 'lazy.js', brotli: 5 },
      { file: 'sandbox.js', brotli: 3 },
      { file: 'es.js', brotli: 7 },
      { file: 'picture.svg', brotli: 100 },
    ];

    const chunks = {
      firstLoad: new Set(['entry.js']),
      form: new Set(['entry.js', 'form.js']),
      sandbox: new Set(['sandbox.js']),
      languages: new Set(['es.js']),
    };
    expect(summarize(files, chunks)).toEqual({
      firstLoadBrotliBytes: 10,
      formBrotliBytes: 14,
      englishBrotliBytes: 19,
      sandboxBrotliBytes: 3,
    });
  });

  it('finds a helper of the bundler that a chunk imports from a file of its own', () => {
    const first = { name: 'funding-application', fileName: 'first.js', imports: [] };
    const form = { name: 'form', fileName: 'form.js', imports: ['first.js', 'helper.js'] };
    const helper = { name: 'helper', fileName: 'helper.js', imports: [] };

    expect(findUnnamedImports([first, form, helper])).toEqual(['helper.js']);
    expect(findUnnamedImports([first, { ...form, imports: ['first.js'] }])).toEqual([]);
  });

  it('fails when a named chunk is missing', () => {
    const sandbox = { name: 'demonstration-bank', fileName: 'chunks/demonstration-bank-1.js' };

    const names = ['demonstration-bank'];
    expect([...findNamed([entry, sandbox], names)]).toEqual([sandbox.fileName]);
    expect(() => findNamed([entry], names)).toThrow('demonstration-bank');
  });

  it('knows every language other than English by its files', () => {
    const others = locales.filter((locale) => locale !== 'en');
    expect(listLanguages()).toEqual(others.toSorted());
  });

  it('prints the sizes with the logger of the build, so that a quiet build is quiet', () => {
    const dir = mkdtempSync(join(tmpdir(), 'widget-size-'));
    const names = ['funding-application', 'form', 'industry-words-en', 'demonstration-bank'];
    const languages = listLanguages().flatMap((one) => [one, `industry-words-${one}`]);
    const bundle = Object.fromEntries(
      [...names, ...languages].map((name) => {
        const chunk = { type: 'chunk', name, fileName: `${name}.js`, imports: [] };
        writeFileSync(join(dir, chunk.fileName), 'export {};');
        return [chunk.fileName, chunk];
      }),
    );
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const lines: string[] = [];
    // The hooks of this plugin are functions that need no context.
    const plugin = widgetSize() as unknown as Hooks;
    plugin.configResolved({ logger: { info: (text: string) => lines.push(text) } });
    plugin.writeBundle({ dir }, bundle);
    rmSync(dir, { recursive: true });
    expect(lines.join('\n')).toContain('first load: ');
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  it('names the language that lacks a chunk', () => {
    const messages = { name: 'es', fileName: 'chunks/es-1.js' };
    const words = { name: 'industry-words-es', fileName: 'chunks/industry-words-es-1.js' };
    const found = findLanguageChunks([entry, messages, words], ['es']);
    expect([...found]).toEqual([messages.fileName, words.fileName]);
    expect(() => findLanguageChunks([entry, messages], ['es'])).toThrow(
      'The language "es" lacks the chunk "industry-words-es".',
    );
  });

  it('reports each exceeded limit', () => {
    const budget = { firstLoadBrotliBytes: 9, formBrotliBytes: 12, englishBrotliBytes: 15 };
    const sizes = {
      firstLoadBrotliBytes: 10,
      formBrotliBytes: 12,
      englishBrotliBytes: 15,
      sandboxBrotliBytes: 99,
    };

    expect(findExcess(sizes, budget)).toEqual(['first load is 10 bytes Brotli, the limit is 9']);
  });

  it('names a build after the bytes of all its files', () => {
    const files = [
      { file: 'entry.js', integrity: 'sha384-a' },
      { file: 'chunks/lazy-1.js', integrity: 'sha384-b' },
    ];
    const [entry, lazy] = files;
    expect(toMark(files)).toMatch(/^[0-9a-f]{8}$/);
    expect(toMark([...files])).toBe(toMark(files));
    expect(toMark([entry, { ...lazy, integrity: 'sha384-c' }])).not.toBe(toMark(files));
  });
});
