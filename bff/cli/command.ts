// Shared by the operator's commands: their interface, their input and output, and access to the store.

import type { ParseArgsOptionDescriptor } from 'node:util';
import { type Config, readConfig, type ServingSource } from '../config/config.ts';
import type { UndiciTransport } from '../funding-service/transport.ts';
import { type OpenOptions, toEngineCode } from '../store/database.ts';
import { type openStore, describeStoreError } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

export interface Command {
  readonly name: string;
  /** Arguments and options as the usage line shows them. */
  readonly parameters: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Lines of at most 80 characters. */
  readonly help: string;
  /** All options except --help and --json. */
  readonly options?: Readonly<Record<string, Pick<ParseArgsOptionDescriptor, 'type'>>>;
  /** Checks the arguments before the configuration is read or the store is opened. Throws a `UsageError`. */
  prepare(call: Call): Run;
}

export interface Call {
  readonly positionals: readonly string[];
  /** `true`, or the value of an option that takes one. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type Run = (io: CommandIo) => Promise<CommandResult>;

/** The parts of the process that a command uses. */
export interface CommandIo extends ServingSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly openStore: typeof openStore;
  readonly createTransport: () => UndiciTransport;
  readonly fetch: typeof fetch;
}

export type CommandResult = CommandReport | CommandFailure;

/** `text` and `json` have the same content. Neither contains personal data. */
export interface CommandReport {
  readonly text: string;
  readonly json: object;
  /** 1: `doctor` found a fault. 3: `status` has an alarm. Default 0. */
  readonly exitCode?: 0 | 1 | 3;
}

export interface CommandFailure {
  /** A stable code, for example `not-found`. */
  readonly error: string;
  /** For the operator, with the fix. */
  readonly message: string;
  /** Why the store could not be opened, for example `STORE_NEW`. */
  readonly storeCode?: string;
  /** 2: the command line is invalid. Default 1. */
  readonly exitCode?: 1 | 2;
}

/** The command line is invalid. The message is for the operator. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export interface StoreContext extends Pick<CommandIo, 'clock' | 'createTransport'> {
  readonly config: Config;
  readonly store: Store;
}

/** Runs `work` on the configured store, which has to exist and to have this version's schema. */
export function onStore(work: (context: StoreContext) => Promise<CommandResult>): Run {
  return async (io) => {
    const read = readConfig(io);
    if ('problems' in read) return toConfigurationFailure(read.problems);
    const { config } = read;
    const { clock, createTransport } = io;
    return useStore(config, { mayCreate: false, mayMigrate: false }, io, (store) =>
      work({ config, store, clock, createTransport }),
    );
  };
}

/** Opens the configured store, runs `work`, and closes the store. */
export async function useStore(
  { databaseUrl, storeId }: Config,
  options: Omit<OpenOptions, 'clock' | 'storeId'>,
  { openStore }: Pick<CommandIo, 'openStore'>,
  work: (store: Store) => Promise<CommandResult>,
): Promise<CommandResult> {
  let store: Store;
  try {
    store = await openStore(databaseUrl, { ...options, storeId });
  } catch (error) {
    const message = describeStoreError(error, databaseUrl);
    return { error: 'store', message, storeCode: toEngineCode(error) };
  }
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function toConfigurationFailure(problems: readonly string[]): CommandFailure {
  const message = ['The configuration is not valid:', ...problems].join('\n  ');
  return { error: 'configuration', message };
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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an applicant's reference. Accepts whitespace around it and uppercase. An invalid value is not repeated: it may be personal. */
export function readReference(text: string | undefined): string {
  const reference = text?.trim().toLowerCase() ?? '';
  if (!uuid.test(reference)) {
    throw new UsageError(
      '<reference> is not a UUID. A reference looks like 0199c0de-0000-7000-8000-000000000001.',
    );
  }
  return reference;
}

export function toNotFound(reference: string): CommandFailure {
  return { error: 'not-found', message: `The store has no application ${reference}.` };
}
