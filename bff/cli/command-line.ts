// Takes a command line apart, and says how the commands are called.

import { parseArgs } from 'node:util';
import { UsageError, type Call, type Command } from './command.ts';
import { toSection, toTable } from './text.ts';

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
