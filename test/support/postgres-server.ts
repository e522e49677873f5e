// A PostgreSQL server of one's own on this machine, which really writes to the disk and can be killed and started again.

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from '../../scripts/postgres.mjs';
import { findFreePort } from './free-port.ts';
import type { News, Order } from './postgres-guard.ts';

export interface PostgresServer {
  /** `postgres:` address of a user who may do everything. Stays the same through `crash` and `start`. */
  readonly url: string;
  /** Ends the server as `kill -9` does; resolves when all its processes are gone. */
  crash(): Promise<void>;
  /** Starts it again on the same data; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Ends the server and removes its data. Also done when this process ends without it. */
  stop(): Promise<void>;
}

const guardFile = join(import.meta.dirname, 'postgres-guard.ts');
const answerTimeoutMs = 30_000;
const maxConnections = 200;

/** Throws when this machine has no PostgreSQL, or when it does not start; its own words are in the message. */
export async function startPostgres(): Promise<PostgresServer> {
  const programFolder = findPostgres();
  if (!programFolder) throw new Error('No PostgreSQL: run node scripts/setup.mjs --tests');
  const user = findServerUser();
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-postgres-'));
  // From here on it is the guard that removes the folder.
  const guard = startGuard(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const dataFolder = join(folder, 'data');

  const run = (name: string, args: readonly string[]): Promise<News> =>
    ask(guard, { do: 'run', program: join(programFolder, name), args, user });

  const server: PostgresServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      const news = await run('postgres', listServerArgs(dataFolder, port));
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
    // A session of its own: what ends the parent's whole group (Ctrl+C, a time limit) leaves it time to clear up.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Neither a runner's flags for Node nor the PG… variables of whoever runs the tests; messages in English.
    execArgv: [],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
}

async function ask(guard: ChildProcess, order: Order): Promise<News> {
  const answer = once(guard, 'message', { signal: AbortSignal.timeout(answerTimeoutMs) });
  guard.send(order);
  // The guard sends nothing else.
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
    // Only while the empty database is made: nobody was told yet that anything is kept.
    '--no-sync',
  ];
}

function listServerArgs(dataFolder: string, port: number): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    // PostgreSQL's own defaults, said aloud: that commits survive a crash is what the tests are about.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataFolder, ...args];
}

/** PostgreSQL refuses to run as root; undefined when this process is somebody else. */
function findServerUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => readId(option, name));
    if (uid && gid) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

function readId(option: string, name: string): number {
  return Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout);
}
