// Request smuggling: requests whose end two servers can find in different places (RFC 9112, sections 6.1, 6.3, 7.1, and 11.2).
// Sends each on its own connection, and checks which requests the BFF saw and answered.

import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { serve } from '../../../bff/server.ts';
import { startBff } from '../../support/bff.ts';
import { readRows } from '../../support/files/rows.ts';
import { listenApp } from '../../support/servers.ts';
import type { CampaignContext, CampaignRow } from '../campaign.ts';
import { proxyMark, proxyNames, startProxy } from './proxies.ts';

/**
 * In the table, HIDDEN stands for the hidden request, LENGTH and HEX for its length, and TOTAL for the length of an empty last chunk
 * with the hidden request after it.
 */
interface Shape {
  readonly name: string;
  /** `invalid`: the server answers nothing after it. `whole`: the server answers it and the next request. `either`: the standard allows both. */
  readonly kind: 'invalid' | 'whole' | 'either';
  /** Header lines, without the line break at the end. */
  readonly head?: string;
  readonly body?: string;
  /** Default: the request line and `Host` of a POST. */
  readonly start?: string;
}

/** The path of the hidden request. */
const hiddenPath = '/smuggled';
const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const endless = `1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\nHIDDEN`;
const shapes: readonly Shape[] = [
  ...readRows<Shape>('smuggling.ndjson', import.meta.url),
  {
    kind: 'invalid',
    name: 'a chunk extension without end',
    head: 'Transfer-Encoding: chunked',
    body: endless,
  },
];
const post = 'POST /v1/session HTTP/1.1\r\nHost: localhost\r\n';

function fill(text: string): string {
  return text
    .replaceAll('HIDDEN', hidden)
    .replaceAll('LENGTH', String(hidden.length))
    .replaceAll('HEX', hidden.length.toString(16))
    .replaceAll('TOTAL', String('0\r\n\r\n'.length + hidden.length));
}

/** The first lines of a request that the origin gate refuses, and of one whose body a route reads. */
const starts = {
  'refused by the origin gate': post,
  'read by a route': `${post}Origin: http://localhost:8080\r\nX-Funding-Request: 1\r\nContent-Type: application/json\r\n`,
};

/** The shape, followed by a second request. */
function toBytes({ head, body = '', start }: Shape, defaultStart: string): Buffer {
  const lines = `${start ?? defaultStart}${head === undefined ? '' : `${head}\r\n`}\r\n`;
  const next = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  return Buffer.from(fill(lines + body) + next, 'latin1');
}

/** Sends the requests directly to the BFF, and through each installed proxy. The notes list missing proxies. */
export async function runSmuggling({ share }: CampaignContext): Promise<CampaignRow> {
  const target = await startTarget();
  const direct = await sendShapes({ target, port: target.port, idleTimeoutMs: 1_000 });
  const problems = [...direct.problems];
  const notes = [`direct: ${direct.refused} refused`];
  let runs = direct.exchanges;
  for (const name of share === 1 ? proxyNames : []) {
    const proxy = await startProxy(name, target.port);
    if (proxy === undefined) {
      notes.push(`${name}: not installed`);
      continue;
    }
    const result = await sendShapes({ target, port: proxy.port, idleTimeoutMs: 1_000 });
    await proxy.stop();
    runs += result.exchanges;
    problems.push(...result.problems.map((problem) => `${proxy.version}: ${problem}`));
    notes.push(`${proxy.version}: ${result.refused} refused`);
  }
  await target.close();
  problems.push(...(await findUselessShapes()));
  return { runs, unit: 'exchanges', notes: notes.join(', '), problems };
}

/** Node's lenient parser accepts hidden requests. If the shapes do not find it, they prove nothing. */
async function findUselessShapes(): Promise<readonly string[]> {
  const target = await startTarget({ isLenient: true });
  const { problems } = await sendShapes({ target, port: target.port, idleTimeoutMs: 100 });
  await target.close();
  const found = problems.filter((text) => text.includes('was accepted')).length;
  return found > 10 ? [] : [`only ${found} shapes find a lenient parser`];
}

interface SeenRequest {
  /** For example `GET /livez`. */
  readonly line: string;
  /** The proxy in front of the BFF marked the request, so the proxy saw it too. */
  readonly isMarked: boolean;
}

type SmugglingTarget = Awaited<ReturnType<typeof startTarget>>;

interface Line {
  readonly target: SmugglingTarget;
  /** The port of the BFF or of a proxy in front of it. */
  readonly port: number;
  /** A connection without data for this time is complete. */
  readonly idleTimeoutMs: number;
}

/** A BFF on a real port. With `isLenient`, it uses Node's lenient parser, to test the shapes and checks themselves. */
async function startTarget({ isLenient = false } = {}) {
  const bff = await startBff({ delivers: false });
  /** Every request that reached the BFF, in order. */
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

async function sendShapes(line: Line) {
  const problems: string[] = [];
  let exchanges = 0;
  let refused = 0;
  for (const [where, start] of Object.entries(starts)) {
    for (const shape of shapes) {
      const exchange = await send(line, toBytes(shape, start));
      exchanges += 1;
      if (!exchange.lines.includes(next)) refused += 1;
      const isDirect = line.port === line.target.port;
      const findProblem = isDirect ? findDirectProblem : findProxiedProblem;
      const found =
        findGeneralProblem(exchange) ??
        findProblem(exchange, shape) ??
        (await findHarmToNext(line));
      if (found) problems.push(`${shape.name}, ${where}: ${found}: ${describe(exchange)}`);
    }
  }
  return { exchanges, refused, problems };
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

type Exchange = Awaited<ReturnType<typeof send>>;

async function send({ target, port, idleTimeoutMs }: Line, bytes: Buffer) {
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
  // Without 1xx, in order.
  const final = statuses.filter((status) => status >= 200);
  // An HTTP/0.9 response has no status line.
  if (text !== '' && !text.startsWith('HTTP/')) final.unshift(200);
  const seen = [...target.seen];
  return { seen, lines: seen.map(({ line }) => line), statuses: final, isClosed };
}

function describe({ lines, statuses }: Exchange): string {
  return `saw ${lines.join(', ') || 'nothing'}, answered ${statuses.join(', ') || 'nothing'}`;
}
