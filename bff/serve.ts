// Listens with a BFF, and stops in the order that loses neither an answer nor what an applicant gave.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterKeepingAlive, passing, type After } from './after.ts';
import type { Bff } from './app.ts';
import type { Closed } from './closing.ts';
import { limitConnections, withConnectionLimits } from './connection-limits.ts';

const sweepMs = 250;

/**
 * A request's head has to come at once. Its body has no limit here, which would cut off honest uploads: see `routes/pace.ts`.
 * A kept connection outlasts the 60 s after which balancers usually close theirs, so that none sends into one that ends.
 */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 65_000,
} as const;
const maxConnections = 2_000;
const maxRequestsPerConnection = 1_000;
/**
 * A connection in which nothing moves in either direction is closed: a client that never reads its answer would hold it
 * for ever. Longer than any wait of ours.
 */
const silenceMs = 120_000;

export interface ServeOptions {
  readonly bff: Bff;
  /** 0 takes any that is free. */
  readonly port: number;
  /** How long it goes on serving once it has said that it is not ready: balancers need a while to see that. Default 10,000. */
  readonly drainMs?: number;
  /** How long requests and calls under way may take after that before they are cut off; default 25,000. */
  readonly closeMs?: number;
  /** Epoch milliseconds; default the machine's time. */
  readonly clock?: () => number;
  /** Default: timers that keep the process alive. */
  readonly after?: After;
}

export interface Serving {
  readonly port: number;
  /** To be called once; never throws, and takes at the longest `drainMs`, `closeMs` and 10 s for recording. */
  stop(): Promise<Closed>;
}

/** Resolves when requests are taken and the delivery runs; rejects when the port cannot be listened on or the journal fails. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const {
    bff,
    drainMs = 10_000,
    closeMs = 25_000,
    clock = Date.now,
    after = afterKeepingAlive,
  } = options;
  const server = createServer(
    serverOptions,
    withConnectionLimits(getRequestListener(bff.app.fetch)),
  );
  limitConnections(server, maxConnections);
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  server.timeout = silenceMs;
  // First: where the port is taken, nothing must have been claimed.
  await listen(server, options.port);
  await bff.start();

  return {
    // A TCP server's address is always an object; a pipe's would be text.
    port: (server.address() as AddressInfo).port,

    async stop() {
      bff.drain();
      await passing(drainMs, after);
      const endsAt = clock() + closeMs;
      // Not awaited: it ends with the calls under way, which `close` waits for.
      void bff.delivery.stop();
      await closeServer(server, closeMs, after);
      return bff.close({ deadlineMs: Math.max(0, endsAt - clock()) });
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Requests under way are answered first, for `ms` at the most; a connection that then waits for a next one is closed. */
function closeServer(server: Server, ms: number, after: After): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    const cancel = after(ms, () => server.closeAllConnections());
    server.close(() => {
      clearInterval(sweep);
      cancel();
      resolve();
    });
  });
}
