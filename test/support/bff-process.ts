// Starts the BFF and other programs of the project as processes, collects their output, and kills them when the tests end.

import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitLimitMs } from './time-limit.ts';

const root = join(import.meta.dirname, '../..');

export interface ProcessOptions {
  /** Path of a program, from the root of the project. */
  readonly program: string;
  /** Arguments of the program. */
  readonly arguments?: readonly string[];
  /** Working directory. Default: the root of the project. */
  readonly directory?: string;
  readonly variables: NodeJS.ProcessEnv;
  /** Arguments of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** If true, the test exchanges messages with the process. Default: false. */
  readonly hasMessages?: boolean;
}

const pollMs = 20;
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export type TestProcess = ReturnType<typeof startProcess>;

/** The process inherits no variables except `PATH` and the cache of compiled modules. */
export function startProcess(options: ProcessOptions) {
  const startedAt = performance.now();
  const { nodeOptions = [], program, arguments: args = [], directory = root } = options;
  const child = spawn(process.execPath, [...nodeOptions, resolve(root, program), ...args], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      // `npm test` names a cache of compiled modules, with which a process starts in half the time.
      ...(process.env['NODE_COMPILE_CACHE']
        ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
        : {}),
      ...options.variables,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.hasMessages ? (['ipc'] as const) : [])],
  });
  running.add(child);
  const chunks: { readonly name: 'stdout' | 'stderr'; readonly bytes: Buffer }[] = [];
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (bytes: Buffer) => {
      chunks.push({ name, bytes });
      for (const listener of listeners) listener();
    });
  }
  // Output can arrive after the event `exit`, but not after `close`.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      running.delete(child);
      resolve();
    });
  });
  const read = (isWanted: (name: string) => boolean) =>
    Buffer.concat(chunks.filter(({ name }) => isWanted(name)).map(({ bytes }) => bytes));
  const text = () => read(() => true).toString();
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;

  return {
    child,
    stdout: () => read((name) => name === 'stdout'),
    stderr: () => read((name) => name === 'stderr'),
    /** Returns all output so far. */
    text,
    /** Resolves with the exit code, or `null` after a signal, when all output arrived. */
    exit: closed.then(() => child.exitCode),
    /** Resolves with the exit code or signal, as text. */
    ended: closed.then(() => String(child.signalCode ?? child.exitCode)),

    /** Waits for the pattern on stdout or stderr. Rejects if the process exits first. */
    output: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(text());
          if (match) resolve(match);
        };
        listeners.add(check);
        check();
        void closed.then(() => reject(new Error(`The process exited: ${text()}`)));
      }),

    /**
     * Resolves with the milliseconds since the start when the URL responds with success, and with `undefined` when the process
     * exits first.
     */
    async ready(url: string): Promise<number | undefined> {
      const deadline = performance.now() + waitLimitMs;
      while (!hasExited()) {
        if (await isReady(url)) return performance.now() - startedAt;
        if (performance.now() > deadline) throw new Error(`No response from ${url}: ${text()}`);
        await sleep(pollMs);
      }
      return undefined;
    },
  };
}

/** Returns true if the URL responds with success in time. */
export async function isReady(url: string, timeoutMs = waitLimitMs): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

export type BffProcess = ReturnType<typeof startBffProcess>;

/**
 * By default, the process serves no element, because these tests run without a build.
 *
 * @param nodeOptions arguments of Node itself.
 */
export function startBffProcess(
  variables: Readonly<Record<string, string>>,
  ...nodeOptions: readonly string[]
) {
  const started = startProcess({
    program: 'dist/bff/main.js',
    variables: { WIDGET_FOLDER: 'none', ...variables },
    nodeOptions,
  });
  return {
    ...started,
    /** Resolves to the URL that the process listens on. */
    async listening(): Promise<string> {
      const [, address = ''] = await started.output(/listens on (http:\/\/\S+)/);
      return address;
    },
  };
}
