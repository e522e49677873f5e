// The types of an operator's command: how it is called, what it works with, and what it answers.

import type { StartTimer } from '../runtime/timers.ts';
import type { Config, ServingParts } from '../config/config.ts';
import type { Transport } from '../funding-service/transport.ts';
import type { OpenOptions } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import type { CommandIo } from './run-command.ts';

export type Command = StoreCommand | SetupCommand | OutsideCommand;

interface CommandCall {
  readonly name: string;
  /** Arguments and options of its own, as the usage shows them; empty when it has none. */
  readonly parameters: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What its help says beyond that; lines of at most 80 characters. */
  readonly help: string;
  /** Names of its own options that take no value, without dashes. */
  readonly options?: readonly string[];
  /** Names of those that take one. */
  readonly valueOptions?: readonly string[];
}

/** Works on a store that exists, is of this version, and is opened for the command. */
export interface StoreCommand extends CommandCall {
  readonly kind: 'store';
  /** Checks the arguments before anything is read or opened; throws a `UsageError`. */
  prepare(call: Call): Run;
}

/** Checks everything that a BFF serves with, and opens the store itself: it may create or update it. */
export interface SetupCommand extends CommandCall {
  readonly kind: 'setup';
  /** As above. */
  prepare(call: Call): (setup: Setup) => Promise<CommandResult>;
}

/** Looks at a running BFF from outside; it may run where neither its secrets nor its store are. */
export interface OutsideCommand extends CommandCall {
  readonly kind: 'outside';
  /** As above. */
  prepare(call: Call): (outside: Outside) => Promise<CommandResult>;
}

export type Outside = Pick<
  CommandIo,
  'variables' | 'readFile' | 'clock' | 'startTimer' | 'printError' | 'visit'
>;

export interface Call {
  readonly positionals: readonly string[];
  /** Options of the command's own that were given. */
  readonly options: ReadonlySet<string>;
  /** Values of those that take one; of one given twice the last. */
  readonly values: ReadonlyMap<string, string>;
}

export type Run = (context: CommandContext) => Promise<CommandResult>;

export interface CommandContext {
  readonly config: Config;
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Keeps the process alive, since in a command nothing else may. */
  readonly startTimer: StartTimer;
  /** Lends a way to the funding service, and closes it afterwards. */
  readonly withTransport: <Result>(
    use: (transport: Transport) => Promise<Result>,
  ) => Promise<Result>;
}

export interface Setup {
  readonly parts: ServingParts;
  /** Opens the store of the configuration; the caller closes it. `code` is the code of the error. */
  openStore(
    options: Omit<OpenOptions, 'clock' | 'storeId'>,
  ): Promise<
    { readonly store: Store } | { readonly code: string; readonly failure: CommandFailure }
  >;
}

/** `text` and `json` say the same, for people and for programs; neither holds anything personal. */
export type CommandResult = CommandReport | CommandFailure;

export interface CommandReport {
  readonly text: string;
  readonly json: object;
  /** 1: `doctor` found something wrong. 3: it worked, and there is something for the operator to do. Default 0. */
  readonly exitCode?: 0 | 1 | 3;
}

/** What was asked for did not happen. */
export interface CommandFailure {
  /** A stable code, for example `not-found`. */
  readonly error: string;
  /** A sentence with the mend, where there is one. */
  readonly message: string;
  /** 2: the command line has to be mended. Default 1. */
  readonly exitCode?: 1 | 2;
}

/** The command line cannot be understood; the message says what is wrong with it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Throws a `UsageError` unless there are as many arguments as names. */
export function readArguments(call: Call, ...names: readonly string[]): readonly string[] {
  const { positionals } = call;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  if (positionals.length > names.length) {
    throw new UsageError(`These are too many arguments: it takes ${names.length}.`);
  }
  return positionals;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An applicant's reference as people copy it: blanks around it and capitals do no harm. What it is not is never repeated. */
export function readReference(text: string | undefined): string {
  const reference = text?.trim().toLowerCase() ?? '';
  if (!uuid.test(reference)) {
    throw new UsageError(
      '<reference> is no UUID. It looks like 0199c0de-0000-7000-8000-000000000001.',
    );
  }
  return reference;
}

export function toNotFound(reference: string): CommandFailure {
  return { error: 'not-found', message: `The store has no application ${reference}.` };
}
