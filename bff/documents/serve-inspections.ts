// The inside of an inspection child: reads documents from standard input, inspects each, and answers on descriptor 3.

import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Inspection, InspectionOptions } from './inspect-document.ts';

/** Standard output stays unused, so that a library that prints something cannot forge an answer. */
const answerDescriptor = 3;
const watchIntervalMs = 20;
const maxWordLength = 120;

/** Precedes the bytes of each document, as one line of JSON. */
export interface DocumentHeader {
  /** From the file's name, without dot, in any case. */
  readonly extension: string;
  readonly options: InspectionOptions;
  readonly bytes: number;
}

/** One line of JSON each. Per document: `received` once it is whole in the child, then one of the other three. */
export type ChildAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'received' }
  | {
      readonly kind: 'inspected';
      readonly inspection: Inspection;
      /** Resident memory of the child after the inspection. */
      readonly residentBytes: number;
    }
  /** The system refused memory before the watchdog stepped in. */
  | { readonly kind: 'out-of-memory' }
  /** The inspection threw, which is a bug of ours whatever the document is. */
  | { readonly kind: 'threw'; readonly error: ErrorTrace };

/** What may be told of an error: never its message, which may hold content of the document. */
export interface ErrorTrace {
  readonly name: string;
  /** `file.ts:line:column`, innermost first. */
  readonly at: readonly string[];
}

type Bytes = Uint8Array<ArrayBuffer>;

export type Inspect = (
  bytes: Uint8Array,
  extension: string,
  options: InspectionOptions,
) => Promise<Inspection>;

/**
 * Serves until standard input ends, which happens when the parent closes it or dies. The first argument of the program is the
 * limit of resident memory in bytes.
 */
export function serveInspections(inspect: Inspect): void {
  const watchdog = startWatchdog(Number(process.argv[2]));
  const reader = createDocumentReader(handleDocument);

  async function handleDocument(header: DocumentHeader, bytes: Bytes): Promise<void> {
    answer({ kind: 'received' });
    try {
      const inspection = await inspect(bytes, header.extension, header.options);
      // Frees the document now: an idle child may not collect garbage for hours.
      bytes.buffer.transfer(0);
      const residentBytes = process.memoryUsage.rss();
      answer({ kind: 'inspected', inspection, residentBytes });
    } catch (error) {
      answer(toErrorAnswer(error));
    }
    watchdog.rest();
  }

  // A supervisor or a terminal signals the whole group. Only the parent decides when an inspection ends.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ignore);
  process.on('uncaughtException', (error) => {
    answer(toErrorAnswer(error));
    process.exit(1);
  });
  process.stdin.on('data', (chunk: Buffer) => {
    watchdog.watch();
    reader.add(chunk);
  });
  process.stdin.on('end', () => process.exit(0));
  watchdog.whenOnline(() => answer({ kind: 'ready' }));
}

/** Gathers each document in one buffer. The parent sends the next document only after the answer to this one. */
function createDocumentReader(
  handleDocument: (header: DocumentHeader, bytes: Bytes) => Promise<void>,
): { add(chunk: Buffer): void } {
  let head = Buffer.alloc(0);
  let current: { readonly header: DocumentHeader; readonly bytes: Bytes } | undefined;
  let filled = 0;

  /** Returns the bytes behind the header. */
  function readHeader(chunk: Buffer): Buffer {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\n');
    if (end < 0) return Buffer.alloc(0);
    // The parent wrote it, which is our own code.
    const header = JSON.parse(head.toString('utf8', 0, end)) as DocumentHeader;
    const rest = head.subarray(end + 1);
    head = Buffer.alloc(0);
    current = { header, bytes: new Uint8Array(header.bytes) };
    filled = 0;
    return rest;
  }

  return {
    add(chunk) {
      const rest = current ? chunk : readHeader(chunk);
      if (!current) return;
      current.bytes.set(rest, filled);
      filled += rest.byteLength;
      if (filled < current.bytes.byteLength) return;
      const { header, bytes } = current;
      current = undefined;
      void handleDocument(header, bytes);
    },
  };
}

interface Watchdog {
  whenOnline(run: () => void): void;
  watch(): void;
  rest(): void;
}

/**
 * A thread that kills this process above its memory limit, and when its parent has died. The main thread cannot do that: it
 * may be parsing without end. The parent cannot do it everywhere: only Linux shows the memory of another process cheaply, and
 * a parent that is busy or dead looks too late or never. The thread looks only while there is a document, so that an idle
 * child costs no time.
 */
function startWatchdog(maxResidentBytes: number): Watchdog {
  const worker = new Worker(watchdogProgram, {
    eval: true,
    env: {},
    workerData: { maxResidentBytes, parent: process.ppid, intervalMs: watchIntervalMs },
  });
  // Without its watchdog the child must not parse anything.
  worker.on('error', () => process.exit(1));
  let isWatching = false;

  function post(isOn: boolean): void {
    if (isOn === isWatching) return;
    isWatching = isOn;
    worker.postMessage(isOn);
  }

  return {
    whenOnline: (run) => void worker.once('online', run),
    watch: () => post(true),
    rest: () => post(false),
  };
}

/** As text, since a file of its own would have to be found beside every bundle that holds this module. */
const watchdogProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { maxResidentBytes, parent, intervalMs } = workerData;
let timer;
function look() {
  if (process.memoryUsage.rss() <= maxResidentBytes && process.ppid === parent) return;
  process.kill(process.pid, 'SIGKILL');
}
parentPort.on('message', (isOn) => {
  clearInterval(timer);
  if (isOn) timer = setInterval(look, intervalMs);
});
`;

function answer(message: ChildAnswer): void {
  writeSync(answerDescriptor, `${JSON.stringify(message)}\n`);
}

function toErrorAnswer(error: unknown): ChildAnswer {
  if (!(error instanceof Error)) return { kind: 'threw', error: { name: typeof error, at: [] } };
  // V8 has no code for this error, only a message.
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) {
    return { kind: 'out-of-memory' };
  }
  const at = (error.stack ?? '')
    .split('\n')
    .map((line) => /^\s+at .*?([^\s(/\\]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .filter((frame) => frame.length <= maxWordLength);
  // Cut, because the parent takes no long answer.
  const name = String(error.name).slice(0, maxWordLength);
  return { kind: 'threw', error: { name, at: at.slice(0, 8) } };
}

function ignore(): void {
  // The default would end the process.
}
