// Starts a program that is not a part of the project, and waits until it is ready.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { waitUntil } from './wait-until.ts';

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The files of the program. */
  readonly folder: string;
  /** Ends the program. Default: SIGKILL. */
  readonly signal?: NodeJS.Signals;
  isReady(): boolean | Promise<boolean>;
}

export type StartedProgram = Awaited<ReturnType<typeof startProgram>>;

/** `log` returns all output so far. `stop` ends the program, and deletes its folder. Throws if the program ends before it is ready. */
export async function startProgram(options: ProgramStart) {
  const { program, args, env, folder, signal = 'SIGKILL', isReady } = options;
  const child = spawn(program, args, {
    // Files of the program are deleted with the folder. A receiver that keeps events would ignore those of the next run.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env && { env }),
  });
  const kill = () => child.kill('SIGKILL');
  // A test that times out does not stop it.
  process.once('exit', kill);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (log += String(data)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) {
      child.kill(signal);
      await once(child, 'exit');
    }
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    await waitUntil(async () => hasEnded() || (await isReady()), `The start of ${program}`);
    if (hasEnded()) throw new Error(`${program} ended`);
  } catch (cause) {
    await stop();
    throw new Error(`${program} did not start: ${log}`, { cause });
  }
  return { log: () => log, stop };
}

export async function acceptsConnection(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
