// Reads the code blocks of the documents, so that tests run and compile what a reader would copy.
//
// A block ```sh contains commands, a block ```text output after it what they print. A first line such as `// src/main.ts` names the
// file that a block is. `<<< path` includes a file of an example, as VitePress does.

import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { root } from '../../scripts/project.mjs';

export interface CodeBlock {
  /** `docs/start/index.md:12` */
  readonly place: string;
  /** The title of the section `##` that contains the block. */
  readonly section: string;
  /** The text after the fence, for example `js`, `text output`, or `sh exit-1`. */
  readonly info: string;
  /** The path in the first line of the block, or of an included file in its example. */
  readonly file: string | undefined;
  /** Without the indentation of a list, and without the line that names the file. */
  readonly text: string;
}

export interface Command {
  readonly place: string;
  /** One line or more for the shell. */
  readonly text: string;
  /** From the info string, for example `sh exit-1`. Default: 0. */
  readonly exitCode: number;
  readonly output: string | undefined;
}

const blockOrInclude = /^( *)(?:```([^\n`]*)\n(.*?)^\1```|<<< (\S+))$/gms;
const fileLine = /^(?:\/\/|#|<!--|\/\*) ([\w./-]*\.[\w.-]+|Caddyfile)(?: -->| \*\/)?\n/;

/** @param document path from the root of the project. */
export function readBlocks(document: string): readonly CodeBlock[] {
  return parseBlocks(document, readFileSync(join(root, document), 'utf8'));
}

/** The only block that the test accepts. */
export function findBlock(document: string, isWanted: (block: CodeBlock) => boolean): CodeBlock {
  const [block, ...others] = readBlocks(document).filter(isWanted);
  if (!block || others.length > 0)
    throw new Error(`${document} has ${block ? others.length + 1 : 0} such blocks.`);
  return block;
}

export function parseBlocks(document: string, markdown: string): readonly CodeBlock[] {
  return Array.from(markdown.matchAll(blockOrInclude), (match) => {
    const [, indent = '', info = '', content = '', included] = match;
    const before = markdown.slice(0, match.index);
    const place = `${document}:${before.split('\n').length}`;
    const section = before.split(/^## /m).slice(1).at(-1)?.split('\n')[0] ?? '';
    if (included !== undefined) {
      const path = join(dirname(document), included);
      const text = readFileSync(join(root, path), 'utf8');
      const file = path.replace(/^examples\/[\w-]+\//, '');
      return { place, section, info: extname(path).slice(1), file, text };
    }
    const text = content.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const [line = '', file] = fileLine.exec(text) ?? [];
    return { place, section, info, file, text: text.slice(line.length) };
  });
}

/** The commands of the blocks, each with the output that follows it. Throws if a block contains commands that no test would run. */
export function toCommands(blocks: readonly CodeBlock[]): readonly Command[] {
  const commands: Command[] = [];
  for (const { place, info, text } of blocks) {
    const [language = '', ...options] = info.split(' ');
    if (language === 'sh') {
      const [, exitCode = '0'] = /^exit-(\d+)$/.exec(options.join(' ')) ?? [];
      commands.push({ place, text, exitCode: +exitCode, output: undefined });
    } else if (info === 'text output') {
      const last = commands.pop();
      if (!last || last.output) throw new Error(`${place} shows the output of no command.`);
      commands.push({ ...last, output: text });
    } else if (/^(?:bash|shell|console|zsh)$/.test(language) || /^\$ /m.test(text)) {
      throw new Error(`${place} contains commands. Use a block \`\`\`sh, and \`\`\`text output.`);
    }
  }
  return commands;
}

/** False if the output differs in more than ids, times, and spaces. `…` stands for any text, or for any lines. */
export function matchesOutput(shown: string, printed: string): boolean {
  const pattern = normalize(shown)
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
  return new RegExp(`^${pattern}$`).test(`${normalize(printed)}\n`);
}

function normalize(text: string): string {
  return text
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d+ (?:s|min|h|days?)(?: \d+ (?:s|min|h))?\b/g, '<duration>')
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b[\da-f]{64}\b/g, '<hash>')
    .replaceAll(/\b[\da-f]{8}\b/g, '<id>')
    .replaceAll(/\b\d+\.\d+\.\d+(?:-<id>| \(hash <id>\))/g, '<version>')
    .replaceAll(/^( *version +)\d+\.\d+\.\d+$/gm, '$1<version>')
    .replaceAll(/^[A-Za-z\d+/]{43}=$/gm, '<key>')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '');
}
