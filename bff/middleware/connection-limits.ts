// Limits of the HTTP server's connections: idle connections, pipelined requests, and bodies that continue after their response.
//
// Node reads and discards the rest of a body that no handler wants, as fast as it arrives. With 300 connections that keep sending
// after a 413, the limit reduces the 95th percentile of other requests from 6.7 s to 8 ms (`npm run bench -- bodies`).

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Above this share of the maximum, the server closes idle connections. */
const busyShare = 0.9;
/** Requests on one connection that wait for an earlier one. Browsers and proxies do not pipeline requests. */
const maxQueuedRequests = 8;
/** For all unread bodies together. It is enough for the rest of a refused document, whose connection then stays usable. */
const drainedBytesPerSecond = 16 * 1024 * 1024;
/** Shorter bodies do not count. */
const smallBodyBytes = 64 * 1024;

/** A returned promise must not reject. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Accepts at most `max` connections. Closes idle ones early, so that they do not keep other clients out. */
export function limitConnections(server: Server, max: number): void {
  let open = 0;
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > max * busyShare) server.closeIdleConnections();
  });
}

/**
 * - Answers the requests of a connection one at a time, and closes the connection if too many are waiting (RFC 9112,
 *   section 9.3.2, allows both). Node would start all of them, and buffer all responses until the client reads them.
 * - Reads unwanted bodies at a limited rate. `@hono/node-server` closes such a connection half a second later. Closing it at
 *   once could discard the response before the client reads it.
 */
export function withConnectionLimits(listener: Listener): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const takeBytes = createTokenBucket(drainedBytesPerSecond);

  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (queue === undefined) {
      queues.set(socket, []);
      start();
    } else if (queue.length < maxQueuedRequests) queue.push(start);
    else socket.destroy();

    function start(): void {
      // After a call of `read`, Node does not discard the body by itself when the response ends.
      if (hasLargeBody(request)) request.read(0);
      response.once('close', () => {
        if (!request.readableEnded) drain(request, takeBytes);
        const next = socket.destroyed ? undefined : queues.get(socket)?.shift();
        if (next) next();
        else queues.delete(socket);
      });
      void listener(request, response);
    }
  };
}

function hasLargeBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length) > smallBodyBytes;
  return headers['transfer-encoding'] !== undefined;
}

function drain(request: IncomingMessage, takeBytes: (bytes: number) => boolean): void {
  request.on('data', (chunk: Uint8Array) => {
    if (!takeBytes(chunk.byteLength)) request.pause();
  });
  request.resume();
}

/** The returned function takes tokens, and returns false if the bucket was empty. */
function createTokenBucket(tokensPerSecond: number): (tokens: number) => boolean {
  let available = tokensPerSecond;
  let updatedAt = performance.now();
  return (tokens) => {
    const now = performance.now();
    const added = ((now - updatedAt) / 1000) * tokensPerSecond;
    available = Math.min(tokensPerSecond, available + added);
    updatedAt = now;
    if (available <= 0) return false;
    available -= tokens;
    return true;
  };
}
