// Follows a page of the documentation in a folder: writes each block that names its file, runs each command, and compares what it
// prints with the page.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareOutput } from '../commands/blocks.ts';
import { parseBlocks, toCommands, type CodeBlock } from './page-from-docs.ts';

export interface FollowOptions {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Each port of the page, and the one that replaces it on this machine. */
  readonly ports: readonly (readonly [document: string, machine: number])[];
  /** Commands that run until the reader stops them, and what they print when they are ready. */
  readonly servers: readonly (readonly [command: RegExp, ready: RegExp])[];
}

export interface Follower {
  /** Follows a part of the page. Throws if a command fails, or prints something else than the page shows. */
  follow(markdown: string): Promise<void>;
  /** Stops all servers. */
  stop(): Promise<void>;
}

const readyTimeoutMs = 30_000;

export function createFollower({ folder, environment, ports, servers }: FollowOptions): Follower {
  const running: ChildProcess[] = [];

  const toMachine = (text: string) =>
    ports.reduce((all, [document, machine]) => all.replaceAll(document, String(machine)), text);
  const toDocument = (text: string) =>
    ports.reduce((all, [document, machine]) => all.replaceAll(String(machine), document), text);

  async function enter(block: CodeBlock): Promise<string> {
    const script = toMachine(
      toCommands(block)
        .map((words) => words.join(' '))
        .join('\n'),
    );
    const server = servers.find(([command]) => command.test(block.text));
    if (server) return await startServer(script, server[1]);
    const options = { cwd: folder, env: environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
    if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  async function startServer(command: string, ready: RegExp): Promise<string> {
    // A process group of its own, because npx starts the program as its child.
    const child = spawn('sh', ['-c', command], { cwd: folder, env: environment, detached: true });
    running.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => (text += String(piece)));
    const deadline = Date.now() + readyTimeoutMs;
    while (!ready.test(text)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${command}\nis not ready (exit code ${child.exitCode}):\n${text}`);
      await sleep(50);
    }
    return text;
  }

  return {
    async follow(markdown) {
      let printed = '';
      for (const block of parseBlocks(markdown)) {
        if (block.file) {
          const path = join(folder, block.file);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, toMachine(block.text));
        } else if (block.language === 'sh') printed = toDocument(await enter(block));
        else if (!compareOutput(block.text, printed))
          throw new Error(`The command printed:\n${printed}\nThe page shows:\n${block.text}`);
      }
    },

    async stop() {
      const alive = running.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      );
      // Also the children of npx.
      for (const { pid } of alive) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      await Promise.all(alive.map((child) => once(child, 'exit')));
    },
  };
}
