// Starts the measured processes on free ports, and stops them at the end of the run.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../test/support/free-port.ts';
import { unlimitedSettingsPath } from '../test/support/unlimited.ts';

const root = join(import.meta.dirname, '..');
const readyTimeoutMs = 20_000;

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface Stub extends Running {
  /** `down`: responds 503 to every request. `up`: accepts requests again. */
  set(state: 'up' | 'down'): Promise<void>;
}

export async function startStub(delayMs: number): Promise<Stub> {
  const port = await findFreePort();
  const running = await start('bench/peers/service-stub.ts', port, {
    STUB_PORT: String(port),
    STUB_DELAY_MS: String(delayMs),
  });
  return {
    ...running,
    async set(state) {
      const heard = once(running.child, 'message');
      running.child.send(state);
      await heard;
    },
  };
}

export async function startProxy(stub: Running): Promise<Running> {
  const port = await findFreePort();
  return start('bench/peers/hono-proxy.ts', port, {
    PROXY_PORT: String(port),
    SERVICE_URL: stub.url,
  });
}

/** Starts the BFF with production settings. */
export async function startBff(stub: Running, databaseUrl: string): Promise<Running> {
  const port = await findFreePort();
  return start('bff/main.ts', port, {
    FUNDING_ENVIRONMENT: 'sandbox',
    FUNDING_AUTH_URL: stub.url,
    FUNDING_BASE_URL: `${stub.url}/rest`,
    FUNDING_SETTINGS: unlimitedSettingsPath,
    DATABASE_URL: databaseUrl,
    ALLOWED_ORIGINS: 'http://localhost:8080',
    BFF_PORT: String(port),
    WIDGET_FOLDER: 'none',
  });
}

/** Calls `work` with the URL of a new SQLite store. */
export async function withSqliteUrl<Result>(
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-bench-'));
  try {
    return await work(`file:${join(folder, 'store.db')}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(
  main: string,
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<Running> {
  const child = spawn(process.execPath, [main], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer !== undefined) break;
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${main} did not start`);
    await sleep(50);
  }
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
