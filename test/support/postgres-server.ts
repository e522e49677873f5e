// A private PostgreSQL server on this machine. Tests can crash it and start it again.

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { findFreePort } from './free-port.ts';
import { waitLimitMs } from './time-limit.ts';
import type { News, Order } from './postgres-guard.ts';

export interface PostgresServer {
  /** `postgres:` URL of a superuser. Does not change after `crash` and `start`. */
  readonly url: string;
  /** Kills the server with SIGKILL. Resolves when all its processes have ended. */
  crash(): Promise<void>;
  /** Starts the server on the same data. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** Stops the server and deletes its data. Also happens when this process ends. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** False: commits do not wait for the disk, and a crash can lose data. Default: true. */
  readonly isDurable?: boolean;
}

const guardFile = join(import.meta.dirname, 'postgres-guard.ts');
const maxConnections = 200;

/** Throws when PostgreSQL is missing or does not start; the error message contains the server's log. */
export async function startPostgres({
  isDurable = true,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const programFolder = readTestTools().postgres;
  if (!programFolder) throw new Error('PostgreSQL is missing. Run node scripts/setup.mjs --tests.');
  const user = findServerUser();
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-postgres-'));
  // From now on, the guard deletes the folder.
  const guard = startGuard(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const dataFolder = join(folder, 'data');

  const run = (name: string, args: readonly string[]): Promise<News> =>
    ask(guard, { do: 'run', program: join(programFolder, name), args, user });

  const server: PostgresServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      const news = await run('postgres', listServerArgs(dataFolder, port, isDurable));
      if (news.state === 'ended') throw new Error(`PostgreSQL did not start: ${news.log}`);
    },
    async crash() {
      await ask(guard, { do: 'kill' });
    },
    async stop() {
      if (!guard.connected) return;
      const ended = once(guard, 'exit');
      guard.disconnect();
      await ended;
    },
  };

  try {
    const news = await run('initdb', listInitArgs(dataFolder));
    if (news.state !== 'ended' || news.code !== 0) {
      throw new Error(`initdb failed: ${news.state === 'ended' ? news.log : news.state}`);
    }
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

function startGuard(folder: string): ChildProcess {
  return fork(guardFile, [folder], {
    // A new process group: a signal to the parent's group (Ctrl+C, a timeout) must not stop the cleanup.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Excludes the runner's flags for Node and the user's PG… variables. Messages in English.
    execArgv: [],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
}

async function ask(guard: ChildProcess, order: Order): Promise<News> {
  const answer = once(guard, 'message', { signal: AbortSignal.timeout(waitLimitMs) });
  guard.send(order);
  // The guard sends no other messages.
  const [news] = (await answer) as [News];
  return news;
}

function listInitArgs(dataFolder: string): string[] {
  return [
    `--pgdata=${dataFolder}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    // Allowed only while initdb creates the empty database.
    '--no-sync',
  ];
}

function listServerArgs(dataFolder: string, port: number, isDurable: boolean): string[] {
  const durability = isDurable ? 'on' : 'off';
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataFolder, ...args];
}

/** PostgreSQL does not run as root. Returns undefined when this process has another user. */
function findServerUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => readId(option, name));
    if (uid && gid) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root. Create a user named postgres or nobody.');
}

function readId(option: string, name: string): number {
  return Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout);
}
