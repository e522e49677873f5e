// Runs one of the operator's commands: reads the command line, opens what it needs, prints its answer.

import { readConfig, type Config } from '../config.ts';
import { toJournalProblem } from '../journal-problem.ts';
import { toEngineCode } from '../journal/engine-code.ts';
import type { Journal } from '../journal/journal.ts';
import { isUnreadable } from '../journal/rows.ts';
import { readServingParts } from '../serving-parts.ts';
import { check } from './check.ts';
import { checkOptions, readCommandLine, toCommandHelp, toHelp, toUsage } from './command-line.ts';
import {
  UsageError,
  type Command,
  type CommandContext,
  type CommandFailure,
  type CommandResult,
  type JournalCommand,
  type Run,
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
    const result = command.isOutside
      ? await command.prepare(line.call)(io)
      : await runWithJournal(command, command.prepare(line.call), io);
    return printResult(result, line.wantsJson, io);
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

async function runWithJournal(
  { needsJournal = true, needsParts = false }: JournalCommand,
  run: Run,
  io: CommandIo,
): Promise<CommandResult> {
  const whole = needsParts ? await readServingParts(io) : undefined;
  const read = whole ?? readConfig(io);
  if ('problems' in read) {
    const lines = read.problems.map((problem) => `\n  ${problem}`).join('');
    return { error: 'configuration', message: `The configuration cannot be used:${lines}` };
  }
  const { config } = read;
  const parts = whole && 'hooks' in whole ? whole : undefined;
  let journal: Journal | undefined;
  try {
    journal = await io.openJournal(config.journalUrl, !needsJournal);
  } catch (error) {
    return { error: 'journal', message: toJournalProblem(error, config.journalUrl) };
  }
  if (!journal) return noJournal;
  try {
    return await run({ ...toContext(config, journal, io), parts });
  } finally {
    await journal.close();
  }
}

const noJournal: CommandFailure = {
  error: 'journal',
  message:
    "JOURNAL_URL names a file that is not there. Use the BFF's own environment and folder; check makes a new one.",
};

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
