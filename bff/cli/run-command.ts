// Runs one of the operator's commands: parses the command line, runs the command, and prints its result.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importFromDisk } from '../config/config.ts';
import { findBuiltWidget } from '../config/widget-folder.ts';
import { createUndiciTransport } from '../funding-service/transport.ts';
import { toEngineCode } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { isUnreadable } from '../store/rows.ts';
import { check } from './check.ts';
import {
  type Call,
  type Command,
  type CommandFailure,
  type CommandIo,
  type CommandResult,
  UsageError,
} from './command.ts';
import { doctor } from './doctor.ts';
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
 * @param argv the command line without the program.
 * @returns the exit code: 0 success, 1 failure or a fault that `doctor` found, 2 invalid command line, 3 `status` has alarms.
 */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const wantsJson = argv.includes('--json');
  const at = argv.findIndex((argument) => !argument.startsWith('-'));
  const name = argv[at];
  const command = commands.find((each) => each.name === name);
  if (!command) {
    if (name === undefined && (argv.includes('--help') || argv.includes('-h'))) {
      io.print(toHelp());
      return 0;
    }
    const message = name === undefined ? 'A command is missing.' : `There is no command "${name}".`;
    return printUsageError(message, toHelp(), wantsJson, io);
  }
  try {
    const call = parseCall(argv.toSpliced(at, 1), command);
    if (call.options['help'] === true) {
      io.print(`${toUsage(command)}\n\n${command.help}\n`);
      return 0;
    }
    return printResult(await command.prepare(call)(io), wantsJson, io);
  } catch (error) {
    return error instanceof UsageError
      ? printUsageError(error.message, `${toUsage(command)}\n`, wantsJson, io)
      : printResult(toFailure(error), wantsJson, io);
  }
}

function parseCall(args: string[], { options = {} }: Command): Call {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
        ...options,
      },
      allowPositionals: true,
    });
    return { positionals, options: values };
  } catch (error) {
    // Node's messages name the option. The sentences after the first are about how to escape a dash.
    if (error instanceof TypeError && toEngineCode(error).startsWith('ERR_PARSE_ARGS_')) {
      throw new UsageError(`${error.message.split(/\. |\n/, 1)[0]?.replace(/\.$/, '')}.`);
    }
    throw error;
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

/** Prints the error's code only: its message can contain a password or personal data. */
function toFailure(error: unknown): CommandFailure {
  if (isUnreadable(error)) {
    const message =
      'A row in the store is unreadable. Restore the store from a backup, or erase the application.';
    return { error: 'unreadable', message };
  }
  const code = toEngineCode(error);
  const fix = ['STORE_FULL', 'SQLITE_FULL'].includes(code)
    ? 'The disk of the store is almost full. Free some space.'
    : 'Check the store and its disk, then run the command again.';
  return { error: 'failed', message: `The command failed (${code}). ${fix}` };
}

function toUsage({ name, parameters }: Command): string {
  return `Usage: bff ${[name, parameters, '[--json]'].filter((part) => part !== '').join(' ')}`;
}

function toHelp(): string {
  const list = toTable(commands.map(({ name, summary }) => [name, summary]));
  return `Usage: bff <command> [--json]

${toSection('Commands', [list])}

"bff" stands for "node main.js" in a release and for "npm run --silent bff --"
in a clone. Without a command, it starts the server. A command reads the same
environment as the server, and can run while the server runs.

--help  show the usage of a command
--json  print one JSON object instead of text

Exit codes: 0 success, 1 failure or a fault that doctor found, 2 invalid command
line, 3 status has alarms.
`;
}

/** Call this once: it installs error handlers on the process's output streams. */
export function createProcessIo(): CommandIo {
  process.stdout.on('error', handleOutputError);
  // No stream is left to report this error on.
  process.stderr.on('error', () => undefined);
  return {
    variables: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    builtWidget: findBuiltWidget(),
    importModule: importFromDisk,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    clock: Date.now,
    openStore,
    createTransport: createUndiciTransport,
    fetch,
  };
}

function handleOutputError({ code = 'unknown' }: NodeJS.ErrnoException): void {
  // A reader such as `head` has closed the pipe.
  if (code === 'EPIPE') return;
  process.stderr.write(
    `The output could not be written (${code}). The command may have succeeded.\n`,
  );
  // The store is closed: results are printed last.
  process.exit(1);
}
