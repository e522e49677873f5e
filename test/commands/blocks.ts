// The commands of the documents. A block ```sh contains commands. A block ```text output that follows shows what they print.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/project.mjs';

export interface Block {
  /** `docs/start/index.md:12` */
  readonly place: string;
  readonly commands: string;
  /** From the info string, for example `sh exit-1`. Default: 0. */
  readonly exitCode: number;
  readonly output: string | undefined;
}

/** Other tests run the commands of these documents, with real containers, proxies, units, and packages. */
export const testedElsewhere: Readonly<Record<string, string>> = {
  'docs/deploy/containers.md': 'test/deployment/container.test.ts',
  'docs/deploy/mount-express.md': 'test/packages/mount-express.test.ts',
  'docs/deploy/mount-next.md': 'test/packages/bff-examples.test.ts',
  'docs/deploy/rehearsal.md': 'test/e2e/rehearsal.e2e.ts',
  'docs/deploy/serverless.md': 'test/packages/bff-examples.test.ts',
  'docs/embed/react.md': 'test/packages/pages.test.ts',
  'docs/embed/svelte.md': 'test/packages/pages.test.ts',
  'docs/embed/vue.md': 'test/packages/pages.test.ts',
  'docs/start/index.md': 'test/packages/start.test.ts',
};

/** Documents that may contain commands. The decisions describe earlier builds. */
export function listDocuments(): string[] {
  return globSync(['docs/**/*.md', '*.md', 'examples/**/*.md', '{bff,widget}/package/README.md'], {
    cwd: root,
    exclude: (path) => /node_modules|dist$/.test(path),
  }).filter((path) => !/^docs\/decisions\/\d|^CHANGELOG/.test(path) && !testedElsewhere[path]);
}

export function readBlocks(document: string): Block[] {
  return parseBlocks(document, readFileSync(join(root, document), 'utf8'));
}

export function parseBlocks(document: string, text: string): Block[] {
  const blocks: Block[] = [];
  for (const match of text.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm)) {
    const [, indent = '', info = '', content = ''] = match;
    const place = `${document}:${text.slice(0, match.index).split('\n').length}`;
    const lines = content.split('\n').map((line) => line.replace(indent, ''));
    const [language, ...options] = info.split(' ');
    if (language === 'sh') {
      const [, exitCode = '0'] = /^exit-(\d+)$/.exec(options.join(' ')) ?? [];
      blocks.push({ place, commands: lines.join('\n'), exitCode: +exitCode, output: undefined });
    } else if (info === 'text output') {
      const last = blocks.pop();
      if (!last || last.output) throw new Error(`${place} shows the output of no command.`);
      blocks.push({ ...last, output: lines.join('\n') });
    } else if (/^(?:bash|shell|console|zsh)$/.test(language!) || /^\$ /m.test(lines.join('\n'))) {
      throw new Error(`${place} contains commands. Use a block \`\`\`sh, and \`\`\`text output.`);
    }
  }
  return blocks;
}

/** Throws if the output differs in more than ids, times, and spaces. `…` stands for any text, or for any lines. */
export function compareOutput(expected: string, actual: string): boolean {
  const pattern = normalize(expected)
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\\n)*?'
        : `${line
            .split('…')
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
            .join('.*?')}\\n`,
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(`${normalize(actual)}\n`);
}

function normalize(text: string): string {
  return text
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d+ (?:s|min|h|days?)(?: \d+ (?:s|min|h))?\b/g, '<duration>')
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b[\da-f]{64}\b/g, '<hash>')
    .replaceAll(/\b[\da-f]{8}\b/g, '<id>')
    .replaceAll(/\b\d+\.\d+\.\d+-<id>/g, '<version>')
    .replaceAll(/^[A-Za-z\d+/]{43}=$/gm, '<key>')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '');
}
