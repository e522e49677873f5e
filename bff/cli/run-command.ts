// Runs one of the operator's commands: reads the command line, opens what it needs, prints its answer.

import { readConfig, type Config, type ConfigResult } from '../config.ts';
import { toJournalProblem } from '../journal-problem.ts';
import type { OpenOptions } from '../journal/database.ts';
import { toEngineCode } from '../journal/engine-code.ts';
import type { Journal } from '../journal/journal.ts';
import { isUnreadable } from '../journal/rows.ts';
import { readServingParts } from '../serving-parts.ts';
import { check } from './check.ts';
import { checkOptions, readCommandLine, toCommandHelp, toHelp, toUsage } from './command-line.ts';
import {
  UsageError,
  type Call,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
  type Run,
  type Setup,
} from './command.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { keys } from './keys.ts';
import type { CommandIo } from './process-io.ts';
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
    case 'journal':
      return runOnJournal(command.prepare(call), io);
  }
}

async function runOnSetup(
  work: (setup: Setup) => Promise<CommandResult>,
  io: CommandIo,
): Promise<CommandResult> {
  const parts = await readServingParts(io);
  if ('problems' in parts) return toConfigurationFailure(parts);
  return work({ parts, openStore: (options) => openStore(parts.config, options, io) });
}

async function runOnJournal(work: Run, io: CommandIo): Promise<CommandResult> {
  const read = readConfig(io);
  if ('problems' in read) return toConfigurationFailure(read);
  const opened = await openStore(read.config, { mayCreate: false, mayUpdate: false }, io);
  if ('failure' in opened) return opened.failure;
  try {
    return await work(toContext(read.config, opened.journal, io));
  } finally {
    await opened.journal.close();
  }
}

function toConfigurationFailure({
  problems,
}: Extract<ConfigResult, { problems: unknown }>): CommandFailure {
  const lines = problems.map((problem) => `\n  ${problem}`).join('');
  return { error: 'configuration', message: `The configuration cannot be used:${lines}` };
}

async function openStore(
  { journalUrl, storeId }: Config,
  options: OpenOptions,
  io: CommandIo,
): ReturnType<Setup['openStore']> {
  try {
    return { journal: await io.openJournal(journalUrl, { ...options, storeId }) };
  } catch (error) {
    const message = toJournalProblem(error, journalUrl);
    return { code: toEngineCode(error), failure: { error: 'journal', message } };
  }
}

function toContext(config: Config, journal: Journal, io: CommandIo): CommandContext {
  return {
    config,
    journal,
    clock: io.clock,
    after: io.after,
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
      'A row of it cannot be read. Take the journal from a backup, or erase the application.';
    return { error: 'unreadable', message };
  }
  const isFull = ['JOURNAL_FULL', 'SQLITE_FULL'].includes(toEngineCode(error));
  const mend = isFull
    ? 'The disk of the journal is nearly full: make room.'
    : 'Check the journal and its disk, and run it again.';
  return { error: 'broken', message: `It broke off (${toEngineCode(error)}). ${mend}` };
}
