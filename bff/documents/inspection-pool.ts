// Inspects documents in child processes, so that a hostile document cannot block or crash the BFF.

import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, extname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { AppError } from '../runtime/app-error.ts';
import { tryParseJson } from '../runtime/json.ts';
import { type StartTimer, withTimeout } from '../runtime/timers.ts';
import type { EncryptedFile } from '../runtime/encrypted-file.ts';
import { normalizeExtension } from './check-signature.ts';
import type { Inspection } from './inspect-document.ts';
import { type InspectionDetail, refusalCodes, refuse } from './refusals.ts';
import type { ChildMessage, DocumentHeader } from './serve-inspections.ts';

const mebibyte = 1024 * 1024;

/** Maximum time in the queue. Two waits and two inspections must end within 120 s, when the server closes an idle connection. */
const maxWaitMs = 20_000;

/** Maximum time for a child to start, and to read what it is sent. On an idle machine it needs a fraction of a second. */
const unresponsiveMs = 30_000;

/** `not-checked`: the inspection failed twice. During the second attempt no other inspection ran. */
export type Verdict =
  Inspection | { readonly kind: 'not-checked'; readonly reason: 'timeout' | 'memory' | 'crash' };

/**
 * Reasons why one attempt ended without a verdict:
 * - `timeout`: it took longer than `timeoutMs`.
 * - `memory`: the child exceeded its memory limit, or the machine had no memory left.
 * - `crash`: the child ended in another way, or sent an invalid message.
 * - `interrupted`: the child ended before it had the whole document, so the document is not the cause.
 */
export const inspectionFailures = ['timeout', 'memory', 'crash', 'interrupted'] as const;

export interface InspectionFailure {
  readonly reason: (typeof inspectionFailures)[number];
  readonly exitCode?: number;
  readonly signal?: string;
}

/**
 * Reasons why the BFF cannot inspect a document at all. None of them is caused by the document:
 * - `not-started`: no child process starts.
 * - `interrupted`: as above, in both attempts.
 * - `threw`: the inspection threw an error, which is a bug.
 * - `content-unreadable`: the document cannot be read from the store.
 * - `overloaded`: no child was free for 20 s.
 * - `closed`: the BFF is shutting down.
 */
export const unavailableReasons = [
  'not-started',
  'interrupted',
  'threw',
  'content-unreadable',
  'overloaded',
  'closed',
] as const;

export class InspectionUnavailableError extends Error {
  readonly reason: (typeof unavailableReasons)[number];

  constructor(reason: InspectionUnavailableError['reason'], cause?: unknown) {
    super(`The document could not be inspected (${reason})`, { cause });
    this.name = 'InspectionUnavailableError';
    this.reason = reason;
  }
}

/** A document with all its chunks in the store. */
export interface StoredDocument extends Omit<DocumentHeader, 'file'> {
  /**
   * The file that contains the document, which the child then reads itself. Called once per attempt, when the attempt starts, and
   * only if the pool has a `contentFolder`. Without a file, the pool reads `content`.
   */
  readonly findFile?: () => Promise<EncryptedFile | undefined>;
  /** Reads all `bytes`. Called at most once per attempt. A chunk is valid until the next one is requested. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

export interface InspectionPoolOptions {
  readonly startTimer: StartTimer;
  /** Maximum number of documents inspected at once. */
  readonly processes: number;
  /** For one attempt, from the moment the child has the whole document. */
  readonly timeoutSeconds: number;
  /** Maximum resident memory of one child. The JavaScript heap may use half of it. */
  readonly memoryMegabytes: number;
  /** The absolute path of a folder with encrypted documents, which the children can read. Default: they read none. */
  readonly contentFolder?: string | undefined;
  /** The program of the children. Default: `inspection-child`. */
  readonly program?: URL;
}

export interface InspectionPool {
  /** Starts a child if none is idle, so that it is ready when the document is complete. */
  prepare(): void;
  /**
   * Inspects documents in the order of the calls. Throws an `InspectionUnavailableError`, or the `AppError` that reading the
   * content throws.
   *
   * @param onFailure called for each failed attempt. The first failure is followed by a second attempt.
   */
  inspect(
    document: StoredDocument,
    onFailure?: (failure: InspectionFailure) => void,
  ): Promise<Verdict>;
  /** Kills all children, including those that inspect a document. */
  close(): Promise<void>;
}

export function createInspectionPool(options: InspectionPoolOptions): InspectionPool {
  const { startTimer, processes, memoryMegabytes } = options;
  const runInTurn = createQueue(processes, startTimer);
  const children = new Set<InspectionProcess>();
  const idle = new Set<InspectionProcess>();
  let isClosed = false;

  function start(): InspectionProcess {
    const child = startInspectionProcess(options);
    children.add(child);
    void child.closed.then(() => {
      children.delete(child);
      idle.delete(child);
    });
    return child;
  }

  async function killAll(): Promise<void> {
    await Promise.all([...children].map((child) => child.kill()));
  }

  async function attempt(document: StoredDocument, isSecond: boolean): Promise<Attempt> {
    if (isClosed) throw new InspectionUnavailableError('closed');
    // Memory of earlier documents must not count against the second attempt.
    if (isSecond) await killAll();
    const [child = start()] = idle;
    idle.delete(child);
    let isReusable = false;
    try {
      const result = await child.inspect(document);
      if (isClosed) throw new InspectionUnavailableError('closed');
      // A child that has grown is replaced, because the next document needs the memory.
      isReusable =
        'inspection' in result && result.residentBytes < (memoryMegabytes * mebibyte) / 2;
      return result;
    } finally {
      if (isReusable) idle.add(child);
      else await child.kill();
    }
  }

  return {
    prepare() {
      if (isClosed || idle.size > 0 || children.size >= processes) return;
      try {
        idle.add(start());
      } catch {
        // `inspect` fails for the same reason and reports it.
      }
    },

    async inspect(document, onFailure = () => undefined) {
      const first = await runInTurn('shared', () => attempt(document, false));
      if ('inspection' in first) return first.inspection;
      onFailure(first);
      const second = await runInTurn('exclusive', () => attempt(document, true));
      if ('inspection' in second) return second.inspection;
      onFailure(second);
      const { reason } = second;
      if (reason === 'interrupted') throw new InspectionUnavailableError(reason);
      return { kind: 'not-checked', reason };
    },

    async close() {
      isClosed = true;
      await killAll();
    },
  };
}

/**
 * First in, first out, except that exclusive tasks go first: they are second attempts, which have waited before. An exclusive
 * task runs when no other task runs.
 */
function createQueue(maxTasks: number, startTimer: StartTimer) {
  const slots = { shared: 1, exclusive: maxTasks };
  const waiting: { readonly mode: keyof typeof slots; readonly begin: () => void }[] = [];
  let freeSlots = maxTasks;

  function beginNext(): void {
    for (let [next] = waiting; next && slots[next.mode] <= freeSlots; [next] = waiting) {
      freeSlots -= slots[next.mode];
      waiting.shift();
      next.begin();
    }
  }

  return async function runInTurn<Result>(
    mode: keyof typeof slots,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const entry = { mode, begin };
    const before = mode === 'shared' ? -1 : waiting.findIndex((other) => other.mode === 'shared');
    waiting.splice(before === -1 ? waiting.length : before, 0, entry);
    beginNext();
    if (waiting.includes(entry)) await withTimeout(maxWaitMs, startTimer, () => begun, undefined);
    if (waiting.includes(entry)) {
      waiting.splice(waiting.indexOf(entry), 1);
      beginNext();
      throw new InspectionUnavailableError('overloaded');
    }
    try {
      return await task();
    } finally {
      freeSlots += slots[mode];
      beginNext();
    }
  };
}

type Attempt = Extract<ChildMessage, { kind: 'inspected' }> | InspectionFailure;

interface InspectionProcess {
  inspect(document: StoredDocument): Promise<Attempt>;
  /** Resolves when the process has ended and all its output is read. */
  readonly closed: Promise<InspectionFailure>;
  kill(): Promise<unknown>;
}

/** Throws an `InspectionUnavailableError` if the system cannot create the process. */
function startInspectionProcess(options: InspectionPoolOptions): InspectionProcess {
  const { startTimer, timeoutSeconds, contentFolder } = options;
  const child = spawnProgram(options);
  let startError: unknown;
  child.on('error', (error) => (startError = error));
  const stdin = requireSocket(child, 0);
  const stderr = requireSocket(child, 2);
  const messageSocket = requireSocket(child, 3);
  const handles = [child, stdin, stderr, messageSocket];
  // The end of the process reports a broken pipe.
  for (const socket of [stdin, stderr, messageSocket]) socket.on('error', () => undefined);
  const closed = waitForEnd(child, stderr);
  const messages = readMessages(messageSocket, closed);
  const ready = readMessage(unresponsiveMs);
  let isKilled = false;
  setReferenced(false);

  /** An idle child must not keep the BFF's process alive. */
  function setReferenced(isReferenced: boolean): void {
    for (const handle of handles) {
      if (isReferenced) handle.ref();
      else handle.unref();
    }
  }

  async function readMessage(timeoutMs: number): Promise<Message | undefined> {
    const next = messages.next();
    const read = async (): Promise<Message | undefined> => (await next).value;
    const message = await withTimeout(timeoutMs, startTimer, read, late);
    // If this process was blocked, the message may already be in the pipe, so read the pipe once more.
    return message === late ? Promise.race([read(), setImmediate(late)]) : message;
  }

  /** Returns false if the child has ended or does not read. */
  function write(data: Uint8Array | string): Promise<boolean> {
    const written = (): Promise<boolean> =>
      new Promise((resolvePromise) => {
        stdin.write(data, (error) => resolvePromise(!error));
      });
    return withTimeout(unresponsiveMs, startTimer, written, false);
  }

  async function send(document: StoredDocument): Promise<boolean> {
    const { extension, options: rules, bytes } = document;
    const file = contentFolder === undefined ? undefined : await findFile(document);
    const header: DocumentHeader = { extension, options: rules, bytes, ...(file && { file }) };
    if (!(await write(`${JSON.stringify(header)}\n`))) return false;
    if (file) return true;
    let sent = 0;
    for await (const chunk of readContent(document.content)) {
      sent += chunk.byteLength;
      if (sent > bytes) break;
      if (!(await write(chunk))) return false;
    }
    if (sent !== bytes) throw new InspectionUnavailableError('content-unreadable');
    return true;
  }

  async function attempt(document: StoredDocument): Promise<Attempt> {
    if ((await ready)?.kind !== 'ready') {
      throw new InspectionUnavailableError('not-started', startError);
    }
    const received = (await send(document)) ? await readMessage(unresponsiveMs) : undefined;
    if (received?.kind === 'unreadable-file') {
      throw new InspectionUnavailableError('content-unreadable', toError(received));
    }
    if (received?.kind !== 'received') return toFailure('interrupted');
    const message = await readMessage(timeoutSeconds * 1_000);
    switch (message?.kind) {
      case 'inspected':
        return isPlausible(message.inspection, document) ? message : toFailure('crash');
      case 'threw':
        throw new InspectionUnavailableError('threw', toError(message));
      case 'late':
        return toFailure('timeout');
      case 'out-of-memory':
        return toFailure('memory');
      default:
        return toFailure('crash');
    }
  }

  /** If the child ended by itself, the failure says how. */
  async function toFailure(reason: InspectionFailure['reason']): Promise<InspectionFailure> {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded || isKilled) return { reason };
    const failure = await closed;
    return reason === 'interrupted' ? { ...failure, reason } : failure;
  }

  return {
    closed,
    kill() {
      isKilled = true;
      setReferenced(true);
      child.kill('SIGKILL');
      return closed;
    },
    async inspect(document) {
      setReferenced(true);
      try {
        return await attempt(document);
      } finally {
        setReferenced(false);
      }
    },
  };
}

/**
 * The child gets an empty environment: it needs no secrets, and nothing that Node was told to load into this process. The
 * permission model stops a library that writes files, reads other files, or starts programs. It does not stop code that has
 * taken over the child: in Node 24 a thread can escape it, and it does not restrict the network.
 */
function spawnProgram({
  // The program lies beside this file: a source file beside sources, a bundle beside the bundle.
  program = new URL(`./inspection-child${extname(import.meta.url)}`, import.meta.url),
  memoryMegabytes,
  contentFolder,
}: InspectionPoolOptions): ChildProcess {
  const path = fileURLToPath(program);
  const isBundle = extname(import.meta.filename) !== '.ts';
  const readableFolder = isBundle ? dirname(path) : resolve(import.meta.dirname, '../..');
  const nodeOptions = [
    `--max-old-space-size=${Math.floor(memoryMegabytes / 2)}`,
    '--permission',
    `--allow-fs-read=${readableFolder}/*`,
    ...(contentFolder === undefined ? [] : [`--allow-fs-read=${contentFolder}/*`]),
    // For the watchdog.
    '--allow-worker',
  ];
  try {
    const child = spawn(process.execPath, [...nodeOptions, path, `${memoryMegabytes * mebibyte}`], {
      env: {},
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    setKernelOptions(child.pid);
    return child;
  } catch (error) {
    throw new InspectionUnavailableError('not-started', error);
  }
}

/**
 * If memory runs out, Linux ends the child instead of the BFF. If the child crashes, it writes no core dump, which would contain
 * the document (man 5 proc, man 5 core). A container may forbid both settings.
 */
function setKernelOptions(processId: number | undefined): void {
  if (process.platform !== 'linux' || processId === undefined) return;
  writeFile(`/proc/${processId}/oom_score_adj`, '1000', () => undefined);
  writeFile(`/proc/${processId}/coredump_filter`, '0', () => undefined);
}

/** Node creates no pipes if the process has no file descriptors left. */
function requireSocket(child: ChildProcess, index: number): Socket {
  const stream = child.stdio?.[index];
  if (stream instanceof Socket) return stream;
  throw new InspectionUnavailableError('not-started');
}

/** Reads standard error only to recognize that V8 ran out of memory. */
function waitForEnd(child: ChildProcess, stderr: Socket): Promise<InspectionFailure> {
  const maxOutputLength = 8_192;
  let output = '';
  stderr.on('data', (data: Buffer) => {
    output = `${output}${data.toString('latin1')}`.slice(-maxOutputLength);
  });
  return new Promise((resolvePromise) => {
    // Node emits no 'close' for a process that it could not start.
    if (child.pid === undefined) child.once('error', () => resolvePromise({ reason: 'crash' }));
    child.once('close', (exitCode, signal) => {
      const isOutOfMemory = signal === 'SIGKILL' || /out of memory/i.test(output);
      resolvePromise({
        reason: isOutOfMemory ? 'memory' : 'crash',
        ...(exitCode === null ? {} : { exitCode }),
        ...(signal === null ? {} : { signal }),
      });
    });
  });
}

async function findFile(document: StoredDocument): Promise<EncryptedFile | undefined> {
  try {
    return await document.findFile?.();
  } catch (error) {
    throw toContentError(error);
  }
}

async function* readContent(content: StoredDocument['content']): AsyncGenerator<Uint8Array> {
  try {
    yield* content();
  } catch (error) {
    throw toContentError(error);
  }
}

/** An `AppError` explains why the document is gone. Any other error means that the store failed. */
function toContentError(error: unknown): Error {
  return error instanceof AppError
    ? error
    : new InspectionUnavailableError('content-unreadable', error);
}

/** The funding service gets this extension, so it must be an allowed one even if the child was taken over. */
function isPlausible(inspection: Inspection, { options }: DocumentHeader): boolean {
  return (
    inspection.kind === 'refused' ||
    options.allowedExtensions.map(normalizeExtension).includes(inspection.extension)
  );
}

/** `late`: the timeout passed. `unreadable`: the message is invalid or too long. */
type Message = ChildMessage | { readonly kind: 'late' | 'unreadable' };

const late = { kind: 'late' } as const;
const maxMessageLength = 8_192;

/** Maximum chunks of up to 64 KiB that wait here. A child that was taken over may send without end. */
const maxUnreadChunks = 16;

/** Ends when the process has ended. */
async function* readMessages(
  socket: Socket,
  closed: Promise<unknown>,
): AsyncGenerator<Message, undefined> {
  let text = '';
  // An iterator of the socket itself would keep it open, because it reads nothing while nobody waits for a message.
  const options = { close: ['close'], highWaterMark: maxUnreadChunks };
  try {
    for await (const [chunk] of on(socket, 'data', options)) {
      text += String(chunk);
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { data } = messageSchema.safeParse(tryParseJson(line));
        yield data ?? { kind: 'unreadable' };
      }
      if (text.length > maxMessageLength) yield { kind: 'unreadable' };
    }
  } catch {
    // The end of the process reports a broken pipe.
  }
  await closed;
}

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('received') }),
  z.object({
    kind: z.literal('inspected'),
    inspection: z.union([
      z.object({ kind: z.literal('accepted'), extension: z.string() }),
      z.pipe(
        z.object({
          kind: z.literal('refused'),
          detail: z.custom<InspectionDetail>(isDetail),
        }),
        z.transform(({ detail }) => refuse(detail)),
      ),
    ]),
    residentBytes: z.number(),
  }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({
    kind: z.enum(['threw', 'unreadable-file']),
    name: z.string(),
    at: z.array(z.string()),
  }),
]);

function isDetail(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(refusalCodes, value);
}

/** Converts the message to an error whose class and positions the log can read. The child may have been taken over. */
function toError({ name, at }: Extract<ChildMessage, { name: string }>): Error {
  const error = new Error('A child process threw an error');
  error.name = /^\w{1,60}$/.test(name) ? name : 'Error';
  const positions = at.filter((position) => /^[\w.:[\]-]{1,120}$/.test(position));
  error.stack = [error.name, ...positions.map((position) => `    at ${position}`)].join('\n');
  return error;
}
