// Links of the site work as they do where the Markdown files are read in the repository.

import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/**
 * Links to files outside of docs/ lead to the repository, because they are not part of the site. Without an address of the
 * repository, only their text remains.
 */
export function linkToRepository(md: MarkdownRenderer, repositoryUrl: string | undefined): void {
  md.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    // VitePress also renders titles, which have no path.
    if (!env.relativePath) return;
    const folder = posix.join('docs', posix.dirname(env.relativePath));
    for (const { children } of tokens) {
      const opened: boolean[] = [];
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = String(token.attrGet('href'));
          const file = toPublicPath(folder, href);
          if (file) token.attrSet('href', file);
          const path = file ? undefined : toRepositoryPath(folder, href);
          if (path && repositoryUrl) token.attrSet('href', `${repositoryUrl}/blob/main/${path}`);
          opened.push(path !== undefined && !repositoryUrl);
          if (opened.at(-1)) token.hidden = true;
        }
        if (token.type === 'link_close' && opened.pop()) token.hidden = true;
      }
    }
  });
  const { link_open: openLink, link_close: closeLink } = md.renderer.rules;
  md.renderer.rules.link_open = (tokens, index, options, env, self) =>
    tokens[index]?.hidden
      ? ''
      : (openLink?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options));
  md.renderer.rules.link_close = (tokens, index, options, env, self) =>
    tokens[index]?.hidden
      ? ''
      : (closeLink?.(tokens, index, options, env, self) ??
        self.renderToken(tokens, index, options));
}

/** @returns the address on the site, if the link leads to a file of docs/public. */
function toPublicPath(folder: string, href: string): string | undefined {
  return /^docs\/public(\/.*)/.exec(posix.join(folder, href))?.[1];
}

/** @returns the path in the repository, if the link leaves docs/. */
export function toRepositoryPath(folder: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  const file = posix.join(folder, path);
  const isInSite = file.startsWith('docs/') && /\.(?:md|png|jpg|svg|html)$|\/$/.test(file);
  return isInSite ? undefined : `${file}${anchor ? `#${anchor}` : ''}`;
}
