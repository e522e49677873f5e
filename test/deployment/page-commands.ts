// Reads the commands of a documentation page, so that the tests run what a reader would type.

import { readFileSync } from 'node:fs';

/** The code blocks of a page in order, without the indentation of a list. @param page path from the root of the project. */
export function readCodeBlocks(page: string, language = 'sh'): readonly string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = text.matchAll(
    new RegExp(String.raw`^( *)\`\`\`${language}\n([\s\S]*?)^\1\`\`\`$`, 'gm'),
  );
  return [...blocks].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** The one code block that contains the text. */
export function findCodeBlock(page: string, text: string): string {
  const found = readCodeBlocks(page).filter((block) => block.includes(text));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} code blocks with ${text}`);
  return found[0]!;
}
