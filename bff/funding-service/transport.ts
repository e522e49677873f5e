// One POST over the network, answered with a union that says where it broke; nothing here knows what is sent.

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector, Client, request } from 'undici';

const maxAnswerBytes = 4 * 1024 * 1024;
/** A socket the service closes while we write is ambiguous, so idle ones are dropped before the usual 5 s of servers. */
const keepAliveTimeoutMs = 4_000;

/** A body of known length; `open` begins it anew for each attempt and must yield exactly `bytes` bytes. */
export interface StreamedBody {
  readonly bytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export type TransportBody = string | Uint8Array | StreamedBody;

/** Always a POST: the service has no other method (spec, "Endpoints"). */
export interface TransportRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TransportBody | undefined;
  /** Opens a connection of its own, so that no half-closed idle one can swallow the request. Default false. */
  readonly freshConnection?: boolean;
  readonly timeouts?: Partial<TransportTimeouts>;
}

export interface TransportTimeouts {
  /** From the request written to the first byte of the answer; default 120,000. */
  readonly headersMs: number;
  /** Between two pieces of the answer; default 30,000. */
  readonly bodyMs: number;
  /** From the call to the end of the answer; default 150,000, below the lease of a delivery (180 s). */
  readonly totalMs: number;
}

/** `totalMs` stays below the lease of a delivery, so that no other worker sends the same row while a call is under way. */
export const defaultTimeouts: TransportTimeouts = {
  headersMs: 120_000,
  bodyMs: 30_000,
  totalMs: 150_000,
};

export interface TransportResponse {
  readonly kind: 'response';
  readonly status: number;
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * - `not-sent`: the connection was never ready (name look-up, refused, TLS, connect timeout); nothing was written.
 * - `interrupted`: anything may have been written (timeout, reset, answer cut off or too large, aborted by ourselves).
 */
export interface TransportFailure {
  readonly kind: 'not-sent' | 'interrupted';
  /** A short code for the log, for example `ECONNREFUSED`; never a text. */
  readonly failure: string;
}

export type TransportResult = TransportResponse | TransportFailure;

/**
 * Throws only what is our own fault: a request that cannot be written down, or a streamed body whose source fails. After
 * the latter the service holds an incomplete request, which it cannot have processed.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResult>;

export type UndiciTransport = Transport & {
  /** Resolves once the calls under way have ended. */
  readonly close: () => Promise<void>;
  /** Ends every call under way as `interrupted`, and each later one at once as `not-sent`; both with the failure `ABORTED`. */
  readonly abort: () => void;
};

export interface UndiciTransportOptions {
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  readonly timeouts?: Partial<TransportTimeouts>;
  /** Longest answer read; default 4 MiB. */
  readonly maxAnswerBytes?: number;
}

/** Own agent and clients, so that nothing global (proxy, interceptor, HTTP/2) changes what `not-sent` means. Redirects are not followed. */
export function createUndiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const agentOptions = {
    connect: createConnector(options.connectTimeoutMs ?? 10_000),
    allowH2: false,
    keepAliveTimeout: keepAliveTimeoutMs,
  };
  const shared = new Agent(agentOptions);
  const limit = options.maxAnswerBytes ?? maxAnswerBytes;
  /** Each with the connection of one call that is under way. */
  const clients = new Set<Client>();
  let isAborted = false;

  async function send(input: TransportRequest): Promise<TransportResult> {
    if (isAborted) return { kind: 'not-sent', failure: abortedFailure };
    const timeouts = { ...defaultTimeouts, ...options.timeouts, ...input.timeouts };
    const body = openBody(input.body);
    const own = input.freshConnection ? openClient(input.url) : undefined;
    try {
      const response = await request(input.url, {
        method: 'POST',
        dispatcher: own ?? shared,
        headers: { ...input.headers, ...body.headers },
        body: body.content,
        headersTimeout: timeouts.headersMs,
        bodyTimeout: timeouts.bodyMs,
        signal: AbortSignal.timeout(timeouts.totalMs),
      });
      const text = await readText(response.body, limit);
      if (text === undefined) return { kind: 'interrupted', failure: 'ANSWER_TOO_LARGE' };
      return {
        kind: 'response',
        status: response.statusCode,
        headers: toPlainHeaders(response.headers),
        text,
      };
    } catch (error) {
      const sourceError = body.sourceError();
      if (sourceError) throw sourceError.error;
      if (isUnwritable(error)) throw error;
      return toFailure(error);
    } finally {
      if (own) await closeClient(own);
    }
  }

  /** Without `Connection: close`: told so, servers close right after an early refusal, and writing on then loses it. */
  function openClient(url: string): Client {
    const client = new Client(new URL(url).origin, agentOptions);
    clients.add(client);
    return client;
  }

  async function closeClient(client: Client): Promise<void> {
    clients.delete(client);
    await client.destroy();
  }

  async function close(): Promise<void> {
    if (!isAborted) await shared.close();
  }

  function abort(): void {
    isAborted = true;
    // A signal would not do: undici heeds it only once a connection is open, which may take ten seconds.
    for (const dispatcher of [shared, ...clients]) void dispatcher.destroy(new CallAborted());
  }

  return Object.assign(send, { close, abort });
}

/** Reads `content` up to `limit` bytes; `undefined` when there is more. */
export async function readText(
  content: AsyncIterable<Uint8Array>,
  limit: number = maxAnswerBytes,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > limit) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const abortedFailure = 'ABORTED';

/** Why a call under way ends that is not waited for any more. */
class CallAborted extends Error {
  readonly code = abortedFailure;
  constructor() {
    super('The call was aborted');
    this.name = 'CallAborted';
  }
}

/** Marks every failure before the connection is usable: name look-up, TCP and TLS. */
class ConnectFailure extends Error {
  readonly failure: string;
  constructor(cause: Error) {
    super('The connection could not be opened', { cause });
    this.name = 'ConnectFailure';
    this.failure = toFailureCode(cause);
  }
}

function createConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error) callback(new ConnectFailure(error), null);
      else callback(null, socket);
    });
  };
}

interface OpenedBody {
  readonly content: string | Uint8Array | Readable | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What the source of a streamed body threw, if it did. */
  readonly sourceError: () => { readonly error: unknown } | undefined;
}

function openBody(body: TransportBody | undefined): OpenedBody {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { content: body ?? null, headers: {}, sourceError: () => undefined };
  }
  let sourceError: { readonly error: unknown } | undefined;
  async function* watched(source: AsyncIterable<Uint8Array>) {
    let isReading = true;
    try {
      for await (const chunk of source) {
        // What is thrown in here from now on comes from the connection: a stream that is given up throws into its source.
        isReading = false;
        yield chunk;
        // A refusal that has come meanwhile is read first: writing on into a connection the other side closed would lose it.
        await nextTurn();
        isReading = true;
      }
    } catch (error) {
      if (isReading) sourceError = { error };
      throw error;
    }
  }
  return {
    content: Readable.from(watched(body.open()), { objectMode: false }),
    headers: { 'Content-Length': String(body.bytes) },
    sourceError: () => sourceError,
  };
}

function toPlainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) plain[name.toLowerCase()] = first;
  }
  return plain;
}

const unwritableCodes: ReadonlySet<string> = new Set([
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** undici refuses to write the request at all: a wrong URL, a header with a line break, a body of another length. */
function isUnwritable(error: unknown): boolean {
  return unwritableCodes.has(toFailureCode(error));
}

function toFailure(error: unknown): TransportFailure {
  if (error instanceof ConnectFailure) return { kind: 'not-sent', failure: error.failure };
  return { kind: 'interrupted', failure: toFailureCode(error) };
}

function toFailureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error instanceof AggregateError && error.errors.length > 0)
    return toFailureCode(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^[A-Za-z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}

/** A service that asks for more is asked again after an hour all the same. */
const longestMs = 60 * 60 * 1000;

/** An HTTP date has about half as many; a header may have thousands. */
const maxDateLength = 60;

/** Milliseconds from `now` (epoch milliseconds), 0 to an hour; `undefined` when absent or unreadable. */
export function toRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : toTime(text) - now;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), longestMs);
}

/** Epoch milliseconds; NaN when the text is no HTTP date. */
function toTime(text: string): number {
  // `Date.parse` takes much more than an HTTP date; all forms of it hold a name and a time of day.
  const isDate = text.length <= maxDateLength && /[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(text);
  if (!isDate) return Number.NaN;
  // The form that ends in its year means GMT (RFC 9110 section 5.6.7); `Date.parse` would take our own zone.
  return Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
}
