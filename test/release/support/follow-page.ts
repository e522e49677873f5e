// Follows a page of the documentation as a reader would, in a new folder with the two tarballs: writes each block that names its file,
// enters each command, and compares what it prints with the page.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { childEnvironment, packagesFolder } from '../../../scripts/project.mjs';
import {
  matchesOutput,
  toCommands,
  type CodeBlock,
  type Command,
} from '../../support/code-blocks.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { findLockedVersion } from './modules.ts';

export interface FollowOptions {
  /** Texts of the page, such as ports, each with the one of this machine. */
  readonly replaced: Readonly<Record<string, string | number>>;
  /** Of the reader's terminal. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Commands that run until the reader stops them, and what they print when they are ready. */
const servers: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npx funding-application-bff sandbox\n$/m, /Press Ctrl\+C/],
  [/^(?:\w+=\S+ )*npx funding-application-bff(?: --dotenv=\S+)?\n$/, /listens on .+\n/],
  [/^node --env-file=\.env \w+\.js\n$/, / at http:.+\n/],
  [/\bnext start\n$/, /Ready in/],
  [/^caddy run\n$/m, /serving initial configuration/],
];

export type Follower = ReturnType<typeof createFollower>;

export function createFollower({ replaced, variables = {} }: FollowOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'follow-page-'));
  for (const name of ['funding-application.tgz', 'funding-application-bff.tgz'])
    copyFileSync(join(packagesFolder, name), join(folder, name));
  const environment = { ...createEnvironment(folder), ...variables };
  const running: ChildProcess[] = [];

  const pairs = Object.entries(replaced).map(([page, machine]) => [page, String(machine)] as const);
  const toMachine = (text: string) =>
    pairs.reduce((all, [page, machine]) => all.replaceAll(page, machine), text);
  const toPage = (text: string) =>
    pairs.reduce((all, [page, machine]) => all.replaceAll(machine, page), text);

  async function enter({ place, text, exitCode, output }: Command): Promise<void> {
    const script = toMachine(pinVersions(text));
    const [, ready] = servers.find(([command]) => command.test(text)) ?? [];
    const printed = toPage(ready ? await startServer(script, ready) : run(script, exitCode, place));
    if (output !== undefined && !matchesOutput(output, printed))
      throw new Error(`${place} printed:\n${printed}\nThe page shows:\n${output}`);
  }

  function run(script: string, exitCode: number, place: string): string {
    const options = { cwd: folder, env: environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
    if (status !== exitCode) throw new Error(`${place} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  async function startServer(script: string, ready: RegExp): Promise<string> {
    // A process group of its own, because npx starts the program as its child.
    const child = spawn('sh', ['-ec', script], { cwd: folder, env: environment, detached: true });
    running.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => (text += String(piece)));
    await waitUntil(() => ready.test(text) || child.exitCode !== null, `The start of ${script}`);
    if (!ready.test(text)) throw new Error(`${script}\nended with ${child.exitCode}:\n${text}`);
    return text;
  }

  return {
    folder,

    /** Follows these blocks. Throws if a command fails, or prints something else than the page shows. */
    async follow(blocks: readonly CodeBlock[]) {
      const commands = toCommands(blocks.filter(({ file }) => !file));
      for (const { place, info, file, text } of blocks) {
        const command = commands.find((one) => one.place === place);
        if (file) {
          const path = join(folder, file);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, toMachine(text));
        } else if (command) await enter(command);
        else if (info !== 'text output') throw new Error(`${place} does not name its file.`);
      }
    },

    /** Stops all servers, and removes the folder. */
    async end() {
      const alive = running.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      );
      const exits = alive.map((child) => once(child, 'exit'));
      // Also the children of npx.
      for (const { pid } of alive) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      await Promise.all(exits);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Installs the versions of the lockfiles, so that the test is the same tomorrow. */
function pinVersions(script: string): string {
  return script.replaceAll(/(?<=^npm install ).+/gm, (list) =>
    list
      .split(' ')
      .map((name) => {
        if (/^[-.]/.test(name)) return name;
        return `${name}@${findLockedVersion(name)}`;
      })
      .join(' '),
  );
}

/** The variables of a reader's terminal. The folder is also the home, so that programs keep nothing on this machine. */
function createEnvironment(folder: string): NodeJS.ProcessEnv {
  const { HOME: home = folder } = process.env;
  const environment: NodeJS.ProcessEnv = childEnvironment({
    HOME: folder,
    XDG_DATA_HOME: join(folder, '.local/share'),
    XDG_CONFIG_HOME: join(folder, '.config'),
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    // Packages come from the registry and the cache of this machine.
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(home, '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(home, '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  });
  // vitest sets it to `test`, and a partner's terminal has none.
  delete environment['NODE_ENV'];
  return environment;
}
