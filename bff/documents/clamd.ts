// Scans documents with a ClamAV daemon, one connection per document. Only the answer "OK" counts as clean.

import { connect, type Socket } from 'node:net';
import { toClamdAddress } from '../config/environment-reader.ts';
import type { StartTimer } from '../runtime/timers.ts';

/** For a whole scan, from connecting to the answer. */
const timeoutMs = 60_000;
const maxAnswerBytes = 4_096;

/**
 * Reasons why a scan has no result: the daemon did not answer, its answer is unknown, or the document is larger than the
 * daemon's `StreamMaxLength`.
 */
export const scanFailures = [
  'scanner-unanswered',
  'scanner-answer-unknown',
  'scanner-size-limit',
] as const;
export type ScanFailure = (typeof scanFailures)[number];

export type Scan = 'clean' | 'infected' | ScanFailure;

/** Throws an error only if reading the content throws it. */
export type ScanDocument = (content: AsyncIterable<Uint8Array>) => Promise<Scan>;

export interface Clamd {
  readonly scan: ScanDocument;
  /** Ends all scans in progress as `scanner-unanswered`. */
  readonly abort: () => void;
}

/**
 * Throws a `RangeError` if the URL is invalid. Connects only when a scan starts.
 *
 * @param url `tcp://host:port` or `unix:/path`.
 */
export function createClamd(url: string, startTimer: StartTimer): Clamd {
  const address = toClamdAddress(url);
  if (!address) throw new RangeError('The URL of the virus scanner is invalid');
  const sockets = new Set<Socket>();
  return {
    async scan(content) {
      const socket = connect(address);
      sockets.add(socket);
      const cancel = startTimer(timeoutMs, () => socket.destroy());
      try {
        const answer = readAnswer(socket);
        await send(socket, content);
        return toScan(await answer);
      } finally {
        cancel();
        sockets.delete(socket);
        socket.destroy();
      }
    },
    abort() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends INSTREAM (clamd(8)): each chunk follows its length, 4 bytes in network order. A length of 0 ends the stream. */
async function send(socket: Socket, content: AsyncIterable<Uint8Array>): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'));
  for await (const chunk of content) {
    // The daemon may answer and close the connection early. `readAnswer` has the answer.
    if (socket.destroyed) return;
    if (chunk.byteLength === 0) continue;
    socket.write(toLength(chunk.byteLength));
    await write(socket, chunk);
  }
  await write(socket, toLength(0));
}

/** Resolves when the data is sent or the connection is closed. */
function write(socket: Socket, data: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.write(data, () => resolve());
  });
}

function toLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

/** Resolves with the answer, which ends with a zero byte, or with undefined if the connection is closed before. */
function readAnswer(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      answer = Buffer.concat([answer, data]);
      const end = answer.indexOf(0);
      if (end >= 0) resolve(answer.toString('latin1', 0, end));
      else if (answer.byteLength > maxAnswerBytes) resolve(undefined);
    });
    // Node emits 'close' after 'error'.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(undefined));
  });
}

function toScan(answer: string | undefined): Scan {
  if (answer === undefined) return 'scanner-unanswered';
  if (answer === 'stream: OK') return 'clean';
  if (/^stream: .+ FOUND$/.test(answer)) return 'infected';
  return answer.startsWith('INSTREAM size limit exceeded')
    ? 'scanner-size-limit'
    : 'scanner-answer-unknown';
}
