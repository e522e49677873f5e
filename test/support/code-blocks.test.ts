import { describe, expect, it } from 'vitest';
import { matchesOutput, parseBlocks, toCommands } from './code-blocks.ts';

describe('parseBlocks', () => {
  it('names the place and the section of a block', () => {
    const text = '# Page\n\n## First\n\n## Second\n\nText\n\n```js\nlet a;\n```\n';
    expect(parseBlocks('examples/a.md', text)).toEqual([
      {
        place: 'examples/a.md:9',
        section: 'Second',
        tab: undefined,
        info: 'js',
        file: undefined,
        text: 'let a;\n',
      },
    ]);
  });

  it('removes the indentation of a list', () => {
    const [block] = parseBlocks('a.md', '1. Write:\n\n   ```js\n   {\n     a;\n\n   }\n   ```\n');
    expect(block?.text).toBe('{\n  a;\n\n}\n');
  });

  it.each([
    ['// src/main.ts', 'src/main.ts'],
    ['# .env', '.env'],
    ['# Caddyfile', 'Caddyfile'],
    ['// app/[...path]/route.js', 'app/[...path]/route.js'],
    ['<!-- index.html -->', 'index.html'],
    ['/* brand.css */', 'brand.css'],
  ])('reads the name of the file in %s', (line, file) => {
    expect(parseBlocks('a.md', `\`\`\`txt\n${line}\nrest\n\`\`\`\n`)).toMatchObject([
      { file, text: 'rest\n' },
    ]);
  });

  it('names the tab of a block', () => {
    const block = '```js\nlet a;\n```\n';
    const tabs = `<!-- tabs -->\n\n### Vue\n\n${block}\n### React\n\n${block}\n<!-- /tabs -->\n`;
    const blocks = parseBlocks('a.md', `### None\n\n${block}\n${tabs}\n${block}`);
    expect(blocks.map(({ tab }) => tab)).toEqual([undefined, 'Vue', 'React', undefined]);
  });
});

describe('toCommands', () => {
  it('pairs a command with its output', () => {
    const text =
      '1. Run it:\n\n   ```sh exit-3\n   bff status\n   ```\n\n   ```text output\n   Fine\n   ```\n';
    expect(toCommands(parseBlocks('a.md', text))).toEqual([
      { place: 'a.md:3', text: 'bff status\n', exitCode: 3, output: 'Fine\n' },
    ]);
  });

  it.each(['```bash\nls\n```', '```\n$ ls\n```', '```console\n$ ls\n```'])(
    'refuses commands that no test would run: %j',
    (text) => {
      expect(() => toCommands(parseBlocks('a.md', text))).toThrow('a.md:1 contains commands.');
    },
  );

  it('refuses an output without a command', () => {
    const blocks = parseBlocks('a.md', '```text output\nFine\n```');
    expect(() => toCommands(blocks)).toThrow('of no command');
  });
});

describe('matchesOutput', () => {
  it.each([
    ['Done', 'Done\n', true],
    ['Done', 'Failed', false],
    ['Done', 'Done\nThen more', false],
    ['a\n…\nd', 'a\nb\nc\nd', true],
    ['a\n…', 'a\nb', true],
    ['id … is new', 'id 4 is new', true],
    ['at 2026-01-01T00:00:00Z (2 h 5 min ago)', 'at 2027-02-02T01:01:01.5Z (1 s ago)', true],
    ['4 applications', '5 applications', false],
  ])('%j shows %j: %s', (shown, printed, result) => {
    expect(matchesOutput(shown, printed)).toBe(result);
  });
});
