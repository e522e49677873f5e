// Runs the BFF as a process: reads the environment, listens, delivers, and stops in order.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import project from '../package.json' with { type: 'json' };
import { createBff, type Bff } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { connectFundingService } from './connect.ts';
import { createUndiciTransport } from './funding-service/transport.ts';
import type { Journal } from './journal/journal.ts';
import { NewerJournalError } from './journal/sqlite-database.ts';
import { openSqliteJournal } from './journal/sqlite.ts';
import { createLog, type Log } from './log.ts';

/** Balancers need this long to see that we are no longer ready; not waited for in the sandbox. */
const drainMs = 10_000;
/** Calls under way get this long to end; what is cut off then is found as unknown at the next start. */
const closeMs = 25_000;
const sweepMs = 250;

/** A request's head has to come at once. Its body has no limit here, which would cut off honest uploads: see `routes/pace.ts`. */
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 65_000,
} as const;

const result = readConfig({
  variables: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
});
if ('config' in result) run(result.config);
else fail(result.problems);

function run(config: Config): void {
  const log = createLog();
  // Node would print the error's message, which may hold what somebody typed.
  process.on('uncaughtException', (error) => {
    log({ event: 'crashed', error });
    process.exit(1);
  });
  const transport = createUndiciTransport();
  const bff = createBff({
    config,
    journal: openJournal(config),
    fundingService: connectFundingService({ config, transport, clock: Date.now, onEvent: log }),
    log,
    widget: { directory: findWidget(), version: project.version },
  });
  // With createServer given, the answer is always a plain HTTP server.
  const server = createAdaptorServer({
    fetch: bff.app.fetch,
    createServer,
    serverOptions: serverLimits,
  }) as Server;
  server.maxConnections = 2_000;
  server.once('error', (error: NodeJS.ErrnoException) => fail([toListenProblem(error)]));
  server.listen(config.port, () => {
    // A TCP server's address is always an object; a pipe's would be text.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`BFF (${config.environment}) listens on http://localhost:${port}\n`);
    void bff.delivery.start();
  });
  stopOnSignals(server, bff, log, config);
}

/** Not ready and no new claims, then no connections, then the journal; a second signal ends at once, which the journal makes safe. */
function stopOnSignals(server: Server, bff: Bff, log: Log, { environment }: Config): void {
  let isStopping = false;

  async function stop(signal: string): Promise<void> {
    if (isStopping) process.exit(1);
    isStopping = true;
    log({ event: 'stopping', signal });
    bff.drain();
    const delivered = bff.delivery.stop();
    if (environment !== 'sandbox') await sleep(drainMs);
    // Keeps the process alive: the delivery's own timers do not, and what it still has to record would be lost.
    setTimeout(() => {
      log({ event: 'stop-forced', afterMs: closeMs });
      process.exit(1);
    }, closeMs);
    await Promise.all([close(server), delivered]);
    await bff.close();
    process.exit(0);
  }

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => void stop(signal));
  }
}

/** Whatever is wrong with the file is for the operator to mend, so it gets a sentence and not a stack trace. */
function openJournal({ journalUrl }: Config): Journal {
  try {
    return openSqliteJournal(journalUrl);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const mend =
      error instanceof NewerJournalError
        ? 'A later version has written it: run that one.'
        : 'Check its path, its permissions and the disk.';
    return fail([`JOURNAL_URL cannot be opened (${code}). ${mend}`]);
  }
}

/** Beside the bundle in a release; the build's output in a clone. */
function findWidget(): string {
  const place = import.meta.url.endsWith('.ts') ? '../dist/widget' : '../widget';
  return fileURLToPath(new URL(place, import.meta.url));
}

/** Requests under way are answered first; a connection that then waits for a next one is closed. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
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
