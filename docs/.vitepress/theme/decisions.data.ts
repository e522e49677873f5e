// The list of decisions for the page docs/decisions/index.md, read when the site is built.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineLoader } from 'vitepress';
import { docsFolder, readTitle } from '../pages.ts';

export interface Decision {
  readonly number: number;
  readonly title: string;
  readonly date: string;
  readonly status: string;
  readonly link: string;
}

declare const data: readonly Decision[];
export { data };

const folder = join(docsFolder, 'decisions');

// oxlint-disable-next-line import/no-default-export
export default defineLoader({
  watch: [join(folder, '*.md')],
  load: (): Decision[] =>
    globSync('[0-9]*.md', { cwd: folder })
      .sort()
      .map((file) => {
        const path = join(folder, file);
        const [, date = '', status = ''] =
          /^Date: ([\d-]+)[^.]*\. Status: (.+?)\.(?=\s)/ms.exec(readFileSync(path, 'utf8')) ?? [];
        const name = basename(file, '.md');
        return {
          number: Number.parseInt(name, 10),
          title: readTitle(path),
          date,
          status: toText(status),
          link: `/decisions/${name}`,
        };
      }),
});

/** Without links and line breaks. */
function toText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
}
