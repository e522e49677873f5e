// Shared by the operator's commands: their interface, their input and output, and access to the store.

import { type Config, readConfig } from '../config/config.ts';
import { readShortReference, toShortReference } from '../../shared/api/short-reference.ts';
import type { VariableSource } from '../config/environment-reader.ts';
import type { UndiciTransport } from '../funding-service/transport.ts';
import { isUuid } from '../runtime/ids.ts';
import type { OpenOptions } from '../store/database.ts';
import { type openStore, describeStoreError } from '../store/open-store.ts';
import type { ApplicationRow, Store } from '../store/store.ts';
import { toSection, toTime } from './format.ts';

/** Texts are Markdown with inline code only. `--help` prints them without the backticks. */
export interface Command {
  readonly name: string;
  /** Arguments and options as the usage line shows them. */
  readonly parameters: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  /** Arguments that need an explanation, by their name in `parameters`. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** All options except --help and --json. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  /** The guide about it: a path from `docs/`. */
  readonly guide: string;
  /** Checks the arguments before it reads the configuration or opens the store. Throws a `CommandError`. */
  run(call: Call, io: CommandIo): Promise<CommandReport>;
}

export interface CommandOption {
  /** `string`: the option takes a value. */
  readonly type: 'boolean' | 'string';
  readonly about: string;
}

/** A program that `bff/main.ts` starts by its name, and that runs until a signal stops it. */
export type Service = Omit<Command, 'run' | 'options'>;

/** The options of every command. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h', about: 'shows the usage of the command.' },
  json: { type: 'boolean', about: 'prints one JSON object instead of text.' },
  version: { type: 'boolean', about: 'prints the version of the BFF.' },
  // `bff/main.ts` reads it, before anything reads a variable.
  dotenv: {
    type: 'string',
    about:
      'reads variables from a file: `--dotenv=.env`, or `--dotenv .env`. Variables of the environment take precedence.',
  },
} as const satisfies Readonly<Record<string, CommandOption & { readonly short?: string }>>;

export const exitCodes = {
  0: 'success',
  1: 'failure: standard error has the reason; or `doctor` found a fault',
  2: 'the command line is wrong, or `erase` needs `--yes`',
  3: '`status` has an alarm',
} as const;
export type ExitCode = keyof typeof exitCodes;

/** The codes of failures, in `error` of the JSON output. */
export const failureCodes = {
  usage: 'The command line is wrong.',
  'not-confirmed': '`erase` needs `--yes`. Nothing was erased.',
  configuration: 'The configuration is not valid. The message lists every problem.',
  store: 'The store cannot be opened. The message has its code, such as `STORE_NEW`.',
  'store-exists': '`check --new-store` found a store that must not be replaced.',
  'not-found': 'The store has no such application or attachment.',
  ambiguous: 'Several applications have the short reference. The message lists them.',
  'wrong-state': 'The state of the application does not allow the command.',
  sending: 'A BFF is sending the application. Try again in a few minutes.',
  refuted: 'The ApplicationID belongs to another application, or to none.',
  unanswered: 'The funding service did not answer. The message names the variables to check.',
  'no-webhook': '`WEBHOOK_URL` is not set, and there is no hook `onStatus`.',
  'data-key-missing': '`DATA_KEYS` lacks a key of the store.',
  'data-key-wrong': '`DATA_KEYS` has another key under a number of the store.',
  'data-key-mixed': 'A data key decrypts only some of its applications.',
  'not-all-rotated': '`keys rotate` could not decrypt some applications.',
  unreadable: 'A row of the store is unreadable.',
  failed: 'The store or its disk failed. The message has the code of the error.',
} as const;
export type FailureCode = keyof typeof failureCodes;

export interface Call {
  readonly positionals: readonly string[];
  /** `true`, or the value of an option that takes one. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The parts of the process that a command uses. */
export interface CommandIo extends VariableSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly openStore: typeof openStore;
  readonly createTransport: () => UndiciTransport;
  readonly fetch: typeof fetch;
}

/**
 * `text` and `json` have the same content. Neither contains personal data. JSON prints `undefined` as `null`, and the epoch
 * milliseconds in members named `at`, `since`, or `…At` as ISO 8601.
 */
export interface CommandReport {
  readonly text: string;
  readonly json: object;
  /** Default 0. */
  readonly exitCode?: ExitCode;
}

/** Ends a command with a failure. The message is for the operator, and contains the fix. */
export class CommandError extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The command line is invalid. The usage is printed as well. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super('usage', message);
  }
}

export interface StoreContext extends CommandIo {
  readonly config: Config;
  readonly store: Store;
}

/** Runs `work` on the configured store, which has to exist and to have this version's schema. */
export function onStore(
  io: CommandIo,
  work: (context: StoreContext) => Promise<CommandReport>,
): Promise<CommandReport> {
  const { config } = requireValid(readConfig(io));
  return useStore(config, { mayCreate: false, mayMigrate: false }, io, (store) =>
    work({ ...io, config, store }),
  );
}

/** Opens the configured store, runs `work`, and closes the store. */
export async function useStore(
  { databaseUrl, storeId }: Config,
  options: Omit<OpenOptions, 'clock' | 'storeId'>,
  { openStore }: CommandIo,
  work: (store: Store) => Promise<CommandReport>,
): Promise<CommandReport> {
  const store = await openStore(databaseUrl, { ...options, storeId }).catch((error: unknown) => {
    throw new CommandError('store', describeStoreError(error, databaseUrl), error);
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Throws a `CommandError` that lists the problems of the configuration. */
export function requireValid<Result extends object>(
  result: Result | { readonly problems: readonly string[] },
): Result {
  if (!('problems' in result)) return result;
  throw toInvalidConfiguration(result.problems);
}

/** A failure that lists the problems of the configuration. */
export function toInvalidConfiguration(problems: readonly string[]): CommandError {
  const message = ['The configuration is not valid:', ...problems].join('\n  ');
  return new CommandError('configuration', message);
}

/** Returns one argument for each name. Throws a `UsageError` if there are more or fewer. */
export function readArguments(
  { positionals }: Call,
  ...names: readonly string[]
): readonly string[] {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  if (positionals.length > names.length) {
    throw new UsageError(
      `There are too many arguments. The command takes ${names.length || 'none'}.`,
    );
  }
  return positionals;
}

/**
 * Reads the first argument as a reference, long or short. Accepts what people type: uppercase, spaces, a missing dash, O for 0,
 * and I or L for 1. An invalid value is not repeated: it may be personal.
 *
 * @param others the names of the other arguments.
 * @returns a UUID, or a short reference such as `7K4-92M`.
 */
export function readReference(call: Call, ...others: readonly string[]): string {
  const [text = ''] = readArguments(call, 'reference', ...others);
  const uuid = text.trim().toLowerCase();
  const reference = isUuid(uuid) ? uuid : readShortReference(text);
  if (reference !== undefined) return reference;
  throw new UsageError(
    '<reference> is not a reference. Use a short one such as 7K4-92M, or a UUID such as 0199c0de-0000-7000-8000-000000000001.',
  );
}

/** Runs `work` on one application of the configured store. Throws a `CommandError` if there is no such application. */
export function onApplication(
  reference: string,
  io: CommandIo,
  work: (application: ApplicationRow, context: StoreContext) => Promise<CommandReport>,
): Promise<CommandReport> {
  return onStore(io, async (context) => {
    const uuid = await findReference(reference, context.store);
    return work(await findApplication(uuid, context.store), context);
  });
}

/**
 * Returns the UUID of a reference, long or short. Throws a `CommandError` if no application has the short reference, or if several
 * have it.
 */
export async function findReference(
  reference: string,
  store: Pick<Store, 'findReferences'>,
): Promise<string> {
  if (isUuid(reference)) return reference;
  const [match, ...others] = await store.findReferences(reference);
  if (!match) refuseUnknown(reference);
  if (others.length === 0) return match.reference;
  const lines = [match, ...others].map(
    (one) => `${one.reference}  received ${toTime(one.receivedAt)}  ${one.state}`,
  );
  throw new CommandError(
    'ambiguous',
    toSection(`Several applications have the reference ${reference}. Use one of these:`, lines),
  );
}

/** Throws a `CommandError` if there is no such application. */
export async function findApplication(
  reference: string,
  store: Pick<Store, 'findApplication'>,
): Promise<ApplicationRow> {
  return (await store.findApplication(reference)) ?? refuseUnknown(reference);
}

export function refuseUnknown(reference: string): never {
  throw new CommandError('not-found', `The store has no application ${reference}.`);
}

/** For example `0199c0de-0000-7000-8000-000000000001 (000-001)`. */
export function toReferenceText(reference: string): string {
  return `${reference} (${toShortReference(reference)})`;
}
