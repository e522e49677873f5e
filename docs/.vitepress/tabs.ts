// Tabs that are headings where the Markdown is read without the site.
//
// Between the lines `<!-- tabs -->` and `<!-- /tabs -->`, each heading of the third level begins a tab with its title.

import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

export function renderTabs(md: MarkdownRenderer): void {
  md.core.ruler.push('tabs', ({ tokens, Token }) => {
    const html = (content: string): Token => {
      const token = new Token('html_block', '', 0);
      token.content = content;
      return token;
    };
    const isMarker = ({ type, content }: Token, marker: string) =>
      type === 'html_block' && content.trim() === marker;

    const result: Token[] = [];
    let start: Token | undefined;
    let titles: string[] = [];
    for (const [index, token] of tokens.entries()) {
      if (isMarker(token, '<!-- tabs -->')) {
        start = html('');
        titles = [];
        result.push(start);
      } else if (start && isMarker(token, '<!-- /tabs -->')) {
        start.content = `<TabSet :titles="${md.utils.escapeHtml(JSON.stringify(titles))}">\n`;
        start = undefined;
        result.push(html('</template>\n</TabSet>\n'));
      } else {
        if (start && token.type === 'heading_open' && token.tag === 'h3') {
          if (titles.length > 0) result.push(html('</template>\n'));
          result.push(html(`<template #tab-${titles.length}>\n`));
          titles.push(tokens[index + 1]?.content ?? '');
        }
        result.push(token);
      }
    }
    tokens.splice(0, tokens.length, ...result);
  });
}
