// Every command of the documents runs, and prints what the document shows. Needs the built element and BFF (`npm run build`).
//
// For real: Node, the BFF and its commands, the sandbox, `npm start`, curl, openssl, and the programs of the shell. Stand-ins check
// the options and the files of all others (stand-in.mjs): podman and systemctl, which need a machine of their own; npm scripts that
// other tests run (build, test, bench); `npm install`, which test/release/packages runs; strace; the conformance test, except its
// dry run.

import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../../../scripts/project.mjs';
import { type Command, matchesOutput, readBlocks, toCommands } from '../../support/code-blocks.ts';
import {
  composeBlocks,
  containersPage,
  frameworksPage,
  mountPage,
  podmanBlocks,
  rehearsalPage,
  serverlessPage,
  startPage,
  testingPage,
  untestedContainerBlocks,
} from '../../support/followed-pages.ts';
import { findReader } from './readers.ts';
import { runPage } from './run-page.ts';

/** Other tests follow these pages, with real proxies and packages. */
const followedPages = new Set([
  startPage,
  rehearsalPage,
  mountPage,
  serverlessPage,
  frameworksPage,
  testingPage,
  containersPage,
]);

/** Pages with one block for each of two readers, by a text of it. Every reader enters all other blocks. */
const alternatives: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/deploy/index.md': {
    'with the package': 'tar -xzf funding-application-bff.tgz',
    'in a clone': 'npm run build',
  },
};

/** Each with its commands. */
const documents = globSync(
  ['docs/**/*.md', '*.md', 'examples/**/*.md', '{bff,widget}/package/README.md'],
  { cwd: root, exclude: (path) => /node_modules|dist$/.test(path) },
)
  .filter((path) => !followedPages.has(path))
  .flatMap((document) => toReaders(document, toCommands(readBlocks(document))))
  .filter(({ commands }) => commands.length > 0);

describe('the commands of', () => {
  it.concurrent.each(documents)('$name', async ({ document, commands }) => {
    const results = await runPage(commands, findReader(document));
    const problems = results.flatMap(({ command, exitCode, output }) => {
      if (exitCode !== command.exitCode)
        return [`${command.place} ended with ${exitCode}:\n${output}`];
      return command.output === undefined || matchesOutput(command.output, output)
        ? []
        : [`${command.place} printed:\n${output}\nThe page shows:\n${command.output}`];
    });
    expect(problems.join('\n')).toBe('');
  });
});

it(`${containersPage} has a test, or a reason, for each command`, () => {
  const tests = [...podmanBlocks, ...composeBlocks];
  const reasons = untestedContainerBlocks.map(({ text }) => text);
  const commands = toCommands(readBlocks(containersPage));
  const countIn = (parts: readonly string[], { text }: Command) =>
    parts.filter((part) => text.includes(part)).length;
  // A reason for a block that has a test is out of date.
  const wrong = commands.filter((one) => countIn(tests, one) > 0 === countIn(reasons, one) > 0);
  expect(wrong.map(({ place }) => place)).toEqual([]);
  const isAmbiguous = (part: string) =>
    commands.filter(({ text }) => text.includes(part)).length !== 1;
  expect([...tests, ...reasons].filter(isAmbiguous)).toEqual([]);
});

function toReaders(document: string, commands: readonly Command[]) {
  const choices = alternatives[document];
  if (!choices) return [{ name: document, document, commands }];
  return Object.entries(choices).map(([reader, own]) => {
    const others = Object.values(choices).filter((text) => text !== own);
    const isOfOther = ({ text }: Command) => others.some((other) => text.includes(other));
    const entered = commands.filter((command) => !isOfOther(command));
    if (entered.length !== commands.length - others.length)
      throw new Error(`${document} has not one block for each of its readers.`);
    return { name: `${document}, ${reader}`, document, commands: entered };
  });
}
