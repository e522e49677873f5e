// Slow clients in a separate process, so that they do not slow down the honest applicants of the test.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders } from '../../support/applicant.ts';
import type { SlowKind, SlowTarget } from './slow-clients.ts';

export interface SlowOrder {
  readonly target: SlowTarget;
  readonly crowds: readonly { readonly kind: SlowKind; readonly connections: number }[];
}

export interface SlowTally {
  readonly kind: SlowKind;
  /** Connections that were opened. */
  readonly connected: number;
  /** Connections that could not be opened. */
  readonly failed: number;
  /** Connections that the server closed. */
  readonly ended: number;
  /** First responses of connections, by status. */
  readonly answers: Readonly<Record<string, number>>;
}

interface SlowBehavior {
  /** Runs after the connection is open. `index` counts the connections. */
  begin(socket: Socket, index: number): unknown;
  /** Runs once per second. */
  tick?(socket: Socket): unknown;
  /** Seconds until a closed connection is opened again. Defaults to 1. */
  readonly pauseSeconds?: number;
  /** True if the client does not read responses. Defaults to false. */
  readonly readsNothing?: boolean;
}

const tickMs = 1_000;
const floodBytes = 64 * 1024 * 1024;
const announcedBytes = 1024 * 1024;
const formBytes = 60_000;
const pipelined = 50;
const hostilePauseSeconds = 5;
const block = Buffer.alloc(64 * 1024, ' ');

const { target, crowds } = JSON.parse(process.argv[2] ?? '') as SlowOrder;

const behaviors: Readonly<Record<SlowKind, SlowBehavior>> = {
  'slow head': {
    begin: (socket) => socket.write('GET /v1/session HTTP/1.1\r\nhost: localhost\r\nx-a: '),
    tick: (socket) => socket.write('a'),
  },
  'slow form': {
    begin: (socket, index) => socket.write(`${toFormHead(index, formBytes)}{`),
    tick: (socket) => socket.write(' '),
  },
  'slow upload': {
    begin: (socket, index) => socket.write(toUploadHead(index)),
    tick: (socket) => socket.write(' '),
  },
  // Half of the clients send one request. The others pipeline many, so that their responses pile up.
  'slow reader': {
    readsNothing: true,
    begin: (socket, index) =>
      socket.write(toHead(`GET ${target.longAnswer}`, 0).repeat(index % 2 === 0 ? 1 : pipelined)),
    tick: (socket) => socket.read(1),
  },
  // Half of the clients disconnect before the response, and the others in the middle of a body.
  'early close': {
    pauseSeconds: hostilePauseSeconds,
    begin: (socket, index) =>
      index % 2 === 0
        ? socket.write(toHead(`GET ${apiPaths.offers}`, index), () => socket.resetAndDestroy())
        : socket.write(`${toFormHead(index, formBytes)}{"business":`, () => socket.destroy()),
  },
  // As fast as the connection allows.
  'flood after a refusal': {
    pauseSeconds: hostilePauseSeconds,
    begin(socket, index) {
      let left = floodBytes;
      const send = () => {
        while (left > 0 && !socket.destroyed) {
          left -= block.byteLength;
          if (!socket.write(block)) return;
        }
      };
      socket.write(toFormHead(index, floodBytes));
      socket.on('drain', send);
      send();
    },
  },
  idle: { begin: (socket) => socket.write(toHead('GET /livez', 0)) },
  // Half of the clients send nothing, and the others stop in the middle of a file.
  'half open': {
    begin: (socket, index) =>
      index % 2 === 0 ? undefined : socket.write(toUploadHead(index)) && socket.write(block),
  },
};

const counters = crowds.map(({ kind, connections }) => openCrowd(kind, connections));

process.on('message', () => process.send?.(counters.map((count) => count())));
// The parent exited or asked for the exit.
process.on('disconnect', () => process.exit());

function openCrowd(kind: SlowKind, connections: number): () => SlowTally {
  const { begin, tick, pauseSeconds = 1, readsNothing } = behaviors[kind];
  const sockets = new Set<Socket>();
  const answers: Record<string, number> = {};
  const tally = { kind, connected: 0, failed: 0, ended: 0 };

  function open(index: number): void {
    // An address instead of a name avoids a thousand DNS lookups.
    const socket = connect({ port: target.port, host: '127.0.0.1' });
    let hasEnded = false;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      tally.connected += 1;
      sockets.add(socket);
      begin(socket, index);
    });
    socket.on('end', () => {
      hasEnded = true;
    });
    socket.once('close', (hadError) => {
      if (!sockets.delete(socket)) tally.failed += 1;
      else if (hasEnded || hadError) tally.ended += 1;
      setTimeout(open, pauseSeconds * 1_000, index);
    });
    if (readsNothing) return;
    socket.once('data', (chunk: Buffer) => {
      const status = chunk.toString('latin1', 9, 12);
      answers[status] = (answers[status] ?? 0) + 1;
    });
    socket.resume();
  }

  for (let index = 0; index < connections; index += 1) open(index);
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) tick?.(socket);
  }, tickMs);
  return () => ({ ...tally, answers });
}

function toFormHead(index: number, bytes: number): string {
  return toHead(`POST ${apiPaths.application}`, index, {
    'content-type': 'application/json',
    'content-length': String(bytes),
    [apiHeaders.idempotencyKey]: randomUUID(),
  });
}

/** Includes the first bytes of the file. */
function toUploadHead(index: number): string {
  const headers = toUploadHeaders('statement.pdf', announcedBytes);
  return `${toHead(`POST ${apiPaths.documents}`, index, headers)}%PDF-1.7\n`;
}

function toHead(line: string, index: number, more: Readonly<Record<string, string>> = {}): string {
  const cookie = target.cookies[index % target.cookies.length] ?? '';
  const all = { host: 'localhost', ...target.headers, cookie, ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
