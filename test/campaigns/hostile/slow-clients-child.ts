// Slow clients in a separate process, so that they do not slow down the honest applicants of the test.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
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
  /** Connections that are open now. */
  readonly open: number;
  readonly sentBytes: number;
  /** First responses of connections, by status. */
  readonly answers: Readonly<Record<string, number>>;
}

interface SlowBehavior {
  /** Runs after the connection is open. `index` counts the connections. */
  begin(socket: Socket, index: number): void;
  /** Runs once per second. */
  tick?(socket: Socket): void;
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
const space = Buffer.from(' ');
const block = Buffer.alloc(64 * 1024, ' ');

const order = JSON.parse(process.argv[2] ?? '') as SlowOrder;
const crowds = order.crowds.map(({ kind, connections }) => openCrowd(kind, connections));

process.on('message', () => process.send?.(crowds.map(({ count }) => count())));
// The parent exited or asked for the exit.
process.on('disconnect', () => process.exit());

function openCrowd(kind: SlowKind, connections: number): { readonly count: () => SlowTally } {
  const behavior = toBehavior(kind, order.target);
  const sockets = new Set<Socket>();
  const answers: Record<string, number> = {};
  const tally = { kind, connected: 0, failed: 0, ended: 0, sentBytes: 0 };

  function open(index: number): void {
    // An address instead of a name avoids a thousand DNS lookups.
    const socket = connect({ port: order.target.port, host: '127.0.0.1' });
    let hasEnded = false;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      tally.connected += 1;
      sockets.add(socket);
      behavior.begin(socket, index);
    });
    socket.on('end', () => {
      hasEnded = true;
    });
    socket.once('close', (hadError) => {
      tally.sentBytes += socket.bytesWritten;
      if (!sockets.delete(socket)) tally.failed += 1;
      else if (hasEnded || hadError) tally.ended += 1;
      setTimeout(open, (behavior.pauseSeconds ?? 1) * 1_000, index);
    });
    if (!behavior.readsNothing) {
      socket.once('data', (chunk: Buffer) => {
        const status = chunk.toString('latin1', 9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
      });
      socket.resume();
    }
  }

  for (let index = 0; index < connections; index += 1) open(index);
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) behavior.tick?.(socket);
  }, tickMs);
  return {
    count: () => ({
      ...tally,
      answers,
      open: sockets.size,
      sentBytes: tally.sentBytes + [...sockets].reduce((sum, each) => sum + each.bytesWritten, 0),
    }),
  };
}

function toBehavior(kind: SlowKind, target: SlowTarget): SlowBehavior {
  switch (kind) {
    case 'slow head':
      return {
        begin: (socket) =>
          void socket.write('GET /v1/session HTTP/1.1\r\nhost: localhost\r\nx-a: '),
        tick: (socket) => void socket.write('a'),
      };
    case 'slow form':
      return {
        begin: (socket, index) => void socket.write(`${toFormHead(target, index, formBytes)}{`),
        tick: (socket) => void socket.write(space),
      };
    case 'slow upload':
      return {
        begin: (socket, index) => void socket.write(toUploadHead(target, index)),
        tick: (socket) => void socket.write(space),
      };
    case 'slow reader':
      return {
        readsNothing: true,
        begin: askForMuch(target),
        tick: (socket) => void socket.read(1),
      };
    case 'early close':
      return { pauseSeconds: hostilePauseSeconds, begin: leaveEarly(target) };
    case 'flood after a refusal':
      return {
        pauseSeconds: hostilePauseSeconds,
        begin(socket, index) {
          socket.write(toFormHead(target, index, floodBytes));
          flood(socket, floodBytes);
        },
      };
    case 'idle':
      return { begin: (socket) => void socket.write(toGet(target, '/livez')) };
    case 'half open':
      return { begin: fallSilent(target) };
  }
}

/** Half of the clients send one request. The others pipeline many, so that their responses pile up. */
function askForMuch(target: SlowTarget): SlowBehavior['begin'] {
  return (socket, index) => {
    socket.write(toGet(target, target.longAnswer).repeat(index % 2 === 0 ? 1 : pipelined));
  };
}

/** Half of the clients disconnect before the response, and the others in the middle of a body. */
function leaveEarly(target: SlowTarget): SlowBehavior['begin'] {
  return (socket, index) => {
    if (index % 2 === 0) {
      socket.write(toGet(target, apiPaths.offers, index), () => socket.resetAndDestroy());
    } else {
      socket.write(`${toFormHead(target, index, formBytes)}{"business":`, () => socket.destroy());
    }
  };
}

/** Half of the clients send nothing, and the others stop in the middle of a file. */
function fallSilent(target: SlowTarget): SlowBehavior['begin'] {
  return (socket, index) => {
    if (index % 2 === 0) return;
    socket.write(toUploadHead(target, index));
    socket.write(block);
  };
}

/** Sends as fast as the connection allows. */
function flood(socket: Socket, bytes: number): void {
  let left = bytes;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= block.byteLength;
      if (!socket.write(block)) return;
    }
  };
  socket.on('drain', send);
  send();
}

function toGet(target: SlowTarget, path: string, index = 0): string {
  return toHead(`GET ${path}`, target, index, {});
}

function toFormHead(target: SlowTarget, index: number, bytes: number): string {
  return toHead(`POST ${apiPaths.application}`, target, index, {
    'content-type': 'application/json',
    'content-length': String(bytes),
    [apiHeaders.idempotencyKey]: randomUUID(),
  });
}

/** Includes the first bytes of the file. */
function toUploadHead(target: SlowTarget, index: number): string {
  const head = toHead(`POST ${apiPaths.documents}`, target, index, {
    'content-type': 'application/octet-stream',
    'content-length': String(announcedBytes),
    [apiHeaders.documentName]: 'statement.pdf',
    [apiHeaders.documentCategory]: 'bank-statements-jan',
  });
  return `${head}%PDF-1.7\n`;
}

function toHead(
  line: string,
  { headers, cookies }: SlowTarget,
  index: number,
  more: Readonly<Record<string, string>>,
): string {
  const cookie = cookies[index % cookies.length] ?? '';
  const all = { host: 'localhost', ...headers, cookie, ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
