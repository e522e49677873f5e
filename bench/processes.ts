// Builds and starts the measured processes on free ports, and stops them at the end of the run.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../test/support/free-port.ts';
import type { Cores } from './machine.ts';
import type { StubCounts, StubMessage } from './peers/service-stub.ts';

const root = join(import.meta.dirname, '..');
/** In the project, because the system's temporary folder may be in memory, where a commit does not reach a disk. */
const outputFolder = join(root, 'test-output');
const readyTimeoutMs = 20_000;
const readyPollMs = 2;

const children = new Set<ChildProcess>();
const folders = new Set<string>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  readonly processId: number;
  /** Until the first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export interface Stub extends Running {
  /** Applies the message, and resolves with the counts. */
  ask(message?: StubMessage): Promise<StubCounts>;
}

/** The folder of the built element. */
export const widgetFolder = join(root, 'dist/widget');

/** Builds the BFF as for a release. */
export function buildBff(): void {
  build('the BFF', 'vite.config.bff.ts');
}

/** Builds the element as for a release. */
export function buildWidget(): void {
  build('the element', 'vite.config.ts');
}

function build(name: string, config: string): void {
  const args = ['build', '--config', config, '--logLevel=warn'];
  const vite = join(root, 'node_modules/.bin/vite');
  // The list of file sizes would hide the progress.
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  const { status, signal } = spawnSync(vite, args, { cwd: root, stdio: [...stdio] });
  // Ctrl-C stops the build, too.
  if (signal !== null) process.exit(1);
  if (status !== 0) throw new Error(`The build of ${name} failed. See its message above.`);
}

export async function startStub(delayMs: number): Promise<Stub> {
  const port = await findFreePort();
  const running = await start({
    program: ['bench/peers/service-stub.ts'],
    port,
    variables: { STUB_PORT: String(port), STUB_DELAY_MS: String(delayMs) },
    hasMessages: true,
  });
  return {
    ...running,
    async ask(message = {}) {
      const answer = once(running.child, 'message');
      running.child.send(message);
      // The stub sends no other messages.
      const [counts] = (await answer) as [StubCounts];
      return counts;
    },
  };
}

export async function startPeer(
  name: 'hono-proxy' | 'fastify-proxy',
  stub: Running,
  cores?: Cores,
): Promise<Running> {
  const port = await findFreePort();
  const variables = { PROXY_PORT: String(port), SERVICE_URL: stub.url };
  return start({ program: [`bench/peers/${name}.ts`], port, variables, cores: cores?.measured });
}

export interface BffOptions {
  readonly stub: Running;
  readonly databaseUrl: string;
  readonly cores?: Cores | undefined;
  /** The log is written to this file. Default: discarded. */
  readonly logFile?: string;
  /** The program with the options of Node. Default: the built BFF. */
  readonly program?: readonly string[];
  /** Default: none is served. */
  readonly widgetFolder?: string;
  /** The origin of the page with the element. */
  readonly pageOrigin?: string;
  /** More variables of the environment. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Starts the BFF as operators run it. Its settings lift the limits, because all load has one source, and allow files of 25 MiB. */
export async function startBff(options: BffOptions): Promise<Running> {
  const { stub, databaseUrl, cores, logFile, program = ['dist/bff/main.js'] } = options;
  const port = await findFreePort();
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  try {
    return await start({
      program,
      port,
      log,
      cores: cores?.measured,
      variables: {
        FUNDING_ENVIRONMENT: 'sandbox',
        FUNDING_AUTH_URL: stub.url,
        FUNDING_BASE_URL: `${stub.url}/rest`,
        FUNDING_SETTINGS: join(root, 'bench/settings.json'),
        DATABASE_URL: databaseUrl,
        ALLOWED_ORIGINS: options.pageOrigin ?? 'http://localhost:8080',
        // The load names another applicant's address with each session, as a reverse proxy does.
        TRUSTED_PROXIES: '127.0.0.1',
        BFF_PORT: String(port),
        WIDGET_FOLDER: options.widgetFolder ?? 'none',
        ...options.variables,
      },
    });
  } finally {
    if (typeof log === 'number') closeSync(log);
  }
}

/** Calls `work` with a new folder on the disk of the project. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(outputFolder, { recursive: true });
  const folder = await mkdtemp(join(outputFolder, 'bench-'));
  folders.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Calls `work` with the URL of a new SQLite store. */
export function withSqliteUrl<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  return withFolder((folder) => work(`file:${join(folder, 'store.db')}`));
}

interface StartOptions {
  readonly program: readonly string[];
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly cores?: string | undefined;
  readonly log?: number | 'ignore';
  readonly hasMessages?: boolean;
}

async function start(options: StartOptions): Promise<Running> {
  const { program, port, variables, cores, log = 'ignore', hasMessages = false } = options;
  const command = [
    ...(cores === undefined ? [] : ['taskset', '-c', cores]),
    process.execPath,
    ...program,
  ];
  const startedAt = performance.now();
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: root,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', log, 'inherit', ...(hasMessages ? (['ipc'] as const) : [])],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer !== undefined) break;
    if (Date.now() > deadline || child.exitCode !== null) {
      throw new Error(`${program.join(' ')} did not start`);
    }
    await sleep(readyPollMs);
  }
  const startMs = performance.now() - startedAt;
  // `taskset` replaces itself with the program, so the process id is the program's.
  if (child.pid === undefined) throw new Error(`${program.join(' ')} has no process id`);
  return {
    url,
    child,
    processId: child.pid,
    startMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
