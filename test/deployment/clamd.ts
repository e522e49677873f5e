// Starts ClamAV's daemon with one signature, so that it needs no download.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { findFreePort } from '../support/free-port.ts';

export const clamdProgram = readTestTools().clamd;
/** In two parts, so that no scanner finds this file (eicar.org). */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];

const startTimeoutMs = 30_000;

export interface Clamd {
  /** Value of CLAMD_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Finds only files that contain the test text of eicar.org, anywhere. */
export async function startClamd(): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-clamd-'));
  const port = await findFreePort();
  mkdirSync(join(folder, 'signatures'));
  const hex = Buffer.from(eicar.join('')).toString('hex');
  writeFileSync(join(folder, 'signatures/test.ndb'), `Eicar-Test:0:*:${hex}\n`);
  const file = join(folder, 'clamd.conf');
  writeFileSync(
    file,
    `Foreground yes
DatabaseDirectory ${folder}/signatures
TemporaryDirectory ${folder}
TCPAddr 127.0.0.1
TCPSocket ${port}
StreamMaxLength 100M
`,
  );
  const child = spawn(clamdProgram!, ['--config-file', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that times out does not stop it.
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (log += String(data)));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`clamd did not start: ${log}`);
    }
    await sleep(20);
  }
  return { url: `tcp://127.0.0.1:${port}`, stop };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
