// Runs one of the operator's commands: parses the command line, runs the command, and prints its result.

import { parseArgs } from 'node:util';
import { processSource } from '../config/config.ts';
import { createUndiciTransport } from '../funding-service/transport.ts';
import { toEngineCode } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { isUnreadable } from '../store/rows.ts';
import { check } from './check.ts';
import { type Call, type Command, CommandError, type CommandIo, UsageError } from './command.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { toSection, toTable } from './format.ts';
import { keys } from './keys.ts';
import { resolve } from './resolve.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';
import { status } from './status.ts';
import { webhooks } from './webhooks.ts';

const commands: readonly Command[] = [
  check,
  doctor,
  status,
  show,
  retry,
  resolve,
  webhooks,
  keys,
  erase,
];

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
  const usage = command ? `${toUsage(command)}\n` : toHelp();
  try {
    if (!command) {
      if (name !== undefined) throw new UsageError(`There is no command "${name}".`);
      if (!argv.includes('--help') && !argv.includes('-h')) {
        throw new UsageError('A command is missing.');
      }
      io.print(usage);
      return 0;
    }
    const call = parseCall(argv.toSpliced(at, 1), command);
    if (call.options['help'] === true) {
      io.print(`${usage}\n${command.help}\n`);
      return 0;
    }
    const { json, text, exitCode = 0 } = await command.run(call, io);
    io.print(`${wantsJson ? toJsonText(json) : text}\n`);
    return exitCode;
  } catch (error) {
    const { code, message } = error instanceof CommandError ? error : toFailure(error);
    io.printError(error instanceof UsageError ? `${message}\n\n${usage}` : `${message}\n`);
    if (wantsJson) io.print(`${toJsonText({ error: code, message })}\n`);
    return code === 'usage' || code === 'not-confirmed' ? 2 : 1;
  }
}

const timeNames = /^(at|since|.*At)$/;

/** `undefined` becomes `null`, so that all rows have the same members. */
function toJsonText(json: object): string {
  return JSON.stringify(json, (name, value: unknown) => {
    const isTime = typeof value === 'number' && timeNames.test(name);
    return isTime ? new Date(value).toISOString() : (value ?? null);
  });
}

function parseCall(args: string[], { options = {} }: Command): Call {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' }, ...options },
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

/** Contains the error's code only: its message can contain a password or personal data. */
function toFailure(error: unknown): CommandError {
  if (isUnreadable(error)) {
    const message =
      'A row in the store is unreadable. Restore the store from a backup, or erase the application.';
    return new CommandError('unreadable', message);
  }
  const code = toEngineCode(error);
  const fix = ['STORE_FULL', 'SQLITE_FULL'].includes(code)
    ? 'The disk of the store is almost full. Free some space.'
    : 'Check the store and its disk, then run the command again.';
  return new CommandError('failed', `The command failed (${code}). ${fix}`);
}

function toUsage({ name, parameters }: Command): string {
  return `Usage: bff ${name} ${parameters}${parameters && ' '}[--json]`;
}

function toHelp(): string {
  const list = toTable(commands.map(({ name, summary }) => [name, summary]));
  return `Usage: bff <command> [--json]

${toSection('Commands', [list])}

"bff" stands for "npx funding-application-bff" in a project with the package,
for "node main.js" in a release, and for "npm run --silent bff --" in a clone.
Without a command, or with "serve", it starts the server. A command reads the
same environment as the server, and can run while the server runs.

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
    ...processSource,
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
