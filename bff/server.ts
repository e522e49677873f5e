// Listens with a BFF, and stops in the order that loses neither an answer nor what an applicant gave.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Bff, type BffEvent, type Closed, createBff } from './app.ts';
import { type StartTimer, startKeepAliveTimer, startUnrefTimer, delay } from './runtime/timers.ts';

import { readFileSync } from 'node:fs';
import { importFromDisk, readServingParts, type ServingParts } from './config/config.ts';
import { createFundingService } from './funding-service/client.ts';
import { createClamd } from './documents/clamd.ts';
import { createUndiciTransport } from './funding-service/transport.ts';
import { createPostgresLimits } from './middleware/rate-limits.ts';
import { isPostgresUrl, openServingStore, type StoreEvent } from './store/open-store.ts';
import type { DestinationStream } from 'pino';
import { createLog, type Level, type Log } from './logging/log.ts';
import { describeUntranslatedTexts } from './config/settings.ts';
import { findBuiltWidget } from './config/widget-folder.ts';

/** Events of the process and its start. */
type ProcessEvent =
  | { readonly event: 'stopping'; readonly signal: string }
  | { readonly event: 'stop-forced'; readonly afterMs: number }
  | { readonly event: 'crashed'; readonly error: unknown };

/** Every event that the BFF logs. `reference` is the application's ID. */
export type LogEvent = BffEvent | ProcessEvent | StoreEvent;

const logLevels: Readonly<Record<LogEvent['event'], Level>> = {
  stopping: 'info',
  'stop-forced': 'error',
  crashed: 'error',
  'store-opened': 'info',
  'store-created': 'warn',
  'store-log-missing': 'error',
  request: 'info',
  'gate-refused': 'warn',
  'session-refused': 'info',
  'rate-limited': 'warn',
  'client-address-doubtful': 'warn',
  'document-refused': 'warn',
  'inspection-failed': 'warn',
  'inspection-unavailable': 'error',
  'challenge-refused': 'info',
  'challenge-failed': 'error',
  'enrichment-failed': 'error',
  'request-broken': 'error',
  'reference-mismatch': 'error',
  'tracking-url-refused': 'warn',
  'delivery-recorded': 'info',
  'delivery-rejected': 'warn',
  'delivery-refused': 'error',
  'delivery-held': 'error',
  'document-infected': 'warn',
  'document-unscanned': 'error',
  'possible-duplicate': 'warn',
  'row-unreadable': 'error',
  'lead-unconfirmed': 'error',
  'delivery-broken': 'error',
  'delivery-stalled': 'error',
  purged: 'info',
  'undelivered-erased': 'error',
  'retention-failed': 'error',
  'token-renewed': 'info',
  'token-unchanged': 'info',
  'login-refused': 'error',
  'login-answer-unreadable': 'error',
  'login-throttled': 'warn',
  'login-unreachable': 'warn',
  'login-paused': 'warn',
  'renewed-token-refused': 'error',
  'instance-url-ignored': 'error',
  'partner-headers-refused': 'error',
  'breaker-opened': 'error',
  'breaker-closed': 'info',
  'call-ended': 'info',
};

/** @param destination defaults to standard output. */
export function createBffLog(destination?: DestinationStream): Log<LogEvent> {
  return createLog(logLevels, destination);
}

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
  readonly startTimer?: StartTimer;
}

export interface Serving {
  readonly port: number;
  /** To be called once; never throws, and takes at the longest `drainMs`, `closeMs` and 10 s for recording. */
  stop(): Promise<Closed>;
}

/** Resolves when requests are taken and the delivery runs; rejects when the port cannot be listened on or the store fails. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const {
    bff,
    drainMs = 10_000,
    closeMs = 25_000,
    clock = Date.now,
    startTimer = startKeepAliveTimer,
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
      await delay(drainMs, startTimer);
      const endsAt = clock() + closeMs;
      // Not awaited: it ends with the calls under way, which `close` waits for.
      void bff.delivery.stop();
      await closeServer(server, closeMs, startTimer);
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
function closeServer(server: Server, ms: number, startTimer: StartTimer): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    const cancel = startTimer(ms, () => server.closeAllConnections());
    server.close(() => {
      clearInterval(sweep);
      cancel();
      resolve();
    });
  });
}

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

/** Reads the environment and serves until a signal stops the process. Exits with 1 when the BFF cannot start. */
export async function startServer(): Promise<void> {
  const parts = await readServingParts({
    variables: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    nodeOptions: process.execArgv,
    builtWidget: findBuiltWidget(),
    importModule: importFromDisk,
  });
  if ('problems' in parts) fail(parts.problems);
  else await run(parts);
}

async function run({ config, widget, hooks }: ServingParts): Promise<void> {
  const log = createBffLog();
  // Node would print the error's message, which may hold what somebody typed.
  process.on('uncaughtException', (error) => {
    log({ event: 'crashed', error });
    process.exit(1);
  });
  const transport = createUndiciTransport();
  const clamd =
    config.clamdUrl === undefined
      ? undefined
      : createClamd({ url: config.clamdUrl, startTimer: startUnrefTimer });
  const opened = await openServingStore(config, log);
  if ('problems' in opened) return fail(opened.problems);
  const { store } = opened;
  for (const warning of opened.warnings) process.stderr.write(`${warning}\n`);
  const bff = createBff({
    config,
    store,
    fundingService: createFundingService({
      config,
      transport,
      clock: Date.now,
      onEvent: log,
    }),
    log,
    widget,
    ...hooks,
    ...(isPostgresUrl(config.databaseUrl)
      ? { limitStore: createPostgresLimits(config.databaseUrl) }
      : {}),
    ...(clamd ? { scanDocument: clamd.scan } : {}),
    abortCalls() {
      transport.abort();
      clamd?.abort();
    },
  });
  // No balancer stands before the sandbox, and whoever presses Ctrl+C waits.
  const drainMs = config.environment === 'sandbox' ? { drainMs: 0 } : {};
  const serving = await serve({ bff, port: config.port, ...drainMs }).catch(failToListen);
  const untranslated = describeUntranslatedTexts(config.settings);
  if (untranslated !== undefined) process.stderr.write(`${untranslated}\n`);
  for (const warning of widget?.warnings ?? []) process.stderr.write(`${warning}\n`);
  process.stdout.write(`BFF (${config.environment}) listens on http://localhost:${serving.port}\n`);
  stopOnSignals(serving, log);
}

/** A second signal ends at once, which the store makes safe. */
function stopOnSignals(serving: Serving, log: Log<LogEvent>): void {
  let isStopping = false;

  async function stop(signal: string): Promise<void> {
    if (isStopping) process.exit(1);
    isStopping = true;
    const startedAt = performance.now();
    log({ event: 'stopping', signal });
    // Keeps the process alive: the delivery's own timers do not, and what it still has to record would be lost.
    setInterval(() => undefined, 60_000);
    if ((await serving.stop()) === 'recorded') process.exit(0);
    log({ event: 'stop-forced', afterMs: Math.round(performance.now() - startedAt) });
    process.exit(1);
  }

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => void stop(signal));
  }
}

function failToListen(error: NodeJS.ErrnoException): never {
  if (error.syscall !== 'listen') throw error;
  return fail([toListenProblem(error)]);
}

function toListenProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'BFF_PORT is taken. Set another, or end what uses it.';
  if (error.code === 'EACCES') return 'BFF_PORT may not be used by this user. Set one above 1023.';
  return `BFF_PORT cannot be listened on (${error.code ?? 'unknown'}). Set another.`;
}

function fail(problems: readonly string[]): never {
  process.stderr.write(`The BFF cannot start:\n${problems.map((text) => `  ${text}\n`).join('')}`);
  process.exit(1);
}
