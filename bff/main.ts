// Runs the BFF as a process: reads the environment, serves, and stops when it is told to; or runs one of the operator's commands.

import { readFileSync } from 'node:fs';
import { afterOnTimer } from './after.ts';
import { createBff } from './app.ts';
import { createProcessIo } from './cli/process-io.ts';
import { runCommand } from './cli/run-command.ts';
import type { Config } from './config.ts';
import { connectFundingService } from './connect.ts';
import { listDataKeyProblems } from './data-key-problem.ts';
import { createClamd } from './documents/clamd.ts';
import { createUndiciTransport } from './funding-service/transport.ts';
import { createPostgresLimits } from './gate/limit-store.ts';
import { toJournalProblem } from './journal-problem.ts';
import { examineDataKeys } from './journal/data-keys.ts';
import { JournalError, type OpenOptions } from './journal/database.ts';
import type { Journal } from './journal/journal.ts';
import { isPostgresUrl, openJournal, toStorePlace } from './journal/open-journal.ts';
import { createLog, type Log } from './log.ts';
import { serve, type Serving } from './serve.ts';
import { importFromDisk, readServingParts, type ServingParts } from './serving-parts.ts';
import { keepDebuggerShut } from './unsafe-runtime.ts';
import { describeUntranslatedTexts } from './untranslated-texts.ts';
import { findBuiltWidget } from './widget-folder.ts';

keepDebuggerShut(process);
const argv = process.argv.slice(2);
if (argv.length > 0) endWith(await runCommand(argv, createProcessIo()));
else await start();

/** Once all is written. A database that refused us may keep its connection open, and with it the process. */
function endWith(exitCode: number): void {
  process.exitCode = exitCode;
  // A turn later: that it could not be written is told after this.
  process.stdout.write('', () => setImmediate(() => process.exit()));
}

async function start(): Promise<void> {
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
  const log = createLog();
  // Node would print the error's message, which may hold what somebody typed.
  process.on('uncaughtException', (error) => {
    log({ event: 'crashed', error });
    process.exit(1);
  });
  const transport = createUndiciTransport();
  const clamd =
    config.clamdUrl === undefined
      ? undefined
      : createClamd({ url: config.clamdUrl, after: afterOnTimer });
  const journal = await openJournalOrFail(config, log);
  const bff = createBff({
    config,
    journal,
    fundingService: connectFundingService({
      config,
      transport,
      journal,
      clock: Date.now,
      onEvent: log,
    }),
    log,
    widget,
    ...hooks,
    ...(isPostgresUrl(config.journalUrl)
      ? { limitStore: createPostgresLimits(config.journalUrl) }
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

/** A second signal ends at once, which the journal makes safe. */
function stopOnSignals(serving: Serving, log: Log): void {
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

async function openJournalOrFail(config: Config, log: Log): Promise<Journal> {
  try {
    const journal = await openExpectedStore(config, log);
    const problems = listDataKeyProblems(await examineDataKeys(journal, config));
    if (!problems.some(({ opensNone }) => opensNone)) {
      for (const { message } of problems) process.stderr.write(`${message}\n`);
      await logStore(journal, config, log);
      return journal;
    }
    await journal.close();
    return fail(problems.map(({ message }) => message));
  } catch (error) {
    // Whatever it is, it lies with the file or the database, and is the operator's to mend.
    return fail([toJournalProblem(error, config.journalUrl)]);
  }
}

/** In production an operator decides what to do about a missing store or a missing log: applications may be lost with either. */
async function openExpectedStore(config: Config, log: Log): Promise<Journal> {
  const { environment, journalUrl, storeId, mayCreateStore } = config;
  const options: OpenOptions = { isOwner: true, mayCreate: mayCreateStore, storeId };
  try {
    return await openJournal(journalUrl, options);
  } catch (error) {
    const isLogMissing = error instanceof JournalError && error.code === 'JOURNAL_LOG_MISSING';
    if (!isLogMissing || environment === 'production') throw error;
    log({ event: 'store-log-missing', place: toStorePlace(journalUrl) });
    return openJournal(journalUrl, { ...options, acceptsMissingLog: true });
  }
}

async function logStore(journal: Journal, { journalUrl }: Config, log: Log): Promise<void> {
  const { id, createdAt, applicationsReceived } = await journal.readIdentity();
  log({
    event: journal.isNew ? 'store-created' : 'store-opened',
    place: toStorePlace(journalUrl),
    storeId: id.slice(0, 8),
    createdAt: new Date(createdAt).toISOString(),
    applicationsReceived,
  });
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
