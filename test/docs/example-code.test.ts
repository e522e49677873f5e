// Files that a page shows are those of its example, in other lines where the page is narrower.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { readBlocks } from '../support/code-blocks.ts';
import { frameworksPage, mountPage, serverlessPage } from '../support/followed-pages.ts';

/** Of these, Angular has no example, and Next has another page in its example. */
const pages: readonly { page: string; tabs: readonly (string | undefined)[]; count: number }[] = [
  { page: mountPage, tabs: ['Express', 'Fastify', 'Hono', 'Next'], count: 12 },
  { page: frameworksPage, tabs: ['React', 'Vue', 'Svelte'], count: 15 },
  { page: serverlessPage, tabs: [undefined], count: 2 },
];
const shown = pages.map(({ page, tabs, count }) => ({
  page,
  count,
  files: readBlocks(page).flatMap(({ place, tab, file, text }) => {
    if (file === undefined || file === '.env' || !tabs.includes(tab)) return [];
    return [{ place, path: join('examples', tab?.toLowerCase() ?? 'serverless', file), text }];
  }),
}));

it.each(shown)('$page shows $count files', ({ files, count }) => {
  expect(files).toHaveLength(count);
});

describe.each(shown)('$page', ({ files }) => {
  it.each(files)('$place is $path', ({ path, text }) => {
    const file = join(root, path);
    expect(existsSync(file) && withoutLayout(readFileSync(file, 'utf8'))).toBe(withoutLayout(text));
  });
});

function withoutLayout(text: string): string {
  return text.replaceAll(/\s+|,(?=\s*[}\])])/g, '');
}
