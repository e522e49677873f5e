// Runs inside a child process: reads documents from standard input, inspects each one, and writes messages to descriptor 3.

import { once } from 'node:events';
import { readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readStackPositions } from '../logging/error-trace.ts';
import { toErrorCode } from '../runtime/error-code.ts';
import { type EncryptedFile, readEncryptedFile } from '../runtime/encrypted-file.ts';
import type { Inspection, InspectionOptions } from './inspect-document.ts';

/** Not standard output, because a library that prints could then forge a message. */
const messageDescriptor = 3;
/**
 * Standard input, which is read synchronously into the memory of the document: `process.stdin` would allocate a buffer for each
 * piece, and V8 would collect them at twice the cost of an inspection.
 */
const documentDescriptor = 0;
const maxHeaderBytes = 16_384;
const lineFeed = 0x0a;
const watchIntervalMs = 20;
/** The parent rejects long messages. */
const maxErrorNameLength = 120;

/** One line of JSON for each document. */
export interface DocumentHeader {
  /** From the file name, in any case, without the dot. */
  readonly extension: string;
  readonly options: InspectionOptions;
  readonly bytes: number;
  /** Contains the document. Without it, the bytes of the document follow the line. */
  readonly file?: EncryptedFile;
}

/** One line of JSON each. Each document causes a `received`, and then one of the kinds below it. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  /** The child has the whole document. */
  | { readonly kind: 'received' }
  /** Instead of `received`: the file cannot be read or decrypted. `name` is the code of the error, if it has one. */
  | { readonly kind: 'unreadable-file'; readonly name: string; readonly at: readonly string[] }
  | {
      readonly kind: 'inspected';
      readonly inspection: Inspection;
      /** Resident memory of the child after the inspection. */
      readonly residentBytes: number;
    }
  /** The system refused to allocate memory before the watchdog ended the child. */
  | { readonly kind: 'out-of-memory' }
  /** The inspection threw an error, which is a bug for any document. Its message may contain parts of the document. */
  | { readonly kind: 'threw'; readonly name: string; readonly at: readonly string[] };

export type Inspect = (
  bytes: Uint8Array,
  extension: string,
  options: InspectionOptions,
) => Promise<Inspection>;

/**
 * Serves until the parent closes standard input or dies. The first argument of the program is the limit of resident memory in
 * bytes.
 */
export function serveInspections(inspect: Inspect): void {
  // A supervisor or a terminal signals the whole process group, but only the parent may end an inspection. A listener
  // replaces Node's default handler, which would end the process.
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, () => undefined);
  process.on('uncaughtException', (error) => {
    send(toErrorMessage(error));
    process.exit(1);
  });
  void serve(inspect, startWatchdog(Number(process.argv[2])));
}

async function serve(inspect: Inspect, watchdog: Worker): Promise<void> {
  await once(watchdog, 'online');
  send({ kind: 'ready' });
  for (;;) {
    const header = readHeader();
    if (!header) process.exit(0);
    watchdog.postMessage('start');
    const bytes = new Uint8Array(header.bytes);
    const failure = readDocument(header, bytes);
    send(failure ?? { kind: 'received' });
    // Lets an error of the watchdog end the process.
    await setImmediate();
    if (!failure) send(await run(inspect, header, bytes));
    watchdog.postMessage('stop');
  }
}

function readDocument({ file }: DocumentHeader, bytes: Uint8Array): ChildMessage | undefined {
  if (file) {
    try {
      readEncryptedFile(file, bytes);
      return undefined;
    } catch (error) {
      return { ...describeError(error), kind: 'unreadable-file' };
    }
  }
  for (let filled = 0; filled < bytes.byteLength;) {
    const read = readSync(documentDescriptor, bytes, { offset: filled });
    // The parent died.
    if (read === 0) process.exit(1);
    filled += read;
  }
  return undefined;
}

/** Blocks this thread until there is a header. Returns undefined at the end of the input. The parent is our own code. */
function readHeader(): DocumentHeader | undefined {
  const bytes = Buffer.alloc(maxHeaderBytes);
  for (let length = 0; length < maxHeaderBytes; length += 1) {
    if (readSync(documentDescriptor, bytes, { offset: length, length: 1 }) === 0) return undefined;
    if (bytes[length] === lineFeed) {
      return JSON.parse(bytes.toString('utf8', 0, length)) as DocumentHeader;
    }
  }
  throw new RangeError('The header of a document is too long');
}

async function run(
  inspect: Inspect,
  { extension, options }: DocumentHeader,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ChildMessage> {
  try {
    const inspection = await inspect(bytes, extension, options);
    // Frees the document at once: an idle child may not collect garbage for hours.
    bytes.buffer.transfer(0);
    return { kind: 'inspected', inspection, residentBytes: process.memoryUsage.rss() };
  } catch (error) {
    return toErrorMessage(error);
  }
}

/**
 * Starts a thread that kills this process if it uses more than its memory limit, or if its parent has died. The main thread may
 * be in an endless loop, and the parent can read the memory of another process only on Linux. The thread is active only while
 * the child has a document, so that an idle child uses no processor time.
 */
function startWatchdog(maxResidentBytes: number): Worker {
  const watchdog = new Worker(watchdogProgram, {
    eval: true,
    env: {},
    workerData: { maxResidentBytes, parent: process.ppid, intervalMs: watchIntervalMs },
  });
  // The child must not parse a document without its watchdog.
  return watchdog.on('error', () => process.exit(1));
}

/** A string, because a separate file would have to lie beside each bundle that contains this module. */
const watchdogProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { maxResidentBytes, parent, intervalMs } = workerData;
let timer;
function check() {
  if (process.memoryUsage.rss() <= maxResidentBytes && process.ppid === parent) return;
  process.kill(process.pid, 'SIGKILL');
}
parentPort.on('message', (command) => {
  clearInterval(timer);
  if (command === 'start') timer = setInterval(check, intervalMs);
});
`;

function send(message: ChildMessage): void {
  writeSync(messageDescriptor, `${JSON.stringify(message)}\n`);
}

function toErrorMessage(error: unknown): ChildMessage {
  // V8 reports this error only by its message.
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) {
    return { kind: 'out-of-memory' };
  }
  return { ...describeError(error), kind: 'threw' };
}

function describeError(error: unknown): { name: string; at: readonly string[] } {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const name = String(toErrorCode(error) ?? error.name).slice(0, maxErrorNameLength);
  return { name, at: readStackPositions(error) };
}
