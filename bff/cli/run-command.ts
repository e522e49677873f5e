// Runs one of the operator's commands: parses the command line, runs the command, and prints its result.

import { parseArgs } from 'node:util';
import project from '../../package.json' with { type: 'json' };
import { processSource } from '../config/config.ts';
import { createUndiciTransport } from '../funding-service/transport.ts';
import { toEngineCode } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { isUnreadable } from '../store/rows.ts';
import { check } from './check.ts';
import {
  type Call,
  type Command,
  CommandError,
  type CommandIo,
  commonOptions,
  exitCodes,
  type ExitCode,
  type Service,
  UsageError,
} from './command.ts';
import { deliver } from './deliver.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { toSection, toTable } from './format.ts';
import { keys } from './keys.ts';
import { resolve } from './resolve.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';
import { status } from './status.ts';
import { webhooks } from './webhooks.ts';

export const commands: readonly Command[] = [
  check,
  doctor,
  status,
  show,
  retry,
  resolve,
  deliver,
  webhooks,
  keys,
  erase,
];

export const services: readonly Service[] = [
  {
    name: 'serve',
    parameters: '',
    summary: 'starts the server; also without a command',
    about: [
      'Reads the configuration, opens the store, and listens on `BFF_PORT`. SIGTERM and SIGINT stop it: it answers active requests, and records the outcomes of active deliveries.',
    ],
    guide: 'deploy/index.md',
  },
  {
    name: 'sandbox',
    parameters: '',
    summary: 'starts the sandbox of the funding service',
    about: [
      'Starts a funding service on this machine, for development and tests, with a console. It prints the address of the console and the variables of the BFF. Nothing leaves the machine. It does not start if `FUNDING_ENVIRONMENT` is staging or production. It is in a clone and in the npm package, not in a release.',
    ],
    arguments: {
      SANDBOX_PORT: 'the port. Default: 8082. 0 selects a free one.',
      SANDBOX_HOST: 'the address to listen on. Default: 127.0.0.1.',
      SANDBOX_DATA: 'a file that keeps what arrived. By default, a restart deletes everything.',
    },
    guide: 'reference/sandbox.md',
  },
  {
    name: 'conformance',
    parameters: '--environment <name> [options]',
    summary: 'tests the funding service in staging, and prints settings',
    about: [
      'Sends requests with test data to the staging environment, reports what the funding service does, and prints the settings that follow. It asks for confirmation first, and refuses production. `--help` lists its options. It is in a clone and in the npm package, not in a release.',
    ],
    arguments: {
      '--environment': '`staging`, or `sandbox` for practice.',
      '--dry-run': 'prints the requests with secrets masked, and sends nothing.',
    },
    guide: 'deploy/conformance.md',
  },
];

/**
 * Never throws.
 *
 * @param argv the command line without the program.
 * @returns the exit code.
 */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const wantsJson = argv.includes('--json');
  const at = argv.findIndex((argument) => !argument.startsWith('-'));
  const name = argv[at];
  const command = commands.find((each) => each.name === name);
  const service = services.find((each) => each.name === name);
  const described = command ?? service;
  const usage = described ? `${toUsage(described)}\n` : toHelp();
  try {
    if (argv.includes('--version')) {
      io.print(
        wantsJson ? `${toJsonText({ version: project.version })}\n` : `${project.version}\n`,
      );
      return 0;
    }
    if (service) {
      if (!argv.includes('--help') && !argv.includes('-h')) {
        throw new UsageError(`${service.name} takes no arguments.`);
      }
      io.print(toCommandHelp(service));
      return 0;
    }
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
      io.print(toCommandHelp(command));
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
      options: { ...commonOptions, ...options },
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

function toUsage(command: Command | Service): string {
  return toLines(`Usage: ${toCommandLine(command)}`);
}

/** For example `bff keys [rotate] [--json]`. */
export function toCommandLine(command: Command | Service): string {
  const { name, parameters } = command;
  return ['bff', name, parameters, 'run' in command && '[--json]'].filter(Boolean).join(' ');
}

function toHelp(): string {
  const list = toTable(
    [...services, ...commands].map(({ name, summary }) => [name, toPlain(summary)]),
  );
  return `Usage: bff <command> [--json]

${toSection('Commands', [list])}

${toLines(programs)}

${toTerms(Object.entries(commonOptions).map(([name, { about }]) => [`--${name}`, about]))}

Exit codes:
${toTerms(Object.entries(exitCodes))}
`;
}

/** How the program is called, and what its commands have in common. */
export const programs =
  '`bff` stands for `npx funding-application-bff` in a project with the package, for `node main.js` in a release, and for `npm run --silent bff --` in a clone. Without a command, it starts the server. `sandbox` and `conformance` are not in a release. A command reads the same environment as the server, and can run while the server runs. Only `deliver` writes a log.';

function toCommandHelp(command: Command | Service): string {
  const { about, notes = [] } = command;
  const terms = toTerms(listTerms(command));
  return `${[toUsage(command), ...about.map((text) => toLines(text)), terms, ...notes.map((text) => toLines(text))].filter(Boolean).join('\n\n')}\n`;
}

/** The arguments and options of a command, as its usage line writes them, with their explanations. */
export function listTerms(command: Command | Service): readonly (readonly [string, string])[] {
  const { parameters, arguments: words = {} } = command;
  const { options = {} }: Pick<Command, 'options'> = 'run' in command ? command : {};
  return [
    ...Object.entries(words),
    ...Object.entries(options).map(([name, { about }]): [string, string] => [
      new RegExp(`--${name}( <[^>]+>)?`).exec(parameters)?.[0] ?? `--${name}`,
      about,
    ]),
  ];
}

const helpWidth = 80;

/** A term, and its explanation in the lines beside it. */
function toTerms(terms: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...terms.map(([term]) => term.length)) + 2;
  return terms
    .map(([term, text]) => {
      const lines = toLines(text, helpWidth - width).replaceAll('\n', `\n${' '.repeat(width)}`);
      return `${term.padEnd(width)}${lines}`;
    })
    .join('\n');
}

function toLines(text: string, width = helpWidth): string {
  const lines: string[] = [];
  for (const word of toPlain(text).split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}

/** Removes backticks. Code of several words gets quotation marks. */
function toPlain(markdown: string): string {
  return markdown.replaceAll(/`([^`]*)`/g, (_, code: string) =>
    code.includes(' ') ? `"${code}"` : code,
  );
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
