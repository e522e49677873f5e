// Starts BFF processes, and says when they are ready and when they are gone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface BffChildOptions {
  /** The bundled BFF process. */
  readonly program: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** Base address of the funding service, without `/rest`. */
  readonly serviceUrl: string;
  /** Where it kills itself; default nowhere. */
  readonly kill?: KillOrder | undefined;
  /** How long it goes on serving after SIGTERM; default 0. */
  readonly drainMs?: number;
}

export interface KillOrder {
  readonly point: string;
  /** Counted from 1. */
  readonly delay: number;
}

export interface BffChild {
  readonly url: string;
  /** Milliseconds from its start until it said it was ready; `undefined` when it ended before. */
  readonly ready: Promise<number | undefined>;
  /** The signal or code it ended with. */
  readonly ended: Promise<string>;
  /** What it wrote to the standard error. */
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
  { program, port, databaseUrl, serviceUrl, kill, drainMs = 0 }: BffChildOptions,
  url: string,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    // From one start to the next; it goes with the program's folder.
    NODE_COMPILE_CACHE: join(dirname(program), 'compile-cache'),
    FUNDING_ENVIRONMENT: 'sandbox',
    FUNDING_AUTH_URL: serviceUrl,
    FUNDING_BASE_URL: `${serviceUrl}/rest`,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    BFF_PORT: String(port),
    DRAIN_MS: String(drainMs),
    ...(kill ? { KILL_POINT: kill.point, KILL_PASSING: String(kill.delay) } : {}),
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

/** Whether a BFF says so of itself. */
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
