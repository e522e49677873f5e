// The transport over real connections, with servers that are slow, broken, or hostile.

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createNetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { leaseMs } from '../../../bff/delivery/attempt-runner.ts';
import {
  type ConnectionReuse,
  createUndiciTransport,
  defaultTimeouts,
  type StreamedBody,
  toRetryAfterMs,
  type Transport,
  type TransportBody,
  type TransportRequest,
} from '../../../bff/funding-service/transport.ts';
import { until } from '../../support/manual-time.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import { listen, type Listening, listenRaw, listenRecording } from '../../support/servers.ts';

const headers = { 'Content-Type': 'application/json' };
const reuses: readonly ConnectionReuse[] = ['idle', 'recent', 'fresh'];
const megabyte = 1024 * 1024;
const partialResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{';
describe('a call', () => {
  it('returns status, lower-case headers, and the text as it is', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(418, { 'X-Thing': 'a', 'Content-Encoding': 'gzip' }).end('Grüße');
    });
    const expected = { kind: 'response', status: 418, headers: { 'x-thing': 'a' }, text: 'Grüße' };
    expect(await post(url)).toMatchObject(expected);
  });

  it.each<[string, TransportBody | undefined, string, string]>([
    ['text', '{"a":"ü"}', '10', '{"a":"ü"}'],
    ['a stream', streamOf(['{"a":', '"ü"}']), '10', '{"a":"ü"}'],
    ['nothing', undefined, '0', ''],
  ])('posts %s with its length, and adds no cookies', async (_name, body, length, text) => {
    const { url, seen } = await kept(
      listenRecording((_request, response) => {
        response.setHeader('Set-Cookie', ['sid=1; Path=/', 'BrowserId=2; Path=/']).end('{}');
      }),
    );
    const transport = open();
    for (let call = 0; call < 2; call += 1) await transport({ url, headers, body });
    const sent = { method: 'POST', length, encoding: undefined, text };
    expect(seen).toMatchObject([sent, sent]);
    const names = ['connection', 'content-length', 'content-type', 'host'];
    for (const request of seen)
      expect(request.names.map((name) => name.toLowerCase()).toSorted()).toEqual(names);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect: %i', async (status) => {
    const elsewhere = await kept(listenRecording());
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { Location: elsewhere.url }).end();
    });
    expect(await post(url)).toMatchObject({ status });
    expect(elsewhere.seen).toEqual([]);
  });

  it('waits for the response after an informational one', async () => {
    const { url } = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () =>
        response.writeHead(201).end('{}'),
      );
    });
    expect(await post(url)).toMatchObject({ status: 201, text: '{}' });
  });

  it.each([401, 413])('reads a %i that is sent before the body was read', async (status) => {
    const { url } = await serve((_request, response) => {
      // With `Connection: close` in the request, Node would close the connection here.
      response.writeHead(status).end('no');
    });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const body = streamOf(Array.from({ length: 100 }, () => 'x'.repeat(100_000)));
      expect(await post(url, { body, reuse: 'fresh' })).toMatchObject({ status });
    }
  });

  it.each(reuses)('uses HTTP/1.1 with a server that offers HTTP/2 (%s)', async (reuse) => {
    const versions: string[] = [];
    const server = createSecureServer(
      { ...trustSelfSigned(), allowHTTP1: true },
      (request, response) => {
        versions.push(request.httpVersion);
        response.end('{}');
      },
    );
    const { port } = await kept(listen(server));
    expect(await post(`https://localhost:${port}/`, { reuse })).toMatchObject({ status: 200 });
    expect(versions).toEqual(['1.1']);
  });
});

describe('a connection', () => {
  it('is a new one for each call with `fresh`', async () => {
    const { url, sockets } = await serveSockets((_index, response) => {
      // With these headers, the connection would otherwise stay idle for ten minutes.
      response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=600');
      response.end('{}');
    });
    const transport = open();
    for (const reuse of ['idle', 'fresh', 'idle', 'fresh', 'fresh'] as const) {
      await transport({ url, headers, body: '{}', reuse });
    }
    expect(sockets.map((socket) => sockets.indexOf(socket))).toEqual([0, 1, 0, 3, 4]);
    await until(() => [1, 3, 4].every((index) => sockets[index]!.destroyed));
    // At the end of its idle time, this one would have been the first to close.
    expect(sockets[0]!.destroyed).toBe(false);
  });

  it('is a fresh one for ten minutes after a recent one broke', async () => {
    let now = 0;
    const { url, sockets } = await serveSockets((index, response) => {
      if (index === 1) response.destroy();
      else response.end('{}');
    });
    // On a busy machine, the next call may come later than 100 ms.
    const transport = open({ recentMs: 10_000, clock: () => now });
    async function countConnections(calls: number): Promise<number> {
      const before = sockets.length;
      for (let call = 0; call < calls; call += 1) {
        await transport({ url, headers, body: '{}', reuse: 'recent' });
        await nextTurn();
      }
      return new Set(sockets.slice(before)).size;
    }
    expect(await countConnections(2)).toBe(1);
    now = 10 * 60_000 - 1;
    expect(await countConnections(3)).toBe(3);
    now = 10 * 60_000;
    expect(await countConnections(3)).toBe(1);
  });
});

describe('a call is not-sent', () => {
  const toHttps = ({ url }: Listening) => url.replace('http:', 'https:');
  const serveNothing = async () => {
    const server = await listen(createNetServer());
    await server.close();
    return server.url;
  };

  it.each<[string, () => Promise<string>, string, number?]>([
    ['nothing listens', serveNothing, 'ECONNREFUSED'],
    ['the name does not exist', async () => 'http://no-such-host.invalid/', ''],
    ['the server has no TLS', async () => toHttps(await serve(() => undefined)), ''],
    ['TLS breaks', async () => toHttps(await raw((socket) => socket.end('220 mail\r\n'))), ''],
    ['TLS is slow', async () => toHttps(await raw(() => undefined)), 'UND_ERR_CONNECT_TIMEOUT', 20],
  ])('if %s', async (_name, toUrl, failure, connectTimeoutMs = 5_000) => {
    const request = { url: await toUrl(), headers, body: '{}' };
    const result = await open({ connectTimeoutMs })(request);
    expect(result).toEqual({ kind: 'not-sent', failure: expect.stringContaining(failure) });
  });
});

describe('a call is interrupted', () => {
  const http = 'HTTP/1.1 200 OK\r\n';

  it.each([
    ['is empty', ''],
    ['ends in the status line', 'HTTP/1.1 20'],
    ['is not HTTP', 'hello\r\n\r\n'],
    ['is incomplete', partialResponse],
    ['ends in a chunk', `${http}Transfer-Encoding: chunked\r\n\r\n5\r\n{"IsS`],
    ['has a long header', `${http}X-Long: ${'long '.repeat(100_000)}\r\n\r\n`],
    ['has many headers', `${http}${'X-Many: 1\r\n'.repeat(10_000)}\r\n`],
  ])('if the response %s', async (_name, text) => {
    const { url } = await raw((socket) => socket.once('data', () => socket.end(text)));
    expect((await post(url)).kind).toBe('interrupted');
  });

  it.each([
    ['headers', { headersMs: 20 }, ''],
    ['the rest of the response', { bodyMs: 20 }, partialResponse],
    ['the end', { totalMs: 20 }, partialResponse],
  ])('after a timeout for %s', async (_name, timeouts, answer) => {
    const { url } = await raw((socket) => socket.once('data', () => socket.write(answer)));
    expect((await post(url, { timeouts })).kind).toBe('interrupted');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['closes', (socket) => socket.destroy()],
  ])('if the server %s during a streamed body', async (_name, leave) => {
    const { url } = await raw((socket) => socket.once('data', () => leave(socket)));
    const { body, progress } = createEndlessBody();
    expect((await post(url, { body })).kind).toBe('interrupted');
    await until(() => progress() === 'closed');
  });

  it('if a streamed body takes too long', async () => {
    const { url } = await raw((socket) => socket.pause());
    const { body } = createEndlessBody();
    const result = await post(url, { body, timeouts: { totalMs: 50 } });
    expect(result).toEqual({ kind: 'interrupted', failure: 'TimeoutError' });
  });

  it('if the total timeout ends before the connection is open', async () => {
    let requests = 0;
    const server = createTlsServer(trustSelfSigned(), (_request, response) => {
      requests += 1;
      response.end('{}');
    });
    const { port } = await kept(listen(server));
    const totalMs = 10;
    // Timers of the same length end in the order in which they began.
    const relay = await raw((socket) => {
      const target = connect(port, '127.0.0.1').on('error', () => undefined);
      setTimeout(() => socket.pipe(target).pipe(socket), totalMs);
    });
    const result = await post(`https://localhost:${relay.port}/`, { timeouts: { totalMs } });
    expect(result).toEqual({ kind: 'interrupted', failure: 'TimeoutError' });
    expect(requests).toBe(0);
  });

  it('if the response has more than 4 MB', async () => {
    let isClosed = false;
    const { url } = await serve((request, response) => {
      response.on('close', () => (isClosed = true));
      response.write('x'.repeat(4 * megabyte));
      if (request.url === '/') response.end();
      else response.write('x');
    });
    expect(await post(new URL(url).origin)).toMatchObject({ status: 200 });
    isClosed = false;
    expect(await post(url)).toEqual({ kind: 'interrupted', failure: 'RESPONSE_TOO_LARGE' });
    await until(() => isClosed);
  });
});

describe('an error on our side', () => {
  const secrets = ['00D-secret-token', 'secret-body'];
  const authorization = { Authorization: `Bearer ${secrets[0]}` };
  const body = streamOf([secrets[1]!]);

  it.each<[string, Partial<TransportRequest>, string]>([
    ['a header with a line break', { headers: { ApplicationID: 'a\r\nX: 1' } }, 'invalid'],
    ['a token with a line break', { headers: { Authorization: `${secrets[0]}\n` } }, 'invalid'],
    ['a body that is shorter than announced', { body: { ...body, bytes: 12 } }, 'content-length'],
    ['a body that is longer than announced', { body: { ...body, bytes: 10 } }, 'content-length'],
    ['an invalid URL', { url: 'nowhere' }, 'URL'],
  ])('is thrown without a secret: %s', async (_name, changes, message) => {
    const { url, seen } = await kept(listenRecording());
    const request = { url, body, ...changes, headers: { ...authorization, ...changes.headers } };
    const error: unknown = await open()(request).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(message);
    expect(seen).toEqual([]);
    const shown = inspect(error, { depth: 20, showHidden: true });
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  it('is the error of a streamed body', async () => {
    const { url } = await kept(listenRecording());
    const broken: StreamedBody = {
      bytes: 10,
      open: async function* open() {
        yield new Uint8Array(3);
        throw new RangeError('the content is damaged');
      },
    };
    await expect(post(url, { body: broken })).rejects.toThrow('the content is damaged');
  });
});

describe('a streamed body', () => {
  it.each([60_000, 65_535, 65_536, 100_000])(
    'is sent as it was yielded, from the same memory for all chunks of %i bytes',
    async (chunkBytes) => {
      const chunks = Math.ceil(12_000_000 / chunkBytes);
      let differing = 0;
      async function compare(request: AsyncIterable<Buffer>): Promise<void> {
        let received = 0;
        for await (const data of request) {
          for (const byte of data) {
            if (byte !== Math.floor(received / chunkBytes) % 256) differing += 1;
            received += 1;
          }
          // Slower than the sender, so that the buffers of the connection are full.
          for (let turn = 0; turn < 3; turn += 1) await nextTurn();
        }
      }
      const { url } = await serve((request, response) => {
        void compare(request).then(() => response.end('{}'));
      });
      const memory = new Uint8Array(chunkBytes);
      const body: StreamedBody = {
        bytes: chunks * chunkBytes,
        open: async function* repeat() {
          for (let chunk = 0; chunk < chunks; chunk += 1) yield memory.fill(chunk);
        },
      };
      expect(await post(url, { body })).toMatchObject({ status: 200 });
      expect(differing).toBe(0);
    },
  );

  it('lets an early refusal be read between two chunks', async () => {
    const { url } = await kept(listenRecording());
    const turns: boolean[] = [];
    const body: StreamedBody = {
      bytes: 5,
      open: async function* watching() {
        for (let chunk = 0; chunk < 5; chunk += 1) {
          let hasTurned = false;
          setImmediate(() => (hasTurned = true));
          yield new Uint8Array(1);
          turns.push(hasTurned);
        }
      },
    };
    await post(url, { body });
    expect(turns).toEqual([true, true, true, true, true]);
  });
});

describe('abort', () => {
  const interrupted = { kind: 'interrupted', failure: 'ABORTED' };

  const cases = reuses.flatMap((reuse) => [
    ['wait for a response', 'http', '', reuse] as const,
    ['have a part of their response', 'http', partialResponse, reuse] as const,
    // undici closes such a connection later, at the end of its timeout.
    ['open their connection', 'https', '', reuse] as const,
  ]);
  it.each(cases)('ends calls that %s (%s, %j, %s)', async (_name, protocol, beginning, reuse) => {
    const server = await silent(beginning);
    const transport = open();
    const url = `${protocol}://127.0.0.1:${server.port}/`;
    const calls = [1, 2, 3].map(() => transport({ url, headers, body: '{}', reuse }));
    await until(() => server.reached() === 3);
    transport.abort();
    expect(await Promise.all(calls)).toEqual([interrupted, interrupted, interrupted]);
    if (protocol === 'http') await until(() => server.open() === 0);
  });

  it('ends a call during its streamed body', async () => {
    const server = await silent('');
    const transport = open();
    const { body, progress } = createEndlessBody();
    const call = transport({ url: server.url, headers, body, reuse: 'fresh' });
    await until(() => server.reached() === 1);
    transport.abort();
    expect(await call).toEqual(interrupted);
    await until(() => progress() === 'closed');
  });

  it('prevents later calls, and can be repeated', async () => {
    const { url, seen } = await kept(listenRecording());
    const transport = open();
    transport.abort();
    transport.abort();
    const { body, progress } = createEndlessBody();
    const result = await transport({ url, headers, body });
    expect(result).toEqual({ kind: 'not-sent', failure: 'ABORTED' });
    expect([progress(), seen]).toEqual(['new', []]);
  });
});

it('the total timeout leaves 30 s of the lease to record the result', () => {
  expect(defaultTimeouts.totalMs).toBeLessThanOrEqual(leaseMs - 30_000);
  expect(defaultTimeouts.totalMs).toBeGreaterThanOrEqual(defaultTimeouts.headersMs);
});

describe('toRetryAfterMs', () => {
  const nowMs = Date.parse('2026-05-04T10:00:00Z');

  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Mon, 04 May 2026 10:00:30 GMT', 30_000],
    ['Monday, 04-May-26 10:01:00 GMT', 60_000],
    ['Mon, 04 May 2026 09:00:00 GMT', 0],
    ['3601', 3_600_000],
    ['9'.repeat(40), 3_600_000],
    ['Tue, 05 May 2026 10:00:00 GMT', 3_600_000],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-05-04', undefined],
  ])('parses %s as %s', (value, expected) => {
    expect(toRetryAfterMs(value, nowMs)).toBe(expected);
  });

  it('parses no long text', () => {
    expect(toRetryAfterMs('Mon, '.repeat(60_000), nowMs)).toBeUndefined();
  });

  it('parses a date without a time zone as GMT', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(nowMs).getHours()).toBe(19);
    expect(toRetryAfterMs('Mon May  4 10:02:00 2026', nowMs)).toBe(120_000);
  });
});

/** A transport that is closed after the test. */
function open(options?: Parameters<typeof createUndiciTransport>[0]) {
  const transport = createUndiciTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

function post(url: string, changes: Partial<TransportRequest> = {}): ReturnType<Transport> {
  return open()({ url, headers, body: '{}', ...changes });
}

/** Returns the certificate of a server on `localhost`. Connections trust it until the test ends. */
function trustSelfSigned() {
  const { certificate, key } = createSelfSigned(Date.now() + 86_400_000);
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  return { cert: certificate, key };
}

function streamOf(parts: readonly string[]): StreamedBody {
  const chunks = parts.map((part) => Buffer.from(part));
  return {
    bytes: chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
    open: async function* open() {
      yield* chunks;
    },
  };
}

/** A body that never ends, and how far its reader is. */
function createEndlessBody() {
  let progress: 'new' | 'open' | 'closed' = 'new';
  async function* endless() {
    progress = 'open';
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      progress = 'closed';
    }
  }
  const body: StreamedBody = { bytes: 1_000_000_000, open: endless };
  return { body, progress: () => progress };
}

function serve(listener: RequestListener): Promise<Listening> {
  return kept(listen(createHttpServer(listener)));
}

/** Records the socket of each request. */
async function serveSockets(
  answer: (index: number, response: Parameters<RequestListener>[1]) => void,
) {
  const sockets: Socket[] = [];
  const { url } = await serve(({ socket }, response) => answer(sockets.push(socket) - 1, response));
  return { url, sockets };
}

function raw(onSocket: (socket: Socket) => void): Promise<Listening> {
  return kept(listenRaw(onSocket));
}

/** A server that responds with `beginning` and nothing more. */
async function silent(beginning: string) {
  let reached = 0;
  let open = 0;
  const { url, port } = await raw((socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
    socket.once('data', () => socket.write(beginning, () => (reached += 1)));
  });
  return { url, port, reached: () => reached, open: () => open };
}

/** Closes the server after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  onTestFinished(() => server.close());
  return server;
}
