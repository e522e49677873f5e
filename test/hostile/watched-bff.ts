// A BFF process that records all its output and fails on command.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import type { Command } from './canary-preload.ts';

export interface WatchedBffOptions {
  /** Base URL of the funding service, without `/rest`. */
  readonly serviceUrl: string;
  readonly pageOrigin: string;
  readonly settings: object;
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface WatchedBff {
  readonly url: string;
  readonly stdout: () => Buffer;
  readonly stderr: () => Buffer;
  /** Resolves when the process has run the command, or has exited. */
  run(command: Command): Promise<void>;
  /** Resolves when the process has exited. */
  signal(name: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  readonly ended: Promise<unknown>;
  /** Reads all files of the store. */
  readStore(): Promise<readonly Buffer[]>;
  /** Kills the process and removes its files. */
  remove(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const readyTimeoutMs = 30_000;

export async function startWatchedBff(options: WatchedBffOptions): Promise<WatchedBff> {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-watched-'));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify(options.settings));
  const preload = join(import.meta.dirname, 'canary-preload.ts');
  const child = spawn(process.execPath, ['--import', preload, 'bff/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      FUNDING_ENVIRONMENT: 'sandbox',
      FUNDING_AUTH_URL: options.serviceUrl,
      FUNDING_BASE_URL: `${options.serviceUrl}/rest`,
      FUNDING_SETTINGS: settings,
      DATABASE_URL: `file:${join(folder, 'store', 'store.db')}`,
      ALLOWED_ORIGINS: options.pageOrigin,
      PUBLIC_URL: url,
      BFF_PORT: String(port),
      WIDGET_FOLDER: 'none',
      TRUSTED_PROXIES: '127.0.0.1 ::1',
      ...options.variables,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout?.on('data', (bytes: Buffer) => written.stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => written.stderr.push(bytes));
  // `close` waits for the remaining output, `exit` does not.
  const ended = once(child, 'close');
  process.once('exit', () => child.kill('SIGKILL'));

  const bff: WatchedBff = {
    url,
    ended,
    stdout: () => Buffer.concat(written.stdout),
    stderr: () => Buffer.concat(written.stderr),
    async run(command) {
      const confirmed = once(child, 'message');
      child.send(command);
      await Promise.race([confirmed, ended]);
    },
    async signal(name) {
      child.kill(name);
      await ended;
    },
    async readStore() {
      const store = join(folder, 'store');
      const names = await readdir(store);
      return Promise.all(names.map((name) => readFile(join(store, name))));
    },
    async remove() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
  await waitUntilReady(bff, () => child.exitCode !== null);
  return bff;
}

async function waitUntilReady(
  { url, stderr }: WatchedBff,
  hasExited: () => boolean,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline && !hasExited()) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`The BFF did not start: ${stderr().toString().slice(0, 2_000)}`);
}
