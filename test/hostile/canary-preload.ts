// Loaded into a BFF before its own program: does to it, on order, what only a fault of ours or of the machine would do. Every error says what an applicant typed.

import { ChildProcess } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { canaryApplication } from '../support/canary-applicant.ts';

export const orders = [
  /** An error nobody catches. */
  'throw',
  /** A promise nobody waits for fails; with an error, and with a plain text. */
  'reject',
  'reject text',
  /** The next body that holds what was typed breaks its reader. */
  'break reader',
  /** The disk has no room, and has room again. */
  'fill disk',
  'empty disk',
  /** Inspections are done by `canary-inspection.ts`, and by the product's own program again. */
  'break inspections',
  'mend inspections',
  /** A warning, as Node and packages give them. */
  'warn',
] as const;

export type Order = (typeof orders)[number];

const typed = JSON.stringify(canaryApplication);
const { exec } = DatabaseSync.prototype;
const inspections = new Set<ChildProcess>();
let areInspectionsBroken = false;

if (isMainThread) {
  process.on('message', (order: Order) => obey(order));
  // The parent must not keep the process alive, nor end it.
  process.channel?.unref();
  watchInspections();
}

/** Node starts every process with this method, which its types leave out. */
function watchInspections(): void {
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

function obey(order: Order): void {
  switch (order) {
    case 'throw':
      setImmediate(() => {
        throw createError();
      });
      break;
    case 'reject':
      void Promise.reject(createError());
      break;
    case 'reject text':
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- packages do such things
      void Promise.reject(typed);
      break;
    case 'break reader':
      breakReader();
      break;
    case 'fill disk':
      fillDisk();
      break;
    case 'empty disk':
      DatabaseSync.prototype.exec = exec;
      break;
    case 'break inspections':
    case 'mend inspections':
      areInspectionsBroken = order === 'break inspections';
      for (const child of inspections) child.kill('SIGKILL');
      break;
    case 'warn':
      process.emitWarning('Something is deprecated', 'DeprecationWarning');
  }
  process.send?.(order);
}

function createError(): Error {
  return Object.assign(new TypeError(`Cannot use ${typed}`, { cause: new Error(typed) }), {
    body: canaryApplication,
    input: typed,
  });
}

function breakReader(): void {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function decodeOrBreak(input, options) {
    const text = decode.call(this, input, options);
    if (!text.includes(canaryApplication.owner.ssn)) return text;
    TextDecoder.prototype.decode = decode;
    throw new RangeError(`Cannot read ${text}`, { cause: createError() });
  };
}

/** SQLITE_FULL, in words that no SQLite would use. */
function fillDisk(): void {
  DatabaseSync.prototype.exec = () => {
    throw Object.assign(new Error(`The disk is full: ${typed}`), { errcode: 13 });
  };
}
