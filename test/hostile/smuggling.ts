// Sends each request-smuggling shape on its own connection, and checks which requests the BFF saw and answered.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { serve } from '../../bff/server.ts';
import { startBff } from '../support/bff.ts';
import { proxyMark } from './proxies.ts';
import { hiddenPath, shapes, starts, toBytes, type Shape } from './smuggling-shapes.ts';

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
  if (isLenient) return { ...(await listenLeniently(app)), seen };
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

async function listenLeniently(app: Hono<BffEnv>): Promise<Omit<SmugglingTarget, 'seen'>> {
  const serverOptions = { insecureHTTPParser: true };
  const server = createAdaptorServer({ fetch: app.fetch, createServer, serverOptions });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
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
