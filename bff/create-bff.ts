// Creates a BFF that a host server mounts: from the environment and from options, with handlers for Node and for Fetch.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { getRequestListener } from '@hono/node-server';
import type { Environment } from '../shared/api/configuration.ts';
import { type BffApp, type CloseResult, createBffApp, type DeliverResult } from './app.ts';
import { createBffLog, type LogEvent } from './bff-log.ts';
import { describeMissingApplyPage, processSource, readServingParts } from './config/config.ts';
import type { Config } from './config/config.ts';
import { isPostgresUrl } from './config/database-url.ts';
import type { Hooks } from './config/hooks.ts';
import { findNearName } from './config/near-name.ts';
import { archiveVersion } from './config/widget-archive.ts';
import { describeUntranslatedTexts, type SettingsFile } from './config/settings.ts';
import { createClamd } from './documents/clamd.ts';
import { createFundingService } from './funding-service/client.ts';
import { createUndiciTransport } from './funding-service/transport.ts';
import type { Log } from './logging/log.ts';
import { isOwnTarget } from './middleware/base-path.ts';
import { withConnectionLimits } from './middleware/connection-limits.ts';
import type { BffEnv } from './middleware/context.ts';
import { createPostgresLimits } from './middleware/rate-limits.ts';
import { startKeepAliveTimer, startUnrefTimer, withTimeout } from './runtime/timers.ts';
import { openServingStore } from './store/open-store.ts';

/** The BFF cannot start. `problems` has one sentence for each problem, with its fix. None contains a secret. */
export class ConfigurationError extends Error {
  /** For example `PUBLIC_URL is not set. Set it.` */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The BFF cannot start:', ...problems].join('\n  '));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/** Options of `createBff`. */
export interface BffOptions {
  /** The environment variables. Defaults to `process.env`. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The settings as an object, instead of the file of FUNDING_SETTINGS. */
  readonly settings?: SettingsFile;
  /** The hooks as an object, instead of the module of BFF_HOOKS. */
  readonly hooks?: Hooks;
  /** The path below which the BFF answers, such as `/funding`. Defaults to the path of PUBLIC_URL. */
  readonly basePath?: string;
  /** Receives each log event as one line of JSON. Defaults to standard output. */
  readonly log?: LogDestination;
  /**
   * True if requests arrive in functions that end, or freeze, after each response. It requires PostgreSQL. Do not call `start`:
   * a request sends its own application, and scheduled calls of `deliver` send the rest. Default: false.
   */
  readonly serverless?: boolean;
}

/** Receives the log. A stream of Node is one. */
export interface LogDestination {
  /** Called with one event as JSON, and a line break. */
  write(line: string): void;
}

/** The connection of a `Request`, as far as the host knows it. */
export interface RequestConnection {
  /**
   * The IP address of the other end of the TCP connection, or the address that the platform vouches for. Never the value of a header
   * that clients can send. If it is in TRUSTED_PROXIES, the BFF reads `X-Forwarded-For`.
   */
  readonly peerAddress?: string | undefined;
  /** The request of `node:http`, as in `c.env` of `@hono/node-server`. The BFF reads the address of its socket. */
  readonly incoming?: {
    /** The socket of the connection. */
    readonly socket: {
      /** An IP address. */
      readonly remoteAddress?: string | undefined;
    };
  };
  /** Keeps a function running until the promise settles. Used with `serverless` only. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** Options of `deliver`. */
export interface DeliverOptions {
  /** No delivery begins after this time. One in progress takes up to 150 seconds longer. */
  readonly maxMs: number;
}

/** Options of `stop`. */
export interface StopOptions {
  /** Calls to the funding service that take longer are aborted. Defaults to 25,000. */
  readonly deadlineMs?: number;
}

/** A BFF that a server mounts. */
export interface Bff {
  /** The value of FUNDING_ENVIRONMENT. */
  readonly environment: Environment;
  /** The address as browsers see it, with the base path: `https://www.example.com/funding`. */
  readonly publicUrl: string;
  /** The path of `publicUrl`, such as `/funding`. Empty if the BFF has the origin for itself. */
  readonly basePath: string;
  /**
   * Answers a `Request` of the Fetch API: for Hono, route handlers of Next, and functions. Never rejects. It compresses nothing, so let
   * the host or its proxy do that. A path without the base path is accepted too, because some routers remove it.
   */
  readonly fetch: (request: Request, connection?: RequestConnection | object) => Promise<Response>;
  /**
   * Answers a request of `node:http`: for Express, Fastify, and Node's own server. With `next`, requests for other paths go on to
   * the next handler. Mount it before body parsers.
   */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /** Starts the workers that deliver applications and erase old ones. Call it once, when the server listens. */
  start(): Promise<void>;
  /**
   * Answers active requests, stops the workers, records the outcomes of active deliveries, and closes the store. Later requests get
   * 503. Never rejects, and takes at most 10 s longer than the deadline.
   *
   * @returns `unrecorded` if the store did not take all outcomes in time. The next start recovers those deliveries.
   */
  stop(options?: StopOptions): Promise<CloseResult>;
  /**
   * One pass of delivery and retention, without the workers. For scheduled calls. A call during another one has the same result.
   * Rejects if the store fails.
   */
  deliver(options: DeliverOptions): Promise<DeliverResult>;
}

/** Throws a `ConfigurationError` with all problems. */
export async function createBff(options: BffOptions = {}): Promise<Bff> {
  const { app, config, log } = await openBff(options);
  return mount(app, config, log, options.serverless === true);
}

/** Of each instance to PostgreSQL. A platform starts many instances, and each answers few requests at the same time. */
const serverlessConnections = { store: 2, limits: 1 };

interface OpenedBff {
  readonly app: BffApp;
  readonly config: Config;
  readonly log: Log<LogEvent>;
}

/** Reads the configuration, opens the store, and composes the app. Throws a `ConfigurationError`. */
export async function openBff(
  options: BffOptions = {},
  log: Log<LogEvent> = createBffLog(options.log),
): Promise<OpenedBff> {
  const { variables = process.env, settings, hooks, basePath, serverless } = options;
  const parts = await readServingParts({
    ...processSource,
    variables,
    nodeOptions: process.execArgv,
    mount: { settings, hooks, basePath, serverless },
  });
  const problems = [...listUnknownOptions(options), ...('problems' in parts ? parts.problems : [])];
  if ('problems' in parts || problems.length > 0) throw new ConfigurationError(problems);
  const { config, widget } = parts;
  // Before the first request, so that other processes find every version that a page can have.
  const unarchived =
    widget?.archive && archiveVersion(widget.directory, widget.name, widget.archive.directory);
  const connections = serverless === true ? serverlessConnections : undefined;
  const opened = await openServingStore(config, log, connections?.store);
  if ('problems' in opened) throw new ConfigurationError(opened.problems);
  const warnings = [
    ...opened.warnings,
    describeUntranslatedTexts(config.settings),
    describeMissingApplyPage(parts),
    ...(widget?.warnings ?? []),
    unarchived,
  ];
  for (const warning of warnings) {
    if (warning !== undefined) process.stderr.write(`${warning}\n`);
  }
  const { clamdUrl, databaseUrl } = config;
  const { store } = opened;
  const limitStore = isPostgresUrl(databaseUrl)
    ? createPostgresLimits(databaseUrl, connections?.limits)
    : undefined;
  let close = async () => {
    await Promise.allSettled([store.close(), limitStore?.close()]);
  };
  try {
    const transport = createUndiciTransport();
    const clamd = clamdUrl === undefined ? undefined : createClamd(clamdUrl, startUnrefTimer);
    const app = createBffApp({
      config,
      store,
      fundingService: createFundingService({ config, transport, clock: Date.now, onEvent: log }),
      log,
      widget,
      ...parts.hooks,
      limitStore,
      scanDocument: clamd?.scan,
      isServerless: serverless === true,
      abortCalls() {
        transport.abort();
        clamd?.abort();
      },
    });
    close = async () => void (await app.close(0));
    // Before the first request, so that each of its changes is an event.
    await app.statusEvents.register();
    return { app, config, log };
  } catch (error) {
    // The host may try again in this process.
    await close();
    throw error;
  }
}

/** All of them, because a mapped type requires each name. */
const optionNames = Object.keys({
  variables: true,
  settings: true,
  hooks: true,
  basePath: true,
  log: true,
  serverless: true,
} satisfies Record<keyof BffOptions, true>);

/** JavaScript accepts any name. */
function listUnknownOptions(options: object): readonly string[] {
  return Object.keys(options)
    .filter((name) => !optionNames.includes(name))
    .map((name) => {
      const near = findNearName(name, optionNames);
      const fix = near === undefined ? `Use ${optionNames.join(', ')}.` : `Did you mean ${near}?`;
      return `${name} is not an option of createBff. ${fix}`;
    });
}

const defaultDeadlineMs = 25_000;
const stoppedRetryAfterSeconds = '5';

function mount(
  { app, delivery, start, drain, close, deliver }: BffApp,
  { environment, publicUrl, basePath }: Config,
  log: Log<LogEvent>,
  isServerless: boolean,
): Bff {
  const active = new Set<Promise<unknown>>();
  let phase: 'new' | 'started' | 'stopping' | 'closed' = 'new';
  let stopping: Promise<CloseResult> | undefined;

  async function answer(request: Request, bindings: BffEnv['Bindings']): Promise<Response> {
    return phase === 'closed' ? refuseStopped() : track(app.fetch(request, bindings));
  }

  async function track<Result>(work: Result | Promise<Result>): Promise<Result> {
    const tracked = Promise.resolve(work);
    active.add(tracked);
    try {
      return await tracked;
    } finally {
      active.delete(tracked);
    }
  }

  const listener = withConnectionLimits(
    // The global `Request` and `Response` belong to the host.
    getRequestListener((request, bindings) => answer(request, bindings as BffEnv['Bindings']), {
      overrideGlobalObjects: false,
    }),
  );

  async function allAnswered(): Promise<void> {
    while (active.size > 0) await Promise.allSettled(active);
  }

  async function stop(deadlineMs: number): Promise<CloseResult> {
    const startedAt = performance.now();
    const remainingMs = () => Math.max(0, deadlineMs - (performance.now() - startedAt));
    phase = 'stopping';
    drain();
    // Claims nothing more. `close` waits for the deliveries in progress.
    void delivery.stop();
    // The timers of the workers do not keep the process alive.
    const keepAlive = setInterval(() => undefined, 60_000);
    await withTimeout(remainingMs(), startKeepAliveTimer, allAnswered, undefined);
    phase = 'closed';
    const result = await close(remainingMs());
    clearInterval(keepAlive);
    if (result === 'unrecorded') {
      log({ event: 'shutdown-incomplete', afterMs: Math.round(performance.now() - startedAt) });
    }
    return result;
  }

  return {
    environment,
    publicUrl,
    basePath,

    async fetch(request, connection = {}) {
      const { peerAddress, incoming, waitUntil } = connection as RequestConnection;
      const address = peerAddress ?? incoming?.socket.remoteAddress;
      const response = await answer(withoutEncodings(request), {
        connection: { peerAddress: address },
      });
      if (isServerless) {
        const settled = delivery.settle();
        if (waitUntil) waitUntil(settled);
        else await settled;
      }
      // The host decides about its connections, and HTTP/2 has no such header.
      response.headers.delete('connection');
      return response;
    },

    handler(request, response, next) {
      const { originalUrl } = request as IncomingMessage & { readonly originalUrl?: string };
      if (next && !isOwnTarget(originalUrl ?? request.url ?? '', basePath)) {
        next();
        return;
      }
      // Until the response is sent: a host ends its process after `stop`.
      void track(finished(response).catch(() => undefined));
      listener(request, response);
    },

    async start() {
      if (isServerless) {
        throw new Error('A serverless BFF has no workers. Call deliver() on a schedule instead.');
      }
      if (phase !== 'new')
        throw new Error('The BFF was started or stopped before. Create another.');
      phase = 'started';
      await start();
    },

    stop({ deadlineMs = defaultDeadlineMs } = {}) {
      stopping ??= stop(deadlineMs);
      return stopping;
    },

    async deliver({ maxMs }) {
      if (phase !== 'new') throw new Error('deliver() is for a BFF without started workers.');
      return deliver(maxMs);
    },
  };
}

/**
 * `fetch` compresses nothing, because the host decides about encodings: Next removes `Content-Encoding` from the responses of route
 * handlers, and its browsers would read compressed bytes as text. Only responses to these methods are compressed.
 */
function withoutEncodings(request: Request): Request {
  const { method, url, signal } = request;
  if ((method !== 'GET' && method !== 'HEAD') || !request.headers.has('accept-encoding')) {
    return request;
  }
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  return new Request(url, { method, headers, signal });
}

/** Without a problem code: no page is open for long enough to read it. */
function refuseStopped(): Response {
  return new Response(null, {
    status: 503,
    headers: { connection: 'close', 'retry-after': stoppedRetryAfterSeconds },
  });
}
