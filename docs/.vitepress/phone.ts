// Makes pages fit a phone: labels in the cells of wide tables, and places where a long name may break.

import type { MarkdownRenderer } from 'vitepress';

type Tokens = ReturnType<MarkdownRenderer['parse']>;

/** Tables with fewer columns fit. */
const minColumns = 3;

export function fitToPhone(md: MarkdownRenderer): void {
  md.core.ruler.push('fit-to-phone', ({ tokens, Token }) => {
    labelCells(tokens);
    for (const [index, { type, children }] of tokens.entries()) {
      if (type !== 'inline' || tokens[index - 1]?.type !== 'heading_open') continue;
      for (const child of children ?? []) {
        if (child.type !== 'text' || !/[a-z][A-Z]/.test(child.content)) continue;
        const parts = child.content.split(/(?<=[a-z])(?=[A-Z])/).flatMap((part, position) => {
          const text = new Token('text', '', 0);
          text.content = part;
          const place = new Token('html_inline', '', 0);
          place.content = '<wbr>';
          return position === 0 ? [text] : [place, text];
        });
        children?.splice(children.indexOf(child), 1, ...parts);
      }
    }
  });
}

/** Each cell gets the heading of its column. theme.css shows it where a row is a block. */
function labelCells(tokens: Tokens): void {
  let labels: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') labels = [];
    if (token.type === 'th_open') labels.push(tokens[index + 1]?.content ?? '');
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'td_open') {
      if (labels.length >= minColumns) token.attrSet('data-label', labels[column] ?? '');
      column += 1;
    }
  }
}
