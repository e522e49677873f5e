// Request smuggling: requests whose end two servers can find in different places (RFC 9112, sections 6.1, 6.3, 7.1, and 11.2).
// Sends each on its own connection, and checks which requests the BFF saw and answered.

import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { serve } from '../../../bff/server.ts';
import { startBff } from '../../support/bff.ts';
import { listenApp } from '../../support/servers.ts';
import { proxyMark } from './proxies.ts';

export interface Shape {
  readonly name: string;
  /** `invalid`: the server answers nothing after it. `whole`: the server answers it and the next request. `either`: the standard allows both. */
  readonly kind: 'invalid' | 'whole' | 'either';
  /** Default: the request line and `Host` of a POST. */
  readonly start?: string;
  /** Header lines, without the line break at the end. */
  readonly head: string;
  readonly body: string;
}

/** The path of the hidden request. */
export const hiddenPath = '/smuggled';

const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const inChunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const afterLastChunk = `0\r\n\r\n${hidden}`;
const length = `Content-Length: ${hidden.length}`;
const chunked = 'Transfer-Encoding: chunked';

function invalid(name: string, head: string, body: string, start?: string): Shape {
  return { name, kind: 'invalid', head, body, ...(start === undefined ? {} : { start }) };
}

function whole(name: string, head: string, body: string, start?: string): Shape {
  return { ...invalid(name, head, body, start), kind: 'whole' };
}

function either(name: string, head: string, body: string, start?: string): Shape {
  return { ...invalid(name, head, body, start), kind: 'either' };
}

const both = `Content-Length: ${afterLastChunk.length}`;

/** Codings that a server may or may not read as `chunked`, with a contradicting length. */
const codings: readonly (readonly [string, string])[] = [
  ['an unknown coding', 'Transfer-Encoding: xchunked'],
  ['identity', 'Transfer-Encoding: identity'],
  ['chunked, then identity', 'Transfer-Encoding: chunked, identity'],
  ['a coding in quotes', 'Transfer-Encoding: "chunked"'],
  ['a coding with a parameter', 'Transfer-Encoding: chunked;q=1'],
  ['a coding with a vertical tab', 'Transfer-Encoding: \vchunked'],
  ['a coding with a NUL', 'Transfer-Encoding: chunked\0'],
  ['a coding after a NUL', 'Transfer-Encoding\0: chunked'],
  ['a coding with a blank before the colon', 'Transfer-Encoding : chunked'],
  ['a coding with a tab before the colon', 'Transfer-Encoding\t: chunked'],
  ['a coding after a bare line feed', 'X: x\nTransfer-Encoding: chunked'],
  ['a coding after a bare carriage return', 'X: x\rTransfer-Encoding: chunked'],
  ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked'],
  ['a coding on what looks like a folded line', 'X: x\r\n Transfer-Encoding: chunked'],
  ['two codings on two lines', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
  ['a coding in capitals', 'TRANSFER-ENCODING: CHUNKED'],
];

const lengths: readonly (readonly [string, string])[] = [
  ['two lengths', `Content-Length: 0\r\n${length}`],
  ['two lengths, the other way round', `${length}\r\nContent-Length: 0`],
  ['one length twice', `${length}\r\n${length}`],
  ['a list of lengths', `Content-Length: 0, ${hidden.length}`],
  ['a length with a plus', `Content-Length: +${hidden.length}`],
  ['a negative length', 'Content-Length: -1'],
  ['a hexadecimal length', `Content-Length: 0x${hidden.length.toString(16)}`],
  ['a length with a blank inside', 'Content-Length: 0 5'],
  ['a length with a blank before the colon', `Content-Length : ${hidden.length}`],
  ['an empty length', 'Content-Length:'],
  ['a length with a fraction', `Content-Length: ${hidden.length}.0`],
  ['a length beyond 64 bits', `Content-Length: 18446744073709551616`],
  ['a length with an exponent', 'Content-Length: 1e1'],
];

const sizes: readonly (readonly [string, string])[] = [
  ['a chunk size with 0x', `0x${inChunks}`],
  ['a chunk size with a plus', `+${inChunks}`],
  ['a negative chunk size', `-1\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk size beyond 64 bits', `1000000000000000${inChunks}`],
  ['a chunk size with a blank before it', ` ${inChunks}`],
  ['an empty chunk size', `\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk size after a NUL', `\0${inChunks}`],
  ['a chunk size that ends with a bare line feed', `1\nx\r\n${afterLastChunk}`],
  ['a chunk extension with a bare line feed', `1;a\nb\r\nx\r\n${afterLastChunk}`],
  ['a chunk that is longer than its size', `1\r\nxyz\r\n${afterLastChunk}`],
  ['a chunk without its line break', `1\r\nx0\r\n\r\n${hidden}`],
  ['a chunk extension without end', `1;${'a'.repeat(20_000)}\r\nx\r\n${afterLastChunk}`],
  ['a last chunk that ends with bare line feeds', `0\n\n${hidden}`],
];

const get = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n';

export const shapes: readonly Shape[] = [
  invalid('a coding and a length', `${chunked}\r\n${both}`, afterLastChunk),
  invalid('a length and a coding', `${both}\r\n${chunked}`, afterLastChunk),
  ...codings.map(([name, head]) =>
    invalid(`${name}, and a length`, `${head}\r\n${both}`, afterLastChunk),
  ),
  ...lengths.map(([name, head]) => invalid(name, head, hidden)),
  ...sizes.map(([name, body]) => invalid(name, chunked, body)),
  invalid(
    'a coding in HTTP/1.0',
    chunked,
    afterLastChunk,
    'POST /v1/session HTTP/1.0\r\nHost: localhost\r\n',
  ),
  either('no Host', length, hidden, 'POST /v1/session HTTP/1.1\r\n'),
  invalid('HTTP/0.9', '', '', 'GET /livez\r\n'),
  invalid('HTTP/2 without negotiation', '', '', 'PRI * HTTP/2.0\r\n\r\nSM\r\n'),
  either('a trailer that names a length', chunked, `${inChunks.slice(0, -2)}${length}\r\n\r\n`),
  either(
    'an upgrade to another protocol, with a body',
    `Upgrade: h2c\r\nConnection: Upgrade\r\n${length}`,
    hidden,
  ),
  either('an unknown expectation', `Expect: a miracle\r\n${length}`, hidden),
  either('a GET with a body', length, hidden, get),
  either('a GET with a body in chunks', chunked, inChunks, get),
  either(
    'an empty line before the request',
    length,
    hidden,
    `\r\nPOST /v1/session HTTP/1.1\r\nHost: localhost\r\n`,
  ),
  whole('a body with its length', length, hidden),
  whole('a body in chunks', chunked, inChunks),
  whole('a body in chunks, in capitals', 'TRANSFER-ENCODING: CHUNKED', inChunks),
  whole('a length with blanks around it', `Content-Length: \t${hidden.length} `, hidden),
  whole('a length with zeros before it', `Content-Length: 000${hidden.length}`, hidden),
  whole('a chunk size with zeros before it', chunked, `000${inChunks}`),
  whole('a chunk with an extension', chunked, inChunks.replace('\r\n', ';a=b\r\n')),
  whole('a header with an underscore', 'Content_Length: 5', ''),
  whole('the expectation 100-continue', `Expect: 100-continue\r\n${length}`, hidden),
];

/** The first lines of a request that the origin gate refuses, and of one whose body a route reads. */
export const starts = {
  'refused by the origin gate': 'POST /v1/session HTTP/1.1\r\nHost: localhost\r\n',
  'read by a route':
    'POST /v1/session HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:8080\r\n' +
    'X-Funding-Request: 1\r\nContent-Type: application/json\r\n',
} as const;

/** The shape, followed by a second request. */
export function toBytes(shape: Shape, start: string): Buffer {
  const head = `${shape.start ?? start}${shape.head}${shape.head === '' ? '' : '\r\n'}\r\n`;
  const next = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  return Buffer.from(`${head}${shape.body}${next}`, 'latin1');
}

export interface SmugglingTarget {
  readonly port: number;
  /** Every request that reached the BFF, in order. */
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

interface SeenRequest {
  /** For example `GET /livez`. */
  readonly line: string;
  /** The proxy in front of the BFF marked the request, so the proxy saw it too. */
  readonly isMarked: boolean;
}

export interface Smuggling {
  readonly exchanges: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

export interface SmugglingOptions {
  /** The port of the BFF or of a proxy in front of it. Defaults to the BFF's. */
  readonly port?: number;
  /** A connection without data for this time is complete. Defaults to 1,000. */
  readonly idleTimeoutMs?: number;
}

/** A BFF on a real port. With `isLenient`, it uses Node's lenient parser, to test the shapes and checks themselves. */
export async function startTarget({ isLenient = false } = {}): Promise<SmugglingTarget> {
  const bff = await startBff({ delivers: false });
  const seen: SeenRequest[] = [];
  const app = new Hono<BffEnv>().all('*', (c) => {
    const isMarked = c.req.header(proxyMark) !== undefined;
    seen.push({ line: `${c.req.method} ${c.req.path}`, isMarked });
    return bff.app.fetch(c.req.raw, c.env);
  });
  if (isLenient) return { ...(await listenApp(app.fetch, { insecureHTTPParser: true })), seen };
  const serving = await serve({ bff: { ...bff, app }, port: 0, drainMs: 0 });
  return { port: serving.port, seen, close: async () => void (await serving.stop()) };
}

export async function sendShapes(
  target: SmugglingTarget,
  { port = target.port, idleTimeoutMs = 1_000 }: SmugglingOptions = {},
): Promise<Smuggling> {
  const line = { target, port, idleTimeoutMs };
  const problems: string[] = [];
  let exchanges = 0;
  let refused = 0;
  for (const [where, start] of Object.entries(starts)) {
    for (const shape of shapes) {
      const exchange = await send(line, toBytes(shape, start));
      exchanges += 1;
      if (!exchange.lines.includes(next)) refused += 1;
      const findProblem = port === target.port ? findDirectProblem : findProxiedProblem;
      const found =
        findGeneralProblem(exchange) ??
        findProblem(exchange, shape) ??
        (await findHarmToNext(line));
      if (found) problems.push(`${shape.name}, ${where}: ${found}: ${describe(exchange)}`);
    }
  }
  return { exchanges, refused, problems };
}

interface Line extends Required<SmugglingOptions> {
  readonly target: SmugglingTarget;
}

interface Exchange {
  readonly seen: readonly SeenRequest[];
  readonly lines: readonly string[];
  /** Without 1xx, in order. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
}

const next = 'GET /livez';

function findGeneralProblem({ statuses, isClosed }: Exchange): string | undefined {
  if (!isClosed) return 'the connection stayed open';
  const isBroken = statuses.some((status) => status >= 500 && ![501, 505].includes(status));
  return isBroken ? 'the server failed' : undefined;
}

function findDirectProblem({ lines, statuses }: Exchange, { kind }: Shape): string | undefined {
  if (lines.some((line) => line.includes(hiddenPath))) return 'the hidden request was accepted';
  if (kind === 'invalid' && lines.includes(next)) return 'a later request was accepted';
  if (kind === 'whole' && statuses[1] !== 200) return 'the request was refused';
  // After a response that closes the connection, Node still parses received requests, but does not answer them.
  const isCut = kind === 'either' && statuses.length === 1;
  if (statuses.length < lines.length && !isCut) return 'a response is missing';
  return statuses.length > lines.length + 1 ? 'there is an extra response' : undefined;
}

/** Proxies parse more leniently, and can see a request that the BFF alone would refuse. Both have to see the same requests. */
function findProxiedProblem({ seen, statuses }: Exchange): string | undefined {
  if (seen.some(({ isMarked }) => !isMarked)) return 'the proxy never saw a request';
  return statuses.length < seen.length ? 'a response is missing' : undefined;
}

/** Checks the response to another client, on a connection that the proxy may reuse. */
async function findHarmToNext(line: Line): Promise<string | undefined> {
  const request = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const { lines, statuses } = await send(line, Buffer.from(request));
  const isItself = lines.join() === 'GET /readyz' && statuses.join() === '200';
  return isItself
    ? undefined
    : `the next client's request became ${lines.join()} ${statuses.join()}`;
}

async function send({ target, port, idleTimeoutMs }: Line, bytes: Buffer): Promise<Exchange> {
  target.seen.length = 0;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let isClosed = true;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  // The server may reset the connection while the test still writes.
  socket.on('error', () => undefined);
  // Ends the connection for a server that waits for more data. Ending it earlier would make Node drop unanswered requests.
  socket.setTimeout(idleTimeoutMs, () => {
    isClosed = !socket.writableEnded;
    if (isClosed) socket.end();
    else socket.destroy();
  });
  socket.on('end', () => socket.end());
  socket.write(bytes);
  await once(socket, 'close');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => Number(match[1]));
  const final = statuses.filter((status) => status >= 200);
  // An HTTP/0.9 response has no status line.
  if (text !== '' && !text.startsWith('HTTP/')) final.unshift(200);
  const seen = [...target.seen];
  return { seen, lines: seen.map(({ line }) => line), statuses: final, isClosed };
}

function describe({ lines, statuses }: Exchange): string {
  return `saw ${lines.join(', ') || 'nothing'}, answered ${statuses.join(', ') || 'nothing'}`;
}
