// The index of the site's search.

import type { MarkdownEnv } from 'vitepress';

interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/**
 * Leaves out the decisions: their short sections would be above the pages that a reader needs.
 * `/decisions/` lists them. VitePress requires the name `_render` in its options, and keeps it out of the built pages.
 */
export function toSearchText(source: string, env: MarkdownEnv, md: Renderer): string {
  const html = md.render(source, env);
  return /^decisions\/\d/.test(env.relativePath) ? '' : html;
}
