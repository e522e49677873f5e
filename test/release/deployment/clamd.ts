// Starts ClamAV's daemon with one signature, so that it needs no download.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { createTextPdf } from '../../support/files/pdf.ts';
import { findFreePort } from '../../support/free-port.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

export const clamdProgram = readTestTools().clamd;
/** In two parts, so that no scanner finds this file (eicar.org). */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];
/** The content of a file of signatures: finds files that contain the test text, anywhere. */
export const eicarSignature = `Eicar-Test:0:*:${Buffer.from(eicar.join('')).toString('hex')}\n`;

export interface Clamd {
  /** Value of CLAMD_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startClamd(): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-clamd-'));
  const port = await findFreePort();
  mkdirSync(join(folder, 'signatures'));
  writeFileSync(join(folder, 'signatures/test.ndb'), eicarSignature);
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
  const deadline = performance.now() + waitLimitMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`clamd did not start: ${log}`);
    }
    await sleep(20);
  }
  return { url: `tcp://127.0.0.1:${port}`, stop };
}

/** A PDF with the test text in a comment, which no parser shows. */
export function createInfectedPdf(): Uint8Array {
  const pdf = Buffer.from(createTextPdf('Statement of June')).toString('latin1');
  return Buffer.from(`${pdf.trimEnd()}\n%${eicar.join('')}\n`, 'latin1');
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
