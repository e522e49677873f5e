// Every command of the documents runs, and prints what the document shows. Needs the built element and BFF (`npm run build`).
//
// For real: Node, the BFF and its commands, the sandbox, `npm start`, curl, openssl, and the programs of the shell. Stand-ins check
// the options and the files of all others (stand-in.mjs): podman, systemctl, and sudo, which need a machine of their own;
// npm scripts that other tests run (build, test, bench); `npm install`, which test/packages runs; strace.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import {
  compareOutput,
  listDocuments,
  parseBlocks,
  readBlocks,
  testedElsewhere,
} from './blocks.ts';
import { findReader } from './readers.ts';
import { runPage } from './run-page.ts';

const documents = listDocuments()
  .map((document) => ({ document, blocks: readBlocks(document) }))
  .filter(({ blocks }) => blocks.length > 0);

describe('the commands of', () => {
  it.concurrent.each(documents)('$document', { timeout: 120_000 }, async ({ document, blocks }) => {
    const results = await runPage(blocks, findReader(document));
    const problems = results.flatMap(({ block, exitCode, output }) => {
      const problems: string[] = [];
      if (exitCode !== block.exitCode)
        problems.push(`${block.place} ended with ${exitCode}:\n${output}`);
      else if (block.output && !compareOutput(block.output, output))
        problems.push(`${block.place} printed:\n${output}\nThe page shows:\n${block.output}`);
      return problems;
    });
    expect(problems.join('\n')).toBe('');
  });
});

it.each(Object.entries(testedElsewhere))('%s has a test of its own: %s', (document, test) => {
  expect([document, test].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** `test/packages/bff-examples.test.ts` starts these examples, because they need a build and PostgreSQL. */
describe.each([
  ['docs/deploy/mount-next.md', 'next'],
  ['docs/deploy/serverless.md', 'serverless'],
])('%s', (document, example) => {
  const text = readFileSync(join(root, document), 'utf8');
  const folder = join('examples', example);
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly scripts: Readonly<Record<string, string>>;
  };

  it('includes files of the example instead of repeating them', () => {
    const paths = Array.from(text.matchAll(/^ *<<< (\S+)$/gm), ([, path]) =>
      join(dirname(document), path!),
    );
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(paths.filter((path) => !path.startsWith(`${folder}/`))).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/^ *```(?:js|javascript|html|json)$/m);
  });

  it('has the packages and the programs of the example', () => {
    const lines = readBlocks(document).flatMap(({ commands }) => commands.trim().split('\n'));
    const programs = lines.filter((line) => /\bnext\b/.test(line));
    const installed = lines.flatMap(
      (line) => /^npm install (.*)$/.exec(line)?.[1]?.split(' ') ?? [],
    );
    const scripts = Object.values(manifest.scripts);

    expect(installed.filter((name) => !manifest.dependencies[name])).toEqual([]);
    expect(installed).not.toEqual([]);
    for (const program of programs) expect(scripts).toContain(program.replace('npx ', ''));
  });
});

describe('parseBlocks', () => {
  it('pairs a command with its output', () => {
    const text =
      '1. Run it:\n\n   ```sh exit-3\n   bff status\n   ```\n\n   ```text output\n   Fine\n   ```\n';
    expect(parseBlocks('a.md', text)).toEqual([
      { place: 'a.md:3', commands: 'bff status\n', exitCode: 3, output: 'Fine\n' },
    ]);
  });

  it.each(['```bash\nls\n```', '```\n$ ls\n```', '```console\n$ ls\n```'])(
    'refuses commands that no test would run: %j',
    (text) => {
      expect(() => parseBlocks('a.md', text)).toThrow('a.md:1 contains commands.');
    },
  );

  it('refuses an output without a command', () => {
    expect(() => parseBlocks('a.md', '```text output\nFine\n```')).toThrow('of no command');
  });
});

describe('compareOutput', () => {
  it.each([
    ['Done', 'Done\n', true],
    ['Done', 'Failed', false],
    ['Done', 'Done\nThen more', false],
    ['a\n…\nd', 'a\nb\nc\nd', true],
    ['a\n…', 'a\nb', true],
    ['id … is new', 'id 4 is new', true],
    ['at 2026-01-01T00:00:00Z (2 h 5 min ago)', 'at 2027-02-02T01:01:01.5Z (1 s ago)', true],
    ['4 applications', '5 applications', false],
  ])('%j shows %j: %s', (expected, actual, result) => {
    expect(compareOutput(expected, actual)).toBe(result);
  });
});
