// Source files, links, anchors, pages, and decisions that documents and comments name exist.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { toAnchor } from '../../scripts/references/markdown.ts';

const isGenerated = (path: string) => /(?:^|\/)(?:node_modules|dist|test-output)$/.test(path);
const files = globSync('**', { cwd: root, exclude: isGenerated });
const documents = files.filter((file) => file.endsWith('.md'));
const sources = files.filter(
  (file) =>
    /\.(?:vue|ts|mjs|js|css|json|ya?ml|env|service|toml)$|(?:^|\/)(?:Containerfile|Caddyfile)$/.test(
      file,
    ) &&
    !/test\/(?:corpus|fixtures)\/|test\/scripts\/check-words/.test(file) &&
    statSync(join(root, file)).isFile(),
);
const fencedBlock = /^( *)(`{3,})[^`\n]*\n.*?^\1\2$/gms;
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('documents name only source files that exist', () => {
  const isFile = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`));
  expect(list(documents, /`([\w./-]+(?<!\.d)\.(?:ts|mjs))`/g, isFile)).toEqual([]);
});

it('documents link only to files and headings that exist', () => {
  const hasTarget = (link: string, document: string) => {
    const [path = '', anchor] = link.split('#');
    const target = path ? join(dirname(document), path) : document;
    if (!existsSync(join(root, target))) return false;
    return !anchor || !target.endsWith('.md') || listAnchors(target).includes(anchor);
  };
  const links = /\]\((?!https?:|mailto:)([^)\s]+)\)/g;
  expect(list(documents, links, hasTarget)).toEqual([]);
});

it('source files name only pages and decisions that exist', () => {
  const isPage = (page: string) => existsSync(join(root, page)) || isDecision(page);
  const isDecision = (page: string) => files.some((file) => file.startsWith(`${page}-`));
  const pages = /\b(docs\/(?:[\w/-]+\.md\b|decisions\/\d{4}\b(?!-)))/g;
  expect(list(sources, pages, isPage)).toEqual([]);
});

// Two braces outside of a code block are an expression of Vue, which the site would replace by nothing.
it('pages have no expression of Vue in their text', () => {
  const pages = documents.filter((file) => file.startsWith('docs/'));
  expect(pages.filter((page) => read(page).replaceAll(fencedBlock, '').includes('{{'))).toEqual([]);
});

/** @returns the names that the pattern finds and that do not exist, each with its file. */
function list(
  texts: readonly string[],
  names: RegExp,
  exists: (name: string, file: string) => boolean,
): string[] {
  return texts.flatMap((file) =>
    [...read(file).matchAll(names)]
      .filter(([, name]) => !exists(name!, file))
      .map(([, name]) => `${file}: ${name}`),
  );
}

/** Anchors of the headings, also of those that occur twice, as the repository's host and the site make them. */
function listAnchors(file: string): string[] {
  const seen = new Map<string, number>();
  return [
    ...read(file)
      .replaceAll(fencedBlock, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading]) => {
    const anchor = toAnchor(heading!.replaceAll('`', ''));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
