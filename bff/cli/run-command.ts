// Runs one of the operator's commands: reads the command line, opens what it needs, prints its answer.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Config,
  type ConfigResult,
  importFromDisk,
  readConfig,
  readServingParts,
  type ServingSource,
} from '../config/config.ts';
import { findBuiltWidget } from '../config/widget-folder.ts';
import { createUndiciTransport, type UndiciTransport } from '../funding-service/transport.ts';
import { type StartTimer, startKeepAliveTimer } from '../runtime/timers.ts';
import { type OpenOptions, toEngineCode } from '../store/database.ts';
import { openStore, describeStoreError } from '../store/open-store.ts';
import { isUnreadable } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { check } from './check.ts';
import {
  type Call,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
  type Run,
  type Setup,
  UsageError,
} from './command.ts';
import { doctor } from './doctor.ts';
import { createVisit, type Visit } from './doctor/visit.ts';
import { erase } from './erase.ts';
import { toSection, toTable } from './format.ts';
import { keys } from './keys.ts';
import { resolve } from './resolve.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';
import { status } from './status.ts';

const commands: readonly Command[] = [check, doctor, status, show, retry, resolve, keys, erase];

/**
 * Never throws.
 *
 * @param argv what follows the program's name.
 * @returns the exit code: 0 done, 1 not done or something wrong, 2 the command line has to be mended, 3 `status` has alarms.
 */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine(argv, commands);
  const command = commands.find(({ name }) => name === line.name);
  if (line.wantsHelp && (command || line.name === undefined)) {
    io.print(command ? toCommandHelp(command) : toHelp(commands));
    return 0;
  }
  if (!command) {
    const problem =
      line.name === undefined ? 'A command is missing.' : `There is no command "${line.name}".`;
    return printUsageError(problem, toHelp(commands), line.wantsJson, io);
  }
  try {
    checkOptions(command, line);
    return printResult(await run(command, line.call, io), line.wantsJson, io);
  } catch (error) {
    if (error instanceof UsageError) {
      return printUsageError(error.message, `${toUsage(command)}\n`, line.wantsJson, io);
    }
    return printResult(toFailure(error), line.wantsJson, io);
  }
}

function printUsageError(message: string, usage: string, wantsJson: boolean, io: CommandIo): 2 {
  io.printError(`${message}\n\n${usage}`);
  if (wantsJson) io.print(`${JSON.stringify({ error: 'usage', message })}\n`);
  return 2;
}

function printResult(result: CommandResult, wantsJson: boolean, io: CommandIo): number {
  if ('error' in result) {
    const { error, message } = result;
    io.printError(`${message}\n`);
    if (wantsJson) io.print(`${JSON.stringify({ error, message })}\n`);
    return result.exitCode ?? 1;
  }
  io.print(wantsJson ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
  return result.exitCode ?? 0;
}

function run(command: Command, call: Call, io: CommandIo): Promise<CommandResult> {
  switch (command.kind) {
    case 'outside':
      return command.prepare(call)(io);
    case 'setup':
      return runOnSetup(command.prepare(call), io);
    case 'store':
      return runOnStore(command.prepare(call), io);
  }
}

async function runOnSetup(
  work: (setup: Setup) => Promise<CommandResult>,
  io: CommandIo,
): Promise<CommandResult> {
  const parts = await readServingParts(io);
  if ('problems' in parts) return toConfigurationFailure(parts);
  return work({ parts, openStore: (options) => openConfiguredStore(parts.config, options, io) });
}

async function runOnStore(work: Run, io: CommandIo): Promise<CommandResult> {
  const read = readConfig(io);
  if ('problems' in read) return toConfigurationFailure(read);
  const opened = await openConfiguredStore(
    read.config,
    { mayCreate: false, mayMigrate: false },
    io,
  );
  if ('failure' in opened) return opened.failure;
  try {
    return await work(toContext(read.config, opened.store, io));
  } finally {
    await opened.store.close();
  }
}

function toConfigurationFailure({
  problems,
}: Extract<ConfigResult, { problems: unknown }>): CommandFailure {
  const lines = problems.map((problem) => `\n  ${problem}`).join('');
  return { error: 'configuration', message: `The configuration cannot be used:${lines}` };
}

async function openConfiguredStore(
  { databaseUrl, storeId }: Config,
  options: OpenOptions,
  io: CommandIo,
): ReturnType<Setup['openStore']> {
  try {
    return { store: await io.openStore(databaseUrl, { ...options, storeId }) };
  } catch (error) {
    const message = describeStoreError(error, databaseUrl);
    return { code: toEngineCode(error), failure: { error: 'store', message } };
  }
}

function toContext(config: Config, store: Store, io: CommandIo): CommandContext {
  return {
    config,
    store,
    clock: io.clock,
    startTimer: io.startTimer,
    async withTransport(use) {
      const transport = io.createTransport();
      try {
        return await use(transport);
      } finally {
        await transport.close();
      }
    },
  };
}

/** An error's message may hold what somebody typed, or a password; its code does not. */
function toFailure(error: unknown): CommandFailure {
  if (isUnreadable(error)) {
    const message =
      'A row of it cannot be read. Take the store from a backup, or erase the application.';
    return { error: 'unreadable', message };
  }
  const isFull = ['STORE_FULL', 'SQLITE_FULL'].includes(toEngineCode(error));
  const mend = isFull
    ? 'The disk of the store is nearly full: make room.'
    : 'Check the store and its disk, and run it again.';
  return { error: 'broken', message: `It broke off (${toEngineCode(error)}). ${mend}` };
}

export interface CommandLine {
  /** The command's name; `undefined` when none was given. */
  readonly name: string | undefined;
  readonly call: Call;
  readonly wantsHelp: boolean;
  readonly wantsJson: boolean;
}

/** Refuses nothing: which options there are depends on the command. */
export function readCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
): CommandLine {
  const valueOptions = commands.flatMap((command) => command.valueOptions ?? []);
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      ...Object.fromEntries(valueOptions.map((option) => [option, { type: 'string' }] as const)),
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'option');
  const options = new Set(given.map(({ name }) => name));
  const [name, ...positionals] = tokens
    .filter((token) => token.kind === 'positional')
    .map(({ value }) => value);
  return {
    name,
    call: {
      positionals,
      options: new Set([...options].filter((option) => !common.has(option))),
      values: new Map(
        given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
      ),
    },
    wantsHelp: options.has('help'),
    wantsJson: options.has('json'),
  };
}

/** Options of every command. */
const common: ReadonlySet<string> = new Set(['help', 'json']);

/** Throws a `UsageError` when an option was given that the command does not have, or one without its value, or with one too many. */
export function checkOptions(command: Command, { call }: CommandLine): void {
  const valueOptions = command.valueOptions ?? [];
  for (const option of call.options) {
    if (![...(command.options ?? []), ...valueOptions].includes(option)) {
      throw new UsageError(`${command.name} has no option ${toDashed(option)}.`);
    }
  }
  for (const option of call.values.keys()) {
    if (!valueOptions.includes(option)) throw new UsageError(`${toDashed(option)} takes no value.`);
  }
  for (const option of valueOptions) {
    const value = call.values.get(option) ?? '';
    if (call.options.has(option) && (value === '' || value.startsWith('-'))) {
      throw new UsageError(`${toDashed(option)} needs a value.`);
    }
  }
}

function toDashed(option: string): string {
  return option.length === 1 ? `-${option}` : `--${option}`;
}

export function toUsage({ name, parameters }: Command): string {
  return `Usage: bff ${[name, parameters, '[--json]'].filter((part) => part !== '').join(' ')}`;
}

export function toCommandHelp(command: Command): string {
  return `${toUsage(command)}\n\n${command.help}\n`;
}

export function toHelp(commands: readonly Command[]): string {
  const list = toTable(commands.map(({ name, summary }) => [name, summary]));
  return `Usage: bff <command> [--json]

${toSection('Commands', list)}

bff is "node main.js" in a release and "npm run --silent bff --" in a clone.
Without a command it serves; with one, it may run beside a BFF that serves, and
reads the same environment.

--help  how a command is called
--json  one JSON object instead of text

Exit codes: 0 done, 1 not done or doctor found something wrong, 2 wrong command
line, 3 status has alarms.
`;
}

export interface CommandIo extends ServingSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Keeps the process alive, since in a command nothing else may. */
  readonly startTimer: StartTimer;
  readonly openStore: typeof openStore;
  readonly createTransport: () => UndiciTransport;
  /** Asks a web server as a browser would. */
  readonly visit: Visit;
}

/** Called once: from then on output that cannot be written is no crash. */
export function createProcessIo(): CommandIo {
  process.stdout.on('error', handleLostAnswer);
  // There is nowhere left to say so.
  process.stderr.on('error', () => undefined);
  return {
    variables: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    builtWidget: findBuiltWidget(),
    importModule: importFromDisk,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    clock: Date.now,
    startTimer: startKeepAliveTimer,
    openStore,
    createTransport: createUndiciTransport,
    visit: createVisit(),
  };
}

/** A reader such as `head` has read enough; whatever else it is, nobody has the answer. */
function handleLostAnswer({ code = 'unknown' }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(
    `The answer could not be written (${code}); what was asked for may be done all the same.\n`,
  );
  // The store is closed before anything is answered.
  process.exit(1);
}
