// Asks a ClamAV daemon about a document: INSTREAM over one connection each, and only its plain "OK" is a yes.

import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toClamdAddress } from '../config/environment-reader.ts';
import type { StartTimer } from '../runtime/timers.ts';

/** Of a whole scan, from connecting to the answer. The daemon itself takes seconds for files of the size we accept. */
const limitMs = 60_000;
/** Longer than any answer to one file. */
const maxAnswerBytes = 4_096;

/**
 * Why nobody knows what is in a document: no answer came, one that is none of those we know, or the daemon takes no file of
 * this size (`StreamMaxLength`).
 */
export const scanFailures = [
  'scanner-unanswered',
  'scanner-answer-unknown',
  'scanner-size-limit',
] as const;
export type ScanFailure = (typeof scanFailures)[number];

export type Scan = 'clean' | 'infected' | ScanFailure;

/** Throws what reading the content throws; whatever is wrong with the scanner is an answer. */
export type ScanDocument = (content: AsyncIterable<Uint8Array>) => Promise<Scan>;

export interface Clamd {
  readonly scan: ScanDocument;
  /** Ends the scans under way; nobody knows of them. */
  readonly abort: () => void;
}

export interface ClamdOptions {
  /** `tcp://host:port` or `unix:/path`. */
  readonly url: string;
  readonly startTimer: StartTimer;
}

/** Nothing is connected before the first scan. Throws a `RangeError` for an address that is none. */
export function createClamd({ url, startTimer }: ClamdOptions): Clamd {
  const address = toClamdAddress(url);
  if (!address) throw new RangeError('This is no address of a scanner');
  const sockets = new Set<Socket>();

  async function scan(content: AsyncIterable<Uint8Array>): Promise<Scan> {
    const socket = connect(address as NetConnectOpts);
    sockets.add(socket);
    const cancel = startTimer(limitMs, () => socket.destroy());
    try {
      return toScan(await ask(socket, content));
    } finally {
      cancel();
      sockets.delete(socket);
      socket.destroy();
    }
  }

  return {
    scan,
    abort() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The daemon's answer without the byte that ends it; `undefined` when none came whole. */
async function ask(
  socket: Socket,
  content: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  const answer = readAnswer(socket);
  const reading = { failed: false, error: undefined as unknown };
  try {
    await pipeline(Readable.from(toStream(content, reading)), socket, { end: false });
  } catch {
    if (reading.failed) throw reading.error;
    // The connection broke. What the daemon said before that may be its answer: it stops reading what is too large.
    socket.destroy();
  }
  return answer;
}

/** clamd(8), INSTREAM: pieces with their length before them, 4 bytes in network order, and one of length 0 at the end. */
async function* toStream(
  content: AsyncIterable<Uint8Array>,
  reading: { failed: boolean; error: unknown },
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('zINSTREAM\0');
  try {
    for await (const piece of content) {
      if (piece.byteLength === 0) continue;
      yield toLength(piece.byteLength);
      yield piece;
    }
  } catch (error) {
    reading.failed = true;
    reading.error = error;
    throw error;
  }
  yield toLength(0);
}

function toLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

function readAnswer(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      answer = Buffer.concat([answer, data]);
      const end = answer.indexOf(0);
      if (end >= 0) resolve(answer.toString('latin1', 0, end));
      else if (answer.byteLength > maxAnswerBytes) resolve(undefined);
    });
    // Said by 'close' as well.
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
