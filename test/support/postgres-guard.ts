// Runs the programs of a test server, and takes server and folder away when its parent ends, however that happens.
//   node postgres-guard.ts <folder>      started by postgres-server.ts, which talks to it over Node's channel

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** What the parent asks for: one program at a time, and `kill -9` for the one that runs. */
export type Order =
  | {
      readonly do: 'run';
      readonly program: string;
      readonly args: readonly string[];
      /** Default: the user of this process. */
      readonly user: { readonly uid: number; readonly gid: number } | undefined;
    }
  | { readonly do: 'kill' };

/** What the parent is told: that connections are accepted, or that the program and all it started are gone. */
export type News =
  | { readonly state: 'ready' }
  | { readonly state: 'ended'; readonly code: number | null; readonly log: string };

const readyLine = 'database system is ready to accept connections';
const maxLogLength = 8_000;

const folder = process.argv[2];
if (!folder || !process.send) throw new Error('This file is started by postgres-server.ts.');
let running: ChildProcess | undefined;

process.on('message', (order: Order) => {
  if (order.do === 'run') run(order);
  else if (running) running.kill('SIGKILL');
  else tell({ state: 'ended', code: null, log: 'It had ended before.' });
});

process.once('disconnect', () => {
  // PostgreSQL's immediate shutdown: nothing of it is kept.
  if (running) running.once('close', removeFolder).kill('SIGQUIT');
  else removeFolder();
});

function run({ program, args, user }: Extract<Order, { do: 'run' }>): void {
  if (running) {
    tell({ state: 'ended', code: null, log: 'Another program is still running.' });
    return;
  }
  let log = '';
  let isReady = false;
  const child = spawn(program, args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  running = child;
  child.on('error', (error) => (log += error.message));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-maxLogLength);
    if (isReady || !log.includes(readyLine)) return;
    isReady = true;
    tell({ state: 'ready' });
  });
  // Not `exit`: backends share the error stream, and outlive a server that was killed by a moment.
  child.once('close', (code) => {
    running = undefined;
    tell({ state: 'ended', code, log });
  });
}

function tell(news: News): void {
  if (process.connected) process.send?.(news);
}

function removeFolder(): void {
  rmSync(folder!, { recursive: true, force: true });
}
