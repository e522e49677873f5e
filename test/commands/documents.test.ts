// Every command of the documents runs, and prints what the document shows. Needs the built element and BFF (`npm run build`).
//
// For real: Node, the BFF and its commands, the sandbox, `npm start`, curl, openssl, and the programs of the shell. Stand-ins check
// the options and the files of all others (stand-in.mjs): podman, systemctl, and sudo, which need a machine of their own;
// npm scripts that other tests run (build, test, bench); `npm install`, which test/packages runs; strace.

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { matchesOutput, readBlocks, toCommands } from '../support/code-blocks.ts';
import { findReader } from './readers.ts';
import { runPage } from './run-page.ts';

/** Other tests run the commands of these documents, with real containers, proxies, units, and packages. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'docs/deploy/containers.md': 'test/deployment/container.test.ts',
  'docs/deploy/mount-express.md': 'test/packages/mount-pages.test.ts',
  'docs/deploy/mount-fastify.md': 'test/packages/mount-pages.test.ts',
  'docs/deploy/mount-hono.md': 'test/packages/mount-pages.test.ts',
  'docs/deploy/mount-next.md': 'test/packages/mount-pages.test.ts',
  'docs/deploy/rehearsal.md': 'test/e2e/rehearsal.e2e.ts',
  'docs/deploy/serverless.md': 'test/packages/mount-pages.test.ts',
  'docs/embed/next.md': 'test/packages/mount-pages.test.ts',
  'docs/embed/react.md': 'test/packages/pages.test.ts',
  'docs/embed/svelte.md': 'test/packages/pages.test.ts',
  'docs/embed/vue.md': 'test/packages/pages.test.ts',
  'docs/start/index.md': 'test/packages/start.test.ts',
};

/** Each with its commands. The decisions and the changelog describe earlier builds. */
const documents = globSync(
  ['docs/**/*.md', '*.md', 'examples/**/*.md', '{bff,widget}/package/README.md'],
  { cwd: root, exclude: (path) => /node_modules|dist$/.test(path) },
)
  .filter((path) => !/^docs\/decisions\/\d|^CHANGELOG/.test(path) && !testedElsewhere[path])
  .map((document) => ({ document, commands: toCommands(readBlocks(document)) }))
  .filter(({ commands }) => commands.length > 0);

describe('the commands of', () => {
  it.concurrent.each(documents)(
    '$document',
    { timeout: 120_000 },
    async ({ document, commands }) => {
      const results = await runPage(commands, findReader(document));
      const problems = results.flatMap(({ command, exitCode, output }) => {
        const problems: string[] = [];
        if (exitCode !== command.exitCode)
          problems.push(`${command.place} ended with ${exitCode}:\n${output}`);
        else if (command.output && !matchesOutput(command.output, output))
          problems.push(`${command.place} printed:\n${output}\nThe page shows:\n${command.output}`);
        return problems;
      });
      expect(problems.join('\n')).toBe('');
    },
  );
});

it.each(Object.entries(testedElsewhere))('%s has a test of its own: %s', (document, test) => {
  expect([document, test].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
