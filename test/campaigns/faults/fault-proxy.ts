// A TCP proxy between the BFF and the funding service that injects a fault into single requests. It uses plain TCP because
// an HTTP server cannot stop in the middle of a header or reset a connection.

import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../support/servers.ts';

/**
 * The fault of one request. `isProcessed`: whether the funding service processes the request before the fault.
 * - `cut-request`: passes this share of the request's bytes, 0 to 1, then resets both connections. At 0 it passes nothing;
 *   at 1 the funding service processes the request.
 * - `cut-answer`: passes this many bytes of the response, then resets the connection.
 * - `stall`: reads the request and never responds.
 * - `drip`: passes the response slowly.
 * - `delay`: passes the response late.
 * - `answer`: sends this response instead of the funding service's. Default: 200 and JSON.
 * - `reset-reused`: closes the connection when a second request arrives on it; passes the first request.
 */
export type Plan =
  | { readonly kind: 'pass' }
  | { readonly kind: 'cut-request'; readonly share: number }
  | { readonly kind: 'cut-answer'; readonly bytes: number }
  | { readonly kind: 'stall'; readonly isProcessed: boolean }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | {
      readonly kind: 'answer';
      readonly isProcessed: boolean;
      readonly status?: number;
      readonly type?: string;
      readonly body: string;
      readonly delayMs?: number;
    }
  | { readonly kind: 'reset-reused' };

export interface SeenHead {
  /** Path in the request line. */
  readonly path: string;
  /** Number of earlier requests on this connection. */
  readonly index: number;
}

interface FaultProxyOptions {
  /** Local port of the funding service. */
  readonly port: number;
  /** Chooses the fault of each request. Default: passes all requests. */
  readonly choose?: (head: SeenHead) => Plan;
}

const endOfHead = '\r\n\r\n';
const dripMs = 50;

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Starts a proxy that passes every request for which `choose` returns no fault. */
export async function startFaultProxy(options: FaultProxyOptions) {
  // Half-open, because a client may end its side after the request and still wait for the response.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    void handleConnection(client, options);
  });
  const { port, origin, close } = await listen(server);
  return { port, url: origin, close };
}

/** Handles the requests of one connection, one after the other. */
async function handleConnection(client: Socket, options: FaultProxyOptions): Promise<void> {
  const reader = createSocketReader(client);
  const choose = options.choose ?? (() => ({ kind: 'pass' }) as const);
  for (let index = 0; ; index += 1) {
    const head = await reader.until(endOfHead);
    if (head === undefined) break;
    const path = head.toString('latin1').split(' ')[1] ?? '';
    const exchange = { client, reader, head, index, port: options.port };
    if (!(await applyPlan(choose({ path, index }), exchange))) return;
  }
  client.end();
}

interface Exchange {
  readonly client: Socket;
  readonly reader: SocketReader;
  readonly head: Buffer;
  readonly index: number;
  readonly port: number;
}

/** Returns whether the connection stays open. */
async function applyPlan(plan: Plan, exchange: Exchange): Promise<boolean> {
  const { client } = exchange;
  if (plan.kind === 'cut-request') return cutRequest(plan.share, exchange);
  if (plan.kind === 'reset-reused' && exchange.index > 0) return reset(client);
  const request = await readRest(exchange);
  if (request === undefined) return reset(client);
  const isProcessed = !('isProcessed' in plan) || plan.isProcessed;
  const answer = isProcessed ? await fetchResponse(request, exchange.port) : Buffer.alloc(0);
  if (answer === undefined) return reset(client);
  return giveBack(plan, answer, client);
}

async function giveBack(
  plan: Exclude<Plan, { kind: 'cut-request' }>,
  answer: Buffer,
  client: Socket,
): Promise<boolean> {
  switch (plan.kind) {
    case 'pass':
    case 'reset-reused':
      return client.write(answer) || true;
    case 'delay':
      await sleep(plan.ms);
      return client.write(answer) || true;
    case 'stall':
      return false;
    case 'answer': {
      const { status = 200, type = 'application/json', body, delayMs = 0 } = plan;
      await sleep(delayMs);
      client.end(
        `HTTP/1.1 ${status} Status\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return false;
    }
    case 'cut-answer':
      await write(client, answer.subarray(0, plan.bytes));
      return reset(client);
    case 'drip':
      return drip(client, answer, plan.bytesPerSecond);
  }
}

async function cutRequest(share: number, exchange: Exchange): Promise<boolean> {
  const { client, reader, head, port } = exchange;
  const bytes = Math.floor((head.length + toBodyBytes(head)) * share);
  const body = await reader.exactly(Math.max(0, bytes - head.length));
  const taken = Buffer.concat([head, body ?? Buffer.alloc(0)]).subarray(0, bytes);
  if (share >= 1) await fetchResponse(taken, port);
  else if (bytes > 0) await sendStart(taken, port);
  return reset(client);
}

/** Sends the first bytes of a request and resets the connection. */
async function sendStart(bytes: Buffer, port: number): Promise<void> {
  const upstream = await open(port);
  if (!upstream) return;
  await write(upstream, bytes);
  upstream.resetAndDestroy();
}

async function drip(client: Socket, answer: Buffer, bytesPerSecond: number): Promise<boolean> {
  const bytes = Math.max(1, Math.round((bytesPerSecond * dripMs) / 1000));
  for (let start = 0; start < answer.length && !client.destroyed; start += bytes) {
    await write(client, answer.subarray(start, start + bytes));
    await sleep(dripMs);
  }
  return !client.destroyed;
}

async function readRest({ reader, head }: Exchange): Promise<Buffer | undefined> {
  const body = await reader.exactly(toBodyBytes(head));
  return body && Buffer.concat([head, body]);
}

/** Returns the complete response of the service, or `undefined` when there is none. */
async function fetchResponse(request: Buffer, port: number): Promise<Buffer | undefined> {
  const upstream = await open(port);
  if (!upstream) return undefined;
  const reader = createSocketReader(upstream);
  upstream.write(request);
  const head = await reader.until(endOfHead);
  const isChunked = head && /^transfer-encoding: *chunked/im.test(head.toString('latin1'));
  const body = head && (await (isChunked ? readChunks(reader) : reader.exactly(toBodyBytes(head))));
  upstream.destroy();
  return head && body && Buffer.concat([head, body]);
}

async function readChunks(reader: SocketReader): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (;;) {
    const size = await reader.until('\r\n');
    const bytes = Number.parseInt(size?.toString('latin1') ?? '', 16);
    const chunk = Number.isNaN(bytes) ? undefined : await reader.exactly(bytes + 2);
    if (!size || !chunk) return undefined;
    pieces.push(size, chunk);
    if (bytes === 0) return Buffer.concat(pieces);
  }
}

function toBodyBytes(head: Buffer): number {
  return Number(/^content-length: *(\d+)/im.exec(head.toString('latin1'))?.[1] ?? 0);
}

async function open(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(undefined));
  });
}

/** Resolves when the operating system has the bytes, or the connection is closed. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}

function reset(client: Socket): false {
  client.resetAndDestroy();
  return false;
}

interface SocketReader {
  /** Reads up to and including `mark`. Resolves with `undefined` when the connection ends earlier. */
  until(mark: string): Promise<Buffer | undefined>;
  /** Reads this number of bytes. Resolves with `undefined` when the connection ends earlier. */
  exactly(bytes: number): Promise<Buffer | undefined>;
}

function createSocketReader(socket: Socket): SocketReader {
  let held = Buffer.alloc(0);
  let hasEnded = false;
  let wake: () => void = () => undefined;

  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake();
  });
  const end = () => {
    hasEnded = true;
    wake();
  };
  socket.on('end', end);
  socket.on('close', end);
  socket.on('error', end);

  /** @param find returns the length of the next piece, or -1 when more bytes are needed. */
  async function take(find: () => number): Promise<Buffer | undefined> {
    for (;;) {
      const length = find();
      if (length >= 0) {
        const piece = held.subarray(0, length);
        held = held.subarray(length);
        return piece;
      }
      if (hasEnded) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    until: (mark) =>
      take(() => {
        const index = held.indexOf(mark);
        return index < 0 ? -1 : index + mark.length;
      }),
    exactly: (bytes) => take(() => (held.length >= bytes ? bytes : -1)),
  };
}
