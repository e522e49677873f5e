// What connections may cost: no answers that pile up behind each other, no body that nobody wants any more, no place for the idle when places are scarce.

import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that came before the one before them was answered. Neither browsers nor proxies send so. */
const maxWaiting = 8;
/**
 * Of all bodies that go on after their answers: as many are read at once, and a second. Enough for the rest of a document that
 * was refused, after which its connection can be used again.
 */
const unwantedBytes = 16 * 1024 * 1024;
/** A body that is shorter does not count. */
const shortBytes = 64 * 1024;

/** Of all connections; from there on those that wait for a next request are ended. */
const crowdedShare = 0.9;

/** Sets the most connections that are taken. What only keeps one open must not keep others out. */
export function limitConnections(server: Server, max: number): void {
  let open = 0;
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > max * crowdedShare) server.closeIdleConnections();
  });
}

/**
 * - Requests of one connection are answered one after the other, and too many at once end it (RFC 9112 section 9.3.2 allows
 *   both). Node would begin with all of them, a thousand in a single packet, and hold each answer until it is read.
 * - What goes on being sent after its answer is not read any more once there is too much of it. `@hono/node-server` ends the
 *   connection half a second later; until then Node would read whatever comes, from everybody at once. An end right now could
 *   take the answer away from the client.
 */
export function withConnectionLimits(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const takeUnwanted = createAllowance(unwantedBytes);

  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length < maxWaiting) queue.push(begin);
    else socket.destroy();

    function begin(): void {
      // Of a body that nobody has begun to read Node throws away whatever comes, without a word to anybody.
      if (isPerhapsLong(request)) request.read(0);
      response.once('close', () => {
        if (!request.readableEnded) readLittle(request, takeUnwanted);
        const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
        if (next) next();
        else waiting.delete(socket);
      });
      listener(request, response);
    }
  };
}

function isPerhapsLong({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length) > shortBytes;
  return headers['transfer-encoding'] !== undefined;
}

function readLittle(request: IncomingMessage, take: (bytes: number) => boolean): void {
  // Whoever had begun to read it holds the rest back, until the connection is ended under the next request.
  request.removeAllListeners('data');
  request.on('data', (chunk: Uint8Array) => {
    if (!take(chunk.byteLength)) request.pause();
  });
  request.resume();
}

/** @returns whether there is something left of what may be had at once, and again in a second. */
function createAllowance(perSecond: number): (amount: number) => boolean {
  let left = perSecond;
  let countedAt = performance.now();
  return (amount) => {
    const now = performance.now();
    left = Math.min(perSecond, left + ((now - countedAt) / 1000) * perSecond);
    countedAt = now;
    if (left <= 0) return false;
    left -= amount;
    return true;
  };
}
