// Inspects documents in a few child processes, so that one bad document harms nothing else.

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { inspectionDefaults } from '../config/settings.ts';
import { AppError } from '../runtime/app-error.ts';
import type { StartTimer } from '../runtime/timers.ts';
import { documentRefusals, toTypeExtension } from './refusals.ts';
import type { Inspection } from './inspect-document.ts';
import type { ChildAnswer, DocumentHeader, ErrorTrace } from './serve-inspections.ts';

/** For a turn. Two waits and two inspections have to fit into the 120 s after which the server closes a silent connection. */
const maxWaitMs = 20_000;

/** `not-checked`: the inspection failed twice, the second time with the machine's inspections to itself. */
export type Verdict =
  Inspection | { readonly kind: 'not-checked'; readonly reason: 'timeout' | 'memory' | 'crash' };

export interface InspectionPoolOptions {
  readonly startTimer: StartTimer;
  /** Documents inspected at once. */
  readonly processes?: number;
  /** For one attempt, from the moment the whole document is in the child. */
  readonly timeoutMs?: number;
  /** Resident memory of one child. JavaScript objects may take half of it. */
  readonly memoryMegabytes?: number;
  /** Default: our own, `inspection-child`. */
  readonly program?: URL;
}

export interface InspectionPool {
  /** Starts a child if none is idle, so that it is ready by the time a document is. */
  prepare(): void;
  /**
   * Inspects in the order of the calls. Throws an `InspectionUnavailableError`, and the `AppError` that reading the content throws.
   *
   * @param onFailure called for each attempt that failed; the first failure is followed by another attempt
   */
  inspect(
    document: StoredDocument,
    onFailure?: (failure: InspectionFailure) => void,
  ): Promise<Verdict>;
  /** Ends all children, also those that inspect. */
  close(): Promise<void>;
}

export function createInspectionPool(options: InspectionPoolOptions): InspectionPool {
  const { startTimer, processes = inspectionDefaults.processes } = options;
  const {
    timeoutMs = inspectionDefaults.timeoutSeconds * 1_000,
    memoryMegabytes = inspectionDefaults.memoryMegabytes,
    program = findProgram(),
  } = options;
  const turns = createTurns(processes, startTimer);
  const children = new Set<InspectionProcess>();
  const idle = new Set<InspectionProcess>();
  let isClosed = false;

  function start(): InspectionProcess {
    const child = startInspectionProcess({ program, startTimer, timeoutMs, memoryMegabytes });
    children.add(child);
    void child.closed.then(() => {
      children.delete(child);
      idle.delete(child);
    });
    return child;
  }

  function takeIdle(): InspectionProcess | undefined {
    const [child] = idle;
    if (child) idle.delete(child);
    return child;
  }

  async function attempt(document: StoredDocument, isAlone: boolean): Promise<Attempt> {
    if (isClosed) throw new InspectionUnavailableError('closed');
    // Memory that an earlier document left behind must not count against the second attempt.
    if (isAlone) await Promise.all([...children].map((child) => child.end()));
    const child = takeIdle() ?? start();
    let isReusable = false;
    try {
      const result = await child.inspect(document);
      if (isClosed) throw new InspectionUnavailableError('closed');
      // A child that has grown is replaced: idle memory is of no use, and the next document needs its own.
      isReusable =
        result.kind === 'inspected' && result.residentBytes < (memoryMegabytes * mebibyte) / 2;
      return result;
    } finally {
      if (isReusable) idle.add(child);
      else await child.end();
    }
  }

  return {
    prepare() {
      if (isClosed || idle.size > 0 || children.size >= processes) return;
      try {
        idle.add(start());
      } catch {
        // `inspect` meets the same fault and reports it.
      }
    },

    async inspect(document, onFailure = () => undefined) {
      const first = await turns.run('one', () => attempt(document, false));
      if (first.kind === 'inspected') return first.inspection;
      onFailure(first.failure);
      const second = await turns.run('all', () => attempt(document, true));
      if (second.kind === 'inspected') return second.inspection;
      onFailure(second.failure);
      const { reason } = second.failure;
      if (reason === 'interrupted') throw new InspectionUnavailableError(reason);
      return { kind: 'not-checked', reason };
    },

    async close() {
      isClosed = true;
      await Promise.all([...children].map((child) => child.end()));
    },
  };
}

interface Turns {
  /** Runs `work` beside others (`one`) or with no other work under way (`all`). */
  run<Result>(share: 'one' | 'all', work: () => Promise<Result>): Promise<Result>;
}

/** First come, first served; second attempts go first, so that nobody waits twice for the whole line. */
function createTurns(count: number, startTimer: StartTimer): Turns {
  const line: { readonly share: 'one' | 'all'; readonly begin: () => void }[] = [];
  let free = count;

  function beginNext(): void {
    for (let next = line[0]; next; next = line[0]) {
      const needed = next.share === 'all' ? count : 1;
      if (needed > free) return;
      free -= needed;
      line.shift();
      next.begin();
    }
  }

  function take(share: 'one' | 'all'): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        share,
        begin() {
          cancel();
          resolve();
        },
      };
      const cancel = startTimer(maxWaitMs, () => {
        line.splice(line.indexOf(waiting), 1);
        reject(new InspectionUnavailableError('overloaded'));
        beginNext();
      });
      const place = line.findIndex((other) => other.share === 'one');
      if (share === 'all' && place >= 0) line.splice(place, 0, waiting);
      else line.push(waiting);
      beginNext();
    });
  }

  return {
    async run(share, work) {
      await take(share);
      try {
        return await work();
      } finally {
        free += share === 'all' ? count : 1;
        beginNext();
      }
    },
  };
}

/** Lies beside this file and is of its kind: a source beside sources, a bundle beside the bundle. */
function findProgram(): URL {
  return new URL(`./inspection-child${extname(import.meta.url)}`, import.meta.url);
}

export const mebibyte = 1024 * 1024;

/** For a child to start, and to take what it was sent. An honest child needs a fraction of a second on an idle machine. */
const unresponsiveMs = 30_000;
/** The end of standard error, where V8 says that it ran out of memory. */
const keptErrorLength = 8_192;

/**
 * Why an attempt ended without a verdict:
 * - `timeout`: it took longer than it may.
 * - `memory`: the child needed more memory than it may, or than the machine has.
 * - `crash`: the child ended in another way, or its answer was none we know.
 * - `interrupted`: the child ended before the document was whole in it, so the document cannot be the reason.
 */
export const inspectionFailures = ['timeout', 'memory', 'crash', 'interrupted'] as const;

export interface InspectionFailure {
  readonly reason: (typeof inspectionFailures)[number];
  readonly exitCode?: number;
  readonly signal?: string;
}

/**
 * Why a document could not be inspected at all, through no fault of the document:
 * - `not-started`: no child could be started.
 * - `interrupted`: as above, twice.
 * - `threw`: the inspection threw an error, which is a bug.
 * - `content-unreadable`: the document could not be read back from the store.
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

/** A document whose pieces are all in the store. */
export interface StoredDocument extends DocumentHeader {
  /** Reads all `bytes` in pieces. Called once per attempt, when its turn has come. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

export type Attempt =
  | Extract<ChildAnswer, { kind: 'inspected' }>
  | { readonly kind: 'failed'; readonly failure: InspectionFailure };

export interface InspectionProcess {
  inspect(document: StoredDocument): Promise<Attempt>;
  /** Resolves when the process is gone and all it wrote is read. */
  readonly closed: Promise<unknown>;
  /** Kills the process. */
  end(): Promise<unknown>;
}

export interface ProcessOptions {
  readonly program: URL;
  readonly startTimer: StartTimer;
  /** For one inspection, from the moment the whole document is in the child. */
  readonly timeoutMs: number;
  readonly memoryMegabytes: number;
}

/** Throws an `InspectionUnavailableError` when the process cannot even be created. */
export function startInspectionProcess(options: ProcessOptions): InspectionProcess {
  const { startTimer, timeoutMs } = options;
  const child = spawnProgram(options);
  let startError: unknown;
  child.on('error', (error) => (startError = error));
  const stdin = requireSocket(child, 0);
  const stderr = requireSocket(child, 2);
  const answersEnd = requireSocket(child, 3);
  const sockets = [stdin, stderr, answersEnd];
  let errorOutput = '';
  let isKilled = false;
  stderr.on('data', (text: Buffer) => {
    errorOutput = `${errorOutput}${text.toString('latin1')}`.slice(-keptErrorLength);
  });
  // A broken pipe is noticed by the end of the process.
  for (const socket of sockets) socket.on('error', () => undefined);
  const closed = new Promise<InspectionFailure>((resolvePromise) => {
    // A process that never existed has no end.
    if (child.pid === undefined) child.once('error', () => resolvePromise({ reason: 'crash' }));
    child.once('close', (exitCode, signal) => {
      const isOutOfMemory = signal === 'SIGKILL' || /out of memory/i.test(errorOutput);
      resolvePromise({
        reason: isOutOfMemory ? 'memory' : 'crash',
        ...(exitCode === null ? {} : { exitCode }),
        ...(signal === null ? {} : { signal }),
      });
    });
  });
  const answers = createAnswers(answersEnd, closed, startTimer);
  const ready = answers.next(unresponsiveMs);
  holdProcessOpen(false);

  /** An idle child must not keep the BFF from ending. */
  function holdProcessOpen(isHeld: boolean): void {
    for (const handle of [child, ...sockets]) {
      if (isHeld) handle.ref();
      else handle.unref();
    }
  }

  function end(): Promise<unknown> {
    isKilled = true;
    child.kill('SIGKILL');
    return closed;
  }

  /** False when the child is gone or takes nothing any more. */
  async function write(bytes: Uint8Array | string): Promise<boolean> {
    if (stdin.destroyed) return false;
    return stdin.write(bytes) || waitForDrain(stdin, startTimer);
  }

  async function send({ content, ...document }: StoredDocument): Promise<boolean> {
    const { extension, options: inspectionOptions, bytes } = document;
    const header: DocumentHeader = { extension, options: inspectionOptions, bytes };
    if (!(await write(`${JSON.stringify(header)}\n`))) return false;
    let sent = 0;
    for await (const piece of readOrFault(content)) {
      sent += piece.byteLength;
      if (sent > bytes) break;
      if (!(await write(piece))) return false;
    }
    if (sent !== bytes) throw new InspectionUnavailableError('content-unreadable');
    return true;
  }

  async function inspect(document: StoredDocument): Promise<Attempt> {
    if ((await ready).kind !== 'ready')
      throw new InspectionUnavailableError('not-started', startError);
    const isSent = await send(document);
    const received = isSent ? await answers.next(unresponsiveMs) : undefined;
    if (received?.kind !== 'received') return fail('interrupted');
    const answer = await answers.next(timeoutMs);
    if (answer.kind === 'inspected' && isPlausible(answer.inspection, document)) return answer;
    if (answer.kind === 'threw')
      throw new InspectionUnavailableError('threw', toError(answer.error));
    if (answer.kind === 'late') return fail('timeout');
    return fail(answer.kind === 'out-of-memory' ? 'memory' : 'crash');
  }

  /** With how the child ended by itself, where it did. */
  async function fail(reason: InspectionFailure['reason']): Promise<Attempt> {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded || isKilled) return { kind: 'failed', failure: { reason } };
    const ending = await closed;
    const isOwn = reason === 'interrupted';
    return { kind: 'failed', failure: isOwn ? { ...ending, reason } : ending };
  }

  return {
    closed,
    end,
    async inspect(document) {
      holdProcessOpen(true);
      try {
        return await inspect(document);
      } finally {
        holdProcessOpen(false);
      }
    },
  };
}

/**
 * An empty environment: the child needs none of our secrets, nor what Node was told to load into this process. The permission
 * model keeps a library from writing files, from reading files other than the program's own, and from starting programs. It is
 * no wall against code that has taken over the child: Node 24 lets a thread leave it, and does not restrict the network.
 */
function spawnProgram({ program, memoryMegabytes }: ProcessOptions): ChildProcess {
  const path = fileURLToPath(program);
  const isBuilt = extname(import.meta.filename) !== '.ts';
  const readable = isBuilt ? dirname(path) : resolve(import.meta.dirname, '../..');
  const options = [
    `--max-old-space-size=${Math.floor(memoryMegabytes / 2)}`,
    '--permission',
    `--allow-fs-read=${readable}/*`,
    // For the watchdog.
    '--allow-worker',
  ];
  try {
    const child = spawn(process.execPath, [...options, path, `${memoryMegabytes * mebibyte}`], {
      env: {},
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    tellKernel(child.pid);
    return child;
  } catch (error) {
    throw new InspectionUnavailableError('not-started', error);
  }
}

/**
 * Where the machine or the container runs out of memory, Linux then ends an inspection and not the BFF. A child that crashes
 * leaves no core dump with the applicant's document in it (man 5 core, man 5 proc).
 */
function tellKernel(processId: number | undefined): void {
  if (process.platform !== 'linux' || processId === undefined) return;
  // A container may forbid both; the limits of the child hold all the same.
  writeFile(`/proc/${processId}/oom_score_adj`, '1000', () => undefined);
  writeFile(`/proc/${processId}/coredump_filter`, '0', () => undefined);
}

/** Node leaves the pipes out when the process has no file descriptors left. */
function requireSocket(child: ChildProcess, index: number): Socket {
  const stream = child.stdio?.[index];
  if (stream instanceof Socket) return stream;
  throw new InspectionUnavailableError('not-started');
}

/** The funding service gets the extension, so only an allowed one may come back. */
function isPlausible(inspection: Inspection, { options }: DocumentHeader): boolean {
  return (
    inspection.kind === 'refused' ||
    options.allowedExtensions.map(toTypeExtension).includes(inspection.extension)
  );
}

/** An `AppError` says what became of the document; any other error is a fault of the store. */
async function* readOrFault(content: StoredDocument['content']): AsyncGenerator<Uint8Array> {
  try {
    yield* content();
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new InspectionUnavailableError('content-unreadable', error);
  }
}

function waitForDrain(stdin: Socket, startTimer: StartTimer): Promise<boolean> {
  return new Promise((resolvePromise) => {
    function settle(isDrained: boolean): void {
      cancel();
      stdin.off('drain', handleDrain).off('close', handleClose);
      resolvePromise(isDrained);
    }
    const handleDrain = (): void => settle(true);
    const handleClose = (): void => settle(false);
    const cancel = startTimer(unresponsiveMs, handleClose);
    stdin.on('drain', handleDrain).on('close', handleClose);
  });
}

const maxAnswerLength = 8_192;

export interface Answers {
  /** `ended`: the process is gone. `late`: no answer in time. `unreadable`: it was none we know. */
  next(limitMs: number): Promise<ChildAnswer | { readonly kind: 'ended' | 'late' | 'unreadable' }>;
}

export function createAnswers(
  socket: Socket,
  closed: Promise<unknown>,
  startTimer: StartTimer,
): Answers {
  type Answer = Awaited<ReturnType<Answers['next']>>;
  const unread: Answer[] = [];
  let take: ((answer: Answer) => void) | undefined;
  let text = '';

  function add(answer: Answer): void {
    if (take) take(answer);
    else unread.push(answer);
  }

  socket.on('data', (data: Buffer) => {
    text += data.toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) add(toAnswer(line));
    if (text.length <= maxAnswerLength) return;
    text = '';
    add({ kind: 'unreadable' });
  });
  void closed.then(() => add({ kind: 'ended' }));

  return {
    next(limitMs) {
      const first = unread.shift();
      if (first) return Promise.resolve(first);
      return new Promise((resolvePromise) => {
        const settle = (answer: Answer): void => {
          take = undefined;
          cancel();
          resolvePromise(answer);
        };
        take = settle;
        // A turn later: where this process itself stood still, the answer lies in the pipe already.
        const cancel = startTimer(limitMs, () => {
          setImmediate(() => {
            if (take === settle) settle({ kind: 'late' });
          });
        });
      });
    },
  };
}

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('received') }),
  z.object({
    kind: z.literal('inspected'),
    inspection: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('accepted'), extension: z.string() }),
      z.object({
        kind: z.literal('refused'),
        code: z.enum(documentRefusals),
        detail: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
      }),
    ]),
    residentBytes: z.number(),
  }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({
    kind: z.literal('threw'),
    error: z.object({ name: z.string(), at: z.array(z.string()) }),
  }),
]);

function toAnswer(line: string): ChildAnswer | { readonly kind: 'unreadable' } {
  try {
    // The words of `detail` are a closed list for the compiler; here their shape is checked.
    return answerSchema.parse(JSON.parse(line)) as ChildAnswer;
  } catch {
    return { kind: 'unreadable' };
  }
}

/** An error that the log can show with its class and place. */
export function toError({ name, at }: ErrorTrace): Error {
  const error = new Error('The inspection threw');
  error.name = /^\w{1,60}$/.test(name) ? name : 'Error';
  const frames = at.filter((frame) => /^[\w.:[\]-]{1,120}$/.test(frame)).slice(0, 8);
  error.stack = [error.name, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}
