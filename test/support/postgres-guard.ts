// Runs the programs of a test server. When its parent ends in any way, it stops the server and deletes the folder.
//   node postgres-guard.ts <folder>      started by postgres-server.ts, which sends messages over Node's IPC channel

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Messages from the parent: run one program at a time, or `kill -9` the running program. */
export type Order =
  | {
      readonly do: 'run';
      readonly program: string;
      readonly args: readonly string[];
      /** Default: the user of this process. */
      readonly user: { readonly uid: number; readonly gid: number } | undefined;
    }
  | { readonly do: 'kill' };

/** Messages to the parent: the server accepts connections, or the program and all its children have ended. */
export type News =
  | { readonly state: 'ready' }
  | { readonly state: 'ended'; readonly code: number | null; readonly log: string };

const readyLine = 'database system is ready to accept connections';
const maxLogLength = 8_000;

const folder = process.argv[2];
if (!folder || !process.send)
  throw new Error('Do not run this file. postgres-server.ts starts it.');
let running: ChildProcess | undefined;

process.on('message', (order: Order) => {
  if (order.do === 'run') run(order);
  else if (running) running.kill('SIGKILL');
  else report({ state: 'ended', code: null, log: 'It had ended before.' });
});

process.once('disconnect', () => {
  // PostgreSQL's immediate shutdown, because the data is deleted.
  if (running) running.once('close', removeFolder).kill('SIGQUIT');
  else removeFolder();
});

function run({ program, args, user }: Extract<Order, { do: 'run' }>): void {
  if (running) {
    report({ state: 'ended', code: null, log: 'Another program is still running.' });
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
    report({ state: 'ready' });
  });
  // Not `exit`: backends share the error stream, and end shortly after a killed server.
  child.once('close', (code) => {
    running = undefined;
    report({ state: 'ended', code, log });
  });
}

function report(news: News): void {
  if (process.connected) process.send?.(news);
}

function removeFolder(): void {
  rmSync(folder!, { recursive: true, force: true });
}
