// Every path and relative link in the Markdown documents leads to a file of the repository.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const isGenerated = (path: string) => /(?:^|\/)(?:node_modules|dist|test-output)$/.test(path);
const files = globSync('**', { cwd: root, exclude: isGenerated });
// The changelog and the decisions describe earlier builds too.
const documents = files.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('docs/decisions/'),
);

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(root, document), 'utf8');

  it('names only source files that exist', () => {
    const paths = [...text.matchAll(/`([\w./-]+(?<!\.d)\.(?:ts|mjs))`/g)].map(([, path]) => path!);
    const isFile = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`));
    expect(paths.filter((path) => !isFile(path))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
      ([, path]) => path!,
    );
    expect(links.filter((path) => !existsSync(join(root, dirname(document), path)))).toEqual([]);
  });
});
