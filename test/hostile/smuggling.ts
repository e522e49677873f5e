// Sends every smuggling shape over a connection of its own, and looks at what the BFF saw and what came back.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { serve } from '../../bff/server.ts';
import { createRig } from '../bff/bff-rig.ts';
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
  /** By the proxy before the BFF: it knows of this request. */
  readonly isMarked: boolean;
}

export interface Smuggling {
  readonly exchanges: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

export interface SmugglingOptions {
  /** The BFF's, or that of a proxy before it; default the BFF's. */
  readonly port?: number;
  /** Everything is on one machine: who says nothing for so long has nothing to say. Default 1,000. */
  readonly patienceMs?: number;
}

/** A BFF on a real port with the limits of a real process; a lenient one, which no partner gets, shows whether shapes and judges are any good. */
export async function startTarget({ isLenient = false } = {}): Promise<SmugglingTarget> {
  const rig = await createRig({ delivers: false });
  const seen: SeenRequest[] = [];
  const app = new Hono<BffEnv>().all('*', (c) => {
    const isMarked = c.req.header(proxyMark) !== undefined;
    seen.push({ line: `${c.req.method} ${c.req.path}`, isMarked });
    return rig.app.fetch(c.req.raw, c.env);
  });
  if (isLenient) return { ...(await listenLeniently(app)), seen };
  const serving = await serve({ bff: { ...rig, app }, port: 0, drainMs: 0 });
  return { port: serving.port, seen, close: async () => void (await serving.stop()) };
}

export async function smuggle(
  target: SmugglingTarget,
  { port = target.port, patienceMs = 1_000 }: SmugglingOptions = {},
): Promise<Smuggling> {
  const line = { target, port, patienceMs };
  const problems: string[] = [];
  let exchanges = 0;
  let refused = 0;
  for (const [where, start] of Object.entries(starts)) {
    for (const shape of shapes) {
      const exchange = await send(line, toBytes(shape, start));
      exchanges += 1;
      if (!exchange.lines.includes(next)) refused += 1;
      const judge = port === target.port ? judgeDirect : judgeProxied;
      const found = judgeAlways(exchange) ?? judge(exchange, shape) ?? (await harm(line));
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
  /** Final ones, in order. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
}

const next = 'GET /livez';

function judgeAlways({ statuses, isClosed }: Exchange): string | undefined {
  if (!isClosed) return 'nothing more came, and no end';
  const isBroken = statuses.some((status) => status >= 500 && ![501, 505].includes(status));
  return isBroken ? 'it broke' : undefined;
}

function judgeDirect({ lines, statuses }: Exchange, { kind }: Shape): string | undefined {
  if (lines.some((line) => line.includes(hiddenPath))) return 'the hidden request was taken';
  if (kind === 'invalid' && lines.includes(next)) return 'a request after it was taken';
  if (kind === 'whole' && statuses[1] !== 200) return 'it was refused';
  // After an answer that ends the connection Node still takes, and does not answer, what had come already.
  const isCut = kind === 'either' && statuses.length === 1;
  if (statuses.length < lines.length && !isCut) return 'an answer is missing';
  return statuses.length > lines.length + 1 ? 'there is an answer too many' : undefined;
}

/** Proxies read more leniently, and see a next request where the BFF alone would refuse: which is fine, as long as both see the same. */
function judgeProxied({ seen, statuses }: Exchange): string | undefined {
  if (seen.some(({ isMarked }) => !isMarked)) return 'a request came that the proxy never saw';
  return statuses.length < seen.length ? 'an answer is missing' : undefined;
}

/** What another client gets afterwards, over whatever connection the proxy keeps. */
async function harm(line: Line): Promise<string | undefined> {
  const request = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const { lines, statuses } = await send(line, Buffer.from(request));
  const isItself = lines.join() === 'GET /readyz' && statuses.join() === '200';
  return isItself
    ? undefined
    : `the next client's request became ${lines.join()} ${statuses.join()}`;
}

async function send({ target, port, patienceMs }: Line, bytes: Buffer): Promise<Exchange> {
  target.seen.length = 0;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let isClosed = true;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  // A connection that is reset while we still write is an answer as well.
  socket.on('error', () => undefined);
  // A server that waits for more than was sent learns that no more comes; not before, since Node then drops what it has not answered.
  socket.setTimeout(patienceMs, () => {
    isClosed = !socket.writableEnded;
    if (isClosed) socket.end();
    else socket.destroy();
  });
  socket.on('end', () => socket.end());
  socket.write(bytes);
  await once(socket, 'close');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => Number(match[1]));
  const final = statuses.filter((status) => status >= 200);
  // HTTP/0.9 knows no status: the answer is the content alone.
  if (text !== '' && !text.startsWith('HTTP/')) final.unshift(200);
  const seen = [...target.seen];
  return { seen, lines: seen.map(({ line }) => line), statuses: final, isClosed };
}

function describe({ lines, statuses }: Exchange): string {
  return `saw ${lines.join(', ') || 'nothing'}, answered ${statuses.join(', ') || 'nothing'}`;
}
