// Limits of the HTTP server's connections: idle connections, pipelined requests, and bodies that continue after their response.
//
// Node reads and discards the rest of a body that no handler wants, as fast as it arrives. With 300 connections that keep sending
// after a 413, the limit reduces the 95th percentile of other requests from 6.7 s to 8 ms (`npm run bench -- bodies`).

import type {
  IncomingMessage,
  RequestListener,
  Server,
  ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';

/**
 * Options of `http.createServer`. Headers have to arrive within ten seconds. Bodies have no such limit here, because honest uploads
 * can be slow: see `routes/request-body.ts`. Idle connections stay open longer than the 60 s of most load balancers, so that none
 * sends a request on a connection that is about to close.
 */
export const serverOptions = {
  /** Milliseconds for the headers of a request. */
  headersTimeout: 10_000,
  /** No limit for a whole request. */
  requestTimeout: 0,
  /** Milliseconds between two checks of these limits. */
  connectionsCheckingInterval: 2_000,
  /** Bytes of all headers of a request. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds that an idle connection stays open. */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;
const maxConnections = 2_000;
const maxRequestsPerConnection = 1_000;
/**
 * Closes a connection without traffic in either direction. Otherwise a client that never reads its response would hold the
 * connection forever. Longer than every timeout of the BFF.
 */
const socketTimeoutMs = 120_000;
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

/**
 * Sets the limits of a server's connections and timeouts. Call it once, before the server listens. A host that creates its server with
 * `serverOptions` has all limits; two of them cannot be changed later, `connectionsCheckingInterval` and `maxHeaderSize`, whose
 * defaults in Node are 30 s and 16 KiB.
 */
export function limitServer(server: Server): void {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = serverOptions;
  Object.assign(server, { headersTimeout, requestTimeout, keepAliveTimeout });
  limitConnections(server, maxConnections);
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  server.timeout = socketTimeoutMs;
}

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
