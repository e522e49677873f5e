// Preloaded into a BFF process: causes internal failures on command. Every error contains applicant data.

import { ChildProcess } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { toPath } from '../../../bff/store/sqlite.ts';
import { canaryApplication, createCanaryError } from '../../support/canaries.ts';

export const commands = [
  /** Throws an uncaught error. */
  'throw',
  /** Leaves a rejection unhandled: with an error, and with a string. */
  'reject',
  'reject text',
  /** Throws an error when the BFF decodes the next body that contains the applicant's SSN. */
  'break reader',
  /** Makes SQLite report a full disk, and ends that. */
  'fill disk',
  'free disk',
  /** Replaces the inspection program with `canary-inspection.ts`, and ends that. */
  'break inspections',
  'restore inspections',
  /** Makes the handoffs of the store expire. */
  'expire handoffs',
  /** Emits a process warning. */
  'warn',
] as const;

export type Command = (typeof commands)[number];

const applicationJson = JSON.stringify(canaryApplication);
const { exec } = DatabaseSync.prototype;
const inspections = new Set<ChildProcess>();
let areInspectionsBroken = false;

if (isMainThread) {
  process.on('message', (command: Command) => run(command));
  // The IPC channel must not keep the process alive.
  process.channel?.unref();
  interceptSpawn();
}

/** Patches the internal method that starts every child process. The types of Node omit it. */
function interceptSpawn(): void {
  const prototype = ChildProcess.prototype as unknown as {
    spawn(this: ChildProcess, options: { args?: readonly string[] }): unknown;
  };
  const { spawn } = prototype;
  prototype.spawn = function spawnOther(options) {
    inspections.add(this);
    const args = options.args?.map((text) =>
      areInspectionsBroken && text.endsWith('inspection-child.ts')
        ? join(import.meta.dirname, 'canary-inspection.ts')
        : text,
    );
    return spawn.call(this, { ...options, ...(args ? { args } : {}) });
  };
}

function run(command: Command): void {
  switch (command) {
    case 'throw':
      setImmediate(() => {
        throw createCanaryError();
      });
      break;
    case 'reject':
      void Promise.reject(createCanaryError());
      break;
    case 'reject text':
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- some packages reject with strings
      void Promise.reject(applicationJson);
      break;
    case 'break reader':
      breakReader();
      break;
    case 'fill disk':
      fillDisk();
      break;
    case 'free disk':
      DatabaseSync.prototype.exec = exec;
      break;
    case 'break inspections':
    case 'restore inspections':
      areInspectionsBroken = command === 'break inspections';
      for (const child of inspections) child.kill('SIGKILL');
      break;
    case 'expire handoffs':
      expireHandoffs();
      break;
    case 'warn':
      process.emitWarning('Something is deprecated', 'DeprecationWarning');
  }
  process.send?.(command);
}

function expireHandoffs(): void {
  const db = new DatabaseSync(toPath(process.env['DATABASE_URL'] ?? ''));
  db.prepare('update handoff set expires_at = 0').run();
  db.close();
}

function breakReader(): void {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function decodeOrBreak(input, options) {
    const text = decode.call(this, input, options);
    if (!text.includes(canaryApplication.owner.ssn)) return text;
    TextDecoder.prototype.decode = decode;
    throw new RangeError(`Cannot read ${text}`, { cause: createCanaryError() });
  };
}

/** Throws SQLITE_FULL with a message that contains applicant data. */
function fillDisk(): void {
  DatabaseSync.prototype.exec = () => {
    throw Object.assign(new Error(`The disk is full: ${applicationJson}`), { errcode: 13 });
  };
}
