// Starts ClamAV's daemon with one signature, so that it needs no download.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { createTextPdf } from '../../support/files/pdf.ts';
import { findFreePort } from '../../support/free-port.ts';
import { acceptsConnection, startProgram } from '../../support/start-program.ts';

export const clamdProgram = readTestTools().clamd;
/** In two parts, so that no scanner finds this file (eicar.org). */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];
/** The content of a file of signatures: finds files that contain the test text, anywhere. */
export const eicarSignature = `Eicar-Test:0:*:${Buffer.from(eicar.join('')).toString('hex')}\n`;

export async function startClamd() {
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
  const { stop } = await startProgram({
    program: clamdProgram!,
    args: ['--config-file', file],
    folder,
    isReady: () => acceptsConnection(port),
  });
  return { url: `tcp://127.0.0.1:${port}`, stop };
}

/** A PDF with the test text in a comment, which no parser shows. */
export function createInfectedPdf(): Uint8Array {
  const pdf = Buffer.from(createTextPdf('Statement of June')).toString('latin1');
  return Buffer.from(`${pdf.trimEnd()}\n%${eicar.join('')}\n`, 'latin1');
}
