// Every path, relative link, and anchor in the Markdown documents exists in the repository.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAnchor } from '../../scripts/references/markdown.ts';

const root = join(import.meta.dirname, '../..');
const isGenerated = (path: string) => /(?:^|\/)(?:node_modules|dist|test-output)$/.test(path);
const files = globSync('**', { cwd: root, exclude: isGenerated });
// The changelog and the decisions describe earlier builds too.
const isHistory = (file: string) => file === 'CHANGELOG.md' || /docs\/decisions\/\d/.test(file);
const documents = files.filter((file) => file.endsWith('.md'));

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link]) => link!);

  it('names only source files that exist', () => {
    if (isHistory(document)) return;
    const paths = [...text.matchAll(/`([\w./-]+(?<!\.d)\.(?:ts|mjs))`/g)].map(([, path]) => path!);
    const isFile = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`));
    expect(paths.filter((path) => !isFile(path))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const paths = links.map((link) => link.split('#')[0]!);
    expect(paths.filter((path) => !existsSync(join(root, dirname(document), path)))).toEqual([]);
  });

  it('links only to headings that exist', () => {
    const hasTarget = (link: string) => {
      const [path = '', anchor] = link.split('#');
      const target = path ? join(root, dirname(document), path) : join(root, document);
      return !anchor || !target.endsWith('.md') || listAnchors(target).includes(anchor);
    };
    expect(links.filter((link) => !hasTarget(link))).toEqual([]);
  });
});

describe('source files', () => {
  const sources = files.filter(
    (file) =>
      /\.(?:ts|mjs|js|css|json|ya?ml|env|service|toml)$|(?:^|\/)(?:Containerfile|Caddyfile)$/.test(
        file,
      ) &&
      !/test\/(?:corpus|fixtures)\/|test\/scripts\/check-words/.test(file) &&
      statSync(join(root, file)).isFile(),
  );

  it('name only pages of the documentation that exist', () => {
    const missing = sources.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
        .map(([page]) => page)
        .filter((page) => !existsSync(join(root, page)))
        .map((page) => `${file}: ${page}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Anchors of the headings, also of those that occur twice, as the repository's host and the site make them. */
function listAnchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const anchor = toAnchor(heading!.replaceAll('`', ''));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
