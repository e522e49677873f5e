// Two braces outside of a code block are an expression of Vue, with which VitePress cannot build the site.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const fencedBlock = /^( *)(`{3,})[^`\n]*\n.*?^\1\2$/gms;

it('no page has an expression of Vue in its text', () => {
  const pages = globSync('**/*.md', {
    cwd: docs,
    exclude: (path) => /\.vitepress|node_modules/.test(path),
  });
  expect(pages.length).toBeGreaterThan(100);
  const wrong = pages.filter((page) =>
    readFileSync(join(docs, page), 'utf8').replaceAll(fencedBlock, '').includes('{{'),
  );
  expect(wrong).toEqual([]);
});
