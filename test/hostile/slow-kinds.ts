// The ways in which a client can be slow or rude, each as what it writes at first and what it does once a second.

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';

export const slowKinds = [
  'slow head',
  'slow form',
  'slow upload',
  'slow reader',
  'early close',
  'flood after a refusal',
  'idle',
  'half open',
] as const;

export type SlowKind = (typeof slowKinds)[number];

export interface SlowTarget {
  readonly port: number;
  /** Headers of the attackers' requests, without a cookie. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of sessions that have filed an application. */
  readonly cookies: readonly string[];
  /** The address whose answer is the longest. */
  readonly longAnswer: string;
}

export interface SlowBehaviour {
  /** Once it is connected; `index` counts the connections. */
  begin(socket: Socket, index: number): void;
  /** Once a second from then on. Default: nothing. */
  tick?(socket: Socket): void;
  /** Seconds until a connection that has ended is opened anew; default 1. */
  readonly pauseSeconds?: number;
  /** It does not even take what it is answered. Default: it reads, and forgets. */
  readonly readsNothing?: boolean;
}

const floodBytes = 64 * 1024 * 1024;
const announcedBytes = 1024 * 1024;
const formBytes = 60_000;
const pipelined = 50;
const rudePauseSeconds = 5;
const blank = Buffer.from(' ');
const block = Buffer.alloc(64 * 1024, ' ');

export function toBehaviour(kind: SlowKind, target: SlowTarget): SlowBehaviour {
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
        tick: (socket) => void socket.write(blank),
      };
    case 'slow upload':
      return {
        begin: (socket, index) => void socket.write(toUploadHead(target, index)),
        tick: (socket) => void socket.write(blank),
      };
    case 'slow reader':
      return {
        readsNothing: true,
        begin: askForMuch(target),
        tick: (socket) => void socket.read(1),
      };
    case 'early close':
      return { pauseSeconds: rudePauseSeconds, begin: leaveEarly(target) };
    case 'flood after a refusal':
      return {
        pauseSeconds: rudePauseSeconds,
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

/** Every other one once; the others many times in one packet, so that all the answers wait for them. */
function askForMuch(target: SlowTarget): SlowBehaviour['begin'] {
  return (socket, index) => {
    socket.write(toGet(target, target.longAnswer).repeat(index % 2 === 0 ? 1 : pipelined));
  };
}

/** Every other one after a whole request, before its answer; the others in the middle of a body. */
function leaveEarly(target: SlowTarget): SlowBehaviour['begin'] {
  return (socket, index) => {
    if (index % 2 === 0) {
      socket.write(toGet(target, apiPaths.offers, index), () => socket.resetAndDestroy());
    } else {
      socket.write(`${toFormHead(target, index, formBytes)}{"business":`, () => socket.destroy());
    }
  };
}

/** Every other one before it has said anything; the others in the middle of a file. */
function fallSilent(target: SlowTarget): SlowBehaviour['begin'] {
  return (socket, index) => {
    if (index % 2 === 0) return;
    socket.write(toUploadHead(target, index));
    socket.write(block);
  };
}

/** As fast as the connection takes it. */
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

/** With the first bytes of the file. */
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
