// The BFF as a process: reads the environment, listens, and shuts down on a signal without losing requests or outcomes.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { BffApp, CloseResult } from './app.ts';
import { createBffLog, type LogEvent } from './bff-log.ts';
import type { Config } from './config/config.ts';
import { ConfigurationError, openBff } from './create-bff.ts';
import type { Log } from './logging/log.ts';
import {
  limitServer,
  serverOptions,
  withConnectionLimits,
} from './middleware/connection-limits.ts';
import { delay, startKeepAliveTimer, type StartTimer } from './runtime/timers.ts';

/** Reads the environment, and serves until a signal stops the process. Exits with code 1 if the BFF cannot start. */
export async function startServer(): Promise<void> {
  const log = createBffLog();
  // Node would print the error's message, which can contain what an applicant typed.
  process.on('uncaughtException', (error) => {
    log({ event: 'crashed', error });
    process.exit(1);
  });
  const { app, config } = await openBff({}, log).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return fail(error.problems);
    throw error;
  });
  const { environment, host, port } = config;
  // The sandbox has no load balancer to wait for.
  const drainMs = environment === 'sandbox' ? 0 : defaultDrainMs;
  const serving = await serve({ bff: app, host, port, drainMs }).catch((error) =>
    failToListen(error, config),
  );
  process.stdout.write(`BFF (${environment}) listens on ${toUrl(host, serving.port)}\n`);
  shutDownOnSignal(serving, log);
}

/** A second signal ends the process at once. The store recovers from that. */
function shutDownOnSignal(serving: Serving, log: Log<LogEvent>): void {
  let hasStarted = false;

  async function shutDown(signal: string): Promise<void> {
    if (hasStarted) process.exit(1);
    hasStarted = true;
    const startedAt = performance.now();
    log({ event: 'shutdown-started', signal });
    // Keeps the process alive until every outcome is recorded. The timers of the delivery worker do not.
    setInterval(() => undefined, 60_000);
    if ((await serving.stop()) === 'recorded') process.exit(0);
    log({ event: 'shutdown-incomplete', afterMs: Math.round(performance.now() - startedAt) });
    process.exit(1);
  }

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => void shutDown(signal));
  }
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Set another port, or stop the process that uses it.',
  EACCES: 'is not allowed for this user. Set a port above 1023.',
};

function toUrl(host: string | undefined, port: number): string {
  if (host === undefined) return `http://localhost:${port}`;
  return isIPv6(host) ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

function failToListen(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): never {
  const { syscall, code = 'unknown' } = error;
  if (syscall !== 'listen') throw error;
  if (host !== undefined && code === 'EADDRNOTAVAIL') {
    const fix = 'Set it to an address of this machine, or unset it.';
    return fail([`BFF_HOST (${host}) is not an address of this machine. ${fix}`]);
  }
  const problem = listenProblems[code] ?? `cannot be used (${code}). Set another port.`;
  // With the number, because it may be the default.
  return fail([`BFF_PORT (${port}) ${problem}`]);
}

function fail(problems: readonly string[]): never {
  process.stderr.write(`The BFF cannot start:\n${problems.map((text) => `  ${text}\n`).join('')}`);
  process.exit(1);
}

const idleCheckMs = 250;
/** Maximum connections that wait to be accepted: the default of `server.listen`. */
const backlog = 511;
/** How long the BFF keeps serving after `/readyz` answers 503, until load balancers notice. */
const defaultDrainMs = 10_000;
/** Active requests and calls are aborted this long after the drain. */
const closeMs = 25_000;

export interface ServeOptions {
  readonly bff: BffApp;
  /** Defaults to all addresses of the machine. */
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port: number;
  /** Defaults to 10,000. */
  readonly drainMs?: number;
  /** Epoch milliseconds. Defaults to `Date.now`. */
  readonly clock?: () => number;
  /** Defaults to timers that keep the process alive. */
  readonly startTimer?: StartTimer;
}

export interface Serving {
  readonly port: number;
  /** Call it once. Never throws, and takes at most `drainMs`, 25 s for active requests and calls, and 10 s to record outcomes. */
  stop(): Promise<CloseResult>;
}

/** Resolves when the server accepts requests and the workers run. Rejects if the port cannot be used or the store fails. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { bff, drainMs = defaultDrainMs } = options;
  const { clock = Date.now, startTimer = startKeepAliveTimer } = options;
  const listener = withConnectionLimits(getRequestListener(bff.app.fetch));
  const server = createServer(serverOptions, listener);
  limitServer(server);
  // Before the workers start: if the port is in use, this throws, and they must not claim rows.
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  await bff.start();

  return {
    // The address of a TCP server is always an object. Only the address of a pipe is a string.
    port: (server.address() as AddressInfo).port,

    async stop() {
      bff.drain();
      await delay(drainMs, startTimer);
      await readPendingInput(server);
      const closeAt = clock() + closeMs;
      // Stops new deliveries now. `close` waits for the active ones.
      void bff.delivery.stop();
      await closeServer(server, closeMs, startTimer);
      return bff.close(Math.max(0, closeAt - clock()));
    },
  };
}

/**
 * Accepts pending connections, and reads requests that have arrived on idle ones. `server.close` would reset both. They wait if the
 * event loop is late, and the timer of the drain runs before them. Each turn of the event loop accepts at most one connection.
 */
async function readPendingInput(server: Server): Promise<void> {
  let accepted = 0;
  let before: number;
  server.on('connection', () => {
    accepted += 1;
  });
  // The current turn may have polled for input already.
  await setImmediate();
  do {
    before = accepted;
    await setImmediate();
  } while (accepted > before && before < backlog);
}

/** Waits up to `ms` milliseconds for active requests, and closes connections as they become idle. */
function closeServer(server: Server, ms: number, startTimer: StartTimer): Promise<void> {
  return new Promise((resolve) => {
    const idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const cancel = startTimer(ms, () => server.closeAllConnections());
    server.close(() => {
      clearInterval(idleCheck);
      cancel();
      resolve();
    });
  });
}
