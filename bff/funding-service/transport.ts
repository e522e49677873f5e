// One POST request over the network. The result tells where a failure happened; this file knows nothing of the content.

import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { buildConnector as Connect, Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import { toErrorCode } from '../runtime/error-code.ts';
import { startUnrefTimer } from '../runtime/timers.ts';

const maxResponseBytes = 4 * 1024 * 1024;
/** `highWaterMark` of the sockets that undici creates. Those with TLS have a smaller one. */
const socketBufferBytes = 64 * 1024;
/**
 * If the server closes a reused connection while we write, the outcome is unknown. Most servers close idle connections
 * after 5 s, so ours are closed before.
 */
const keepAliveTimeoutMs = 4_000;
/** A connection that was used this recently is rarely being closed: see docs/decisions/0003-calls-to-the-funding-service.md. */
const defaultRecentMs = 100;
/** After a connection broke during a call, the server may be one that closes connections in use. */
export const freshOnlyMs = 10 * 60_000;

/**
 * Which open connection a call may use. A server that closes a connection while we write leaves the outcome unknown.
 *
 * - `idle`: any that is idle for less than 4 s. For calls that can be repeated without harm.
 * - `recent`: one that ended its previous call less than 100 ms ago. For ten minutes after a connection broke during such a call,
 *   the transport opens a new one for each.
 * - `fresh`: none. For calls that take so long that a new connection costs nothing in comparison.
 */
export type ConnectionReuse = 'idle' | 'recent' | 'fresh';

/**
 * A body of known length. `open` is called for each attempt, and must yield exactly `bytes` bytes. Strings are sent as UTF-8. The
 * memory of a chunk may be used again when the next one is requested.
 */
export interface StreamedBody {
  readonly bytes: number;
  readonly open: () => AsyncIterable<Uint8Array | string>;
}

export type TransportBody = string | StreamedBody;

/** The method is always POST (spec, "Endpoints"). */
export interface TransportRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TransportBody | undefined;
  /** Default `idle`. */
  readonly reuse?: ConnectionReuse;
  readonly timeouts?: Partial<TransportTimeouts>;
}

export interface TransportTimeouts {
  /** From the sent request to the first byte of the response. */
  readonly headersMs: number;
  /** Between two parts of the response. */
  readonly bodyMs: number;
  /** For the whole call. */
  readonly totalMs: number;
}

/** `totalMs` is shorter than the lease of a delivery (180 s), so that no other worker sends the same row during a call. */
export const defaultTimeouts: TransportTimeouts = {
  headersMs: 120_000,
  bodyMs: 30_000,
  totalMs: 150_000,
};

export interface TransportResponse {
  readonly kind: 'response';
  readonly status: number;
  /** Names in lower case. Only the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * - `not-sent`: there was no connection (name lookup, refusal, TLS, timeout), so nothing was written.
 * - `interrupted`: anything may have been written (timeout, reset, incomplete or too large response, our own abort).
 */
export interface TransportFailure {
  readonly kind: 'not-sent' | 'interrupted';
  /** A short code for the log, such as `ECONNREFUSED`. */
  readonly failure: string;
}

export type TransportResult = TransportResponse | TransportFailure;

/**
 * Throws only for errors on our side: a request that cannot be written, or a streamed body that throws. In the latter case
 * the server has an incomplete request, which it cannot process.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResult>;

export type UndiciTransport = Transport & {
  /** Resolves after the calls in progress. */
  readonly close: () => Promise<void>;
  /** Ends calls in progress as `interrupted` and later ones as `not-sent`, both with the failure `ABORTED`. */
  readonly abort: () => void;
};

interface UndiciTransportOptions {
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  readonly timeouts?: Partial<TransportTimeouts>;
  /** How long an idle connection counts as `recent`. Default 100. */
  readonly recentMs?: number;
  /** Milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

/** Does not follow redirects. Uses its own agent, because a global proxy or interceptor could change what `not-sent` means. */
export function createUndiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const { connectTimeoutMs = 10_000, recentMs = defaultRecentMs } = options;
  const { clock = () => performance.now() } = options;
  const connectOptions = { connect: createConnector(connectTimeoutMs), allowH2: false };
  const agent = new Agent({ ...connectOptions, keepAliveTimeout: keepAliveTimeoutMs });
  const recentAgent = new Agent({
    ...connectOptions,
    keepAliveTimeout: recentMs,
    // The server can shorten the time with a `Keep-Alive` header, but not extend it.
    keepAliveMaxTimeout: recentMs,
  });
  /** One per call with a fresh connection. */
  const clients = new Set<Client>();
  let freshOnlyUntil = -Infinity;
  let isAborted = false;

  async function send(input: TransportRequest): Promise<TransportResult> {
    if (isAborted) return { kind: 'not-sent', failure: abortedCode };
    const timeouts = { ...defaultTimeouts, ...options.timeouts, ...input.timeouts };
    const body = openBody(input.body);
    const reuse = input.reuse === 'recent' && clock() < freshOnlyUntil ? 'fresh' : input.reuse;
    const client = reuse === 'fresh' ? openClient(input.url) : undefined;
    try {
      const { origin, pathname, search } = new URL(input.url);
      const dispatcher = client ?? (reuse === 'recent' ? recentAgent : agent);
      return await exchange(dispatcher, timeouts.totalMs, {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...input.headers, ...body.headers },
        body: body.content,
        headersTimeout: timeouts.headersMs,
        bodyTimeout: timeouts.bodyMs,
      });
    } catch (error) {
      const sourceError = body.sourceError();
      if (sourceError) throw sourceError.error;
      if (unwritableCodes.has(toFailureCode(error))) throw error;
      if (error instanceof ConnectFailure) {
        return { kind: 'not-sent', failure: toFailureCode(error.cause) };
      }
      const failure = toFailureCode(error);
      if (reuse === 'recent' && brokenCodes.has(failure)) freshOnlyUntil = clock() + freshOnlyMs;
      return { kind: 'interrupted', failure };
    } finally {
      if (client) {
        clients.delete(client);
        await client.destroy();
      }
    }
  }

  /** Sends no `Connection: close`: servers would close right after an early refusal, and the response would be lost. */
  function openClient(url: string): Client {
    const client = new Client(new URL(url).origin, connectOptions);
    clients.add(client);
    return client;
  }

  return Object.assign(send, {
    async close() {
      if (!isAborted) await Promise.all([agent.close(), recentAgent.close()]);
    },
    abort() {
      isAborted = true;
      // undici checks a signal only once a connection is open, which may take ten seconds.
      const error = createError(abortedCode);
      for (const dispatcher of [agent, recentAgent, ...clients]) void dispatcher.destroy(error);
    },
  });
}

/**
 * Sends a request and collects its response. Rejects with the error of undici. This interface of undici takes half the processor
 * time of its `request`, which adds a stream, an abort signal, and the timer of that signal.
 */
function exchange(
  dispatcher: Dispatcher,
  totalMs: number,
  options: Dispatcher.DispatchOptions,
): Promise<TransportResult> {
  const { promise, resolve, reject } = Promise.withResolvers<TransportResult>();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let status = 0;
  let headers: Readonly<Record<string, string>> = {};
  let controller: Dispatcher.DispatchController | undefined;
  let isLate = false;
  const expire = () => controller?.abort(createError('TimeoutError'));
  const cancelTimer = startUnrefTimer(totalMs, () => {
    isLate = true;
    expire();
  });
  dispatcher.dispatch(options, {
    // The connection is open, and nothing was written.
    onRequestStart(started) {
      controller = started;
      if (isLate) expire();
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      // The response follows an informational one (1xx), and replaces it.
      status = statusCode;
      headers = toPlainHeaders(responseHeaders);
    },
    onResponseData(started, chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxResponseBytes) started.abort(createError('RESPONSE_TOO_LARGE'));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      cancelTimer();
      // Omits a byte order mark, which `toString` does not.
      const text = new TextDecoder().decode(Buffer.concat(chunks));
      resolve({ kind: 'response', status, headers, text });
    },
    onResponseError(_controller, error) {
      cancelTimer();
      reject(error);
    },
  });
  return promise;
}

function createError(code: string): Error {
  return Object.assign(new Error('The call was aborted'), { code });
}

const abortedCode = 'ABORTED';

/** Wraps every error before the connection is open: name lookup, TCP, and TLS. */
class ConnectFailure extends Error {}

function createConnector(timeoutMs: number): Connect.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error) callback(new ConnectFailure('Connection failed', { cause: error }), null);
      else callback(null, socket);
    });
  };
}

function openBody(body: TransportBody | undefined) {
  /** The error that the source of a streamed body threw. */
  let sourceError: { readonly error: unknown } | undefined;
  async function* watch(source: AsyncIterable<Uint8Array | string>) {
    let isReading = true;
    try {
      for await (const chunk of source) {
        // During `yield`, an error comes from the connection: a destroyed stream throws into its source.
        isReading = false;
        yield toOwnMemory(chunk);
        // Lets undici read an early refusal first. Writing on after the server closed the connection would lose it.
        await nextTurn();
        isReading = true;
      }
    } catch (error) {
      if (isReading) sourceError = { error };
      throw error;
    }
  }
  const isStreamed = typeof body === 'object';
  return {
    content: isStreamed ? toUndiciBody(watch(body.open())) : (body ?? null),
    headers: isStreamed ? { 'Content-Length': String(body.bytes) } : {},
    sourceError: () => sourceError,
  };
}

/** undici documents that a body may be an async iterable (Dispatcher.md, `DispatchOptions`). Its types lack it. */
function toUndiciBody(source: AsyncIterable<Uint8Array | string>): Readable {
  return source as Readable;
}

/**
 * A chunk that fills the buffer of the socket has been written when undici requests the next one. undici requests the next one at
 * once after a smaller chunk, so that one is copied.
 */
function toOwnMemory(chunk: Uint8Array | string): Uint8Array | string {
  const isHeld = typeof chunk !== 'string' && chunk.byteLength < socketBufferBytes;
  return isHeld ? Uint8Array.from(chunk) : chunk;
}

function toPlainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const first = (value: string | string[] = '') => (typeof value === 'string' ? value : value[0]);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, first(value) ?? '']),
  );
}

/** undici did not write the request: an invalid URL, a header with a line break, or a body of another length. */
const unwritableCodes: ReadonlySet<string> = new Set([
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** The connection broke. Timeouts and invalid responses are not among them. */
const brokenCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function toFailureCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return toFailureCode(error.errors[0]);
  }
  const code = toErrorCode(error) ?? '';
  return /^[A-Za-z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}

const maxRetryAfterMs = 60 * 60 * 1000;
/** An HTTP date has about half as many characters; a header may have thousands. */
const maxDateLength = 60;

/** Parses Retry-After: milliseconds from `now` (epoch milliseconds), at most an hour. Undefined if absent or invalid. */
export function toRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), maxRetryAfterMs);
}

/** Epoch milliseconds, or NaN if the text is not an HTTP date. */
function parseHttpDate(text: string): number {
  // `Date.parse` accepts many other formats. Every form of an HTTP date has a name and a time of day.
  const isDate = text.length <= maxDateLength && /[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(text);
  if (!isDate) return Number.NaN;
  // The form that ends in a year means GMT (RFC 9110 section 5.6.7). `Date.parse` would use our own time zone.
  return Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
}
