// Starts BFF processes, and reports when they are ready and when they end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface BffChildOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Base URL of the funding service, without `/rest`. */
  readonly serviceUrl: string;
  /** Where the process kills itself. Default: nowhere. */
  readonly kill?: KillOrder | undefined;
  /** False: the process accepts every document without an inspection process, and starts faster. Default: true. */
  readonly inspects?: boolean | undefined;
  /** Milliseconds that the process keeps serving after SIGTERM. Default: 0. */
  readonly drainMs?: number;
}

export interface KillOrder {
  readonly point: string;
  /** The process is killed the n-th time that it reaches the point, counted from 1. */
  readonly occurrence: number;
}

export interface BffChild {
  readonly url: string;
  /** Milliseconds from the start until the process is ready; `undefined` when it ended earlier. */
  readonly ready: Promise<number | undefined>;
  /** Signal or exit code with which the process ended. */
  readonly ended: Promise<string>;
  /** Returns the standard error output of the process. */
  errors(): string;
  signal(name: 'SIGKILL' | 'SIGTERM'): void;
}

const pollMs = 15;

const running = new Set<BffChild>();
process.once('exit', () => {
  for (const child of running) child.signal('SIGKILL');
});

export function startBff(options: BffChildOptions): BffChild {
  const url = `http://localhost:${options.port}`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', options.program],
    {
      env: toEnvironment(options, url),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-20_000);
  });
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  const bff: BffChild = {
    url,
    ended,
    errors: () => errors,
    ready: waitUntilReady(url, () => child.exitCode !== null || child.signalCode !== null).then(
      (isReady) => (isReady ? performance.now() - startedAt : undefined),
    ),
    signal: (name) => child.kill(name),
  };
  running.add(bff);
  void ended.then(() => running.delete(bff));
  return bff;
}

function toEnvironment(
  { program, port, databaseUrl, serviceUrl, kill, inspects = true, drainMs = 0 }: BffChildOptions,
  url: string,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    // Shared by all starts. The folder is deleted together with the program.
    NODE_COMPILE_CACHE: join(dirname(program), 'compile-cache'),
    FUNDING_ENVIRONMENT: 'sandbox',
    FUNDING_AUTH_URL: serviceUrl,
    FUNDING_BASE_URL: `${serviceUrl}/rest`,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    BFF_PORT: String(port),
    DRAIN_MS: String(drainMs),
    ...(inspects ? {} : { INSPECTIONS: 'none' }),
    ...(kill ? { KILL_POINT: kill.point, KILL_OCCURRENCE: String(kill.occurrence) } : {}),
  };
}

async function waitUntilReady(url: string, isGone: () => boolean): Promise<boolean> {
  const agent = new Agent({ connect: { timeout: 500 } });
  try {
    while (!isGone()) {
      if (await isReady(url, agent)) return true;
      await sleep(pollMs);
    }
    return false;
  } finally {
    await agent.destroy();
  }
}

/** Whether `/readyz` reports ready. */
export async function isReady(url: string, dispatcher: Agent): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${url}/readyz`, {
      dispatcher,
      headersTimeout: 1_000,
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
