import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createNetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createUndiciTransport,
  defaultTimeouts,
  type StreamedBody,
  toRetryAfterMs,
  type TransportBody,
} from '../../../bff/funding-service/transport.ts';
import { createSelfSigned } from '../../support/self-signed.ts';
import {
  listen,
  type Listening,
  listenRaw,
  listenRecording,
  type Recording,
} from '../../support/servers.ts';
import { createDeliveryRig } from '../delivery/delivery-rig.ts';
import { until } from '../../support/manual-time.ts';

const headers = { 'Content-Type': 'application/json' };
/** On a busy machine, the next call may come later than 100 ms. */
const longMs = 10_000;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('createUndiciTransport', () => {
  it('returns status, lower-case headers, and text', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(418, { 'X-Thing': 'a', 'Retry-After': '5' }).end('Grüße');
    });
    expect(await setUp()({ url, headers, body: '{}' })).toMatchObject({
      kind: 'response',
      status: 418,
      headers: { 'x-thing': 'a', 'retry-after': '5' },
      text: 'Grüße',
    });
  });

  it.each<[string, TransportBody | undefined, string, string]>([
    ['text', '{"a":"ü"}', '10', '{"a":"ü"}'],
    ['a stream', streamOf(['{"a":', '"ü"}']), '10', '{"a":"ü"}'],
    ['no header', undefined, '0', ''],
  ])('sends %s as a POST with a Content-Length', async (_name, body, length, expected) => {
    const { url, seen } = await recording();
    await setUp()({ url, headers, body });
    expect(seen).toMatchObject([{ method: 'POST', length, encoding: undefined, text: expected }]);
  });

  it('adds only headers of the protocol', async () => {
    const { url, seen } = await recording();
    await setUp()({ url, headers: { ...headers, ApplicationID: 'x' }, body: '{}' });
    expect(seen[0]!.names.sort()).toEqual([
      'ApplicationID',
      'Content-Type',
      'connection',
      'content-length',
      'host',
    ]);
  });

  it('does not follow redirects', async () => {
    const { url, seen } = await recording((_request, response) => {
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    expect(await setUp()({ url, headers, body: '{}' })).toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });

  it('waits for the response after an informational one', async () => {
    const { url } = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () =>
        response.writeHead(201).end('{}'),
      );
    });
    const result = await setUp()({ url, headers, body: '{}' });
    expect(result).toMatchObject({ status: 201, text: '{}' });
  });

  it('opens a fresh connection on request', async () => {
    const sockets: Socket[] = [];
    const { url } = await serve(({ socket }, response) => {
      sockets.push(socket);
      // With these headers, the connection would otherwise stay idle for ten minutes.
      response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=600');
      response.end('{}');
    });
    const send = setUp();
    for (const reuse of ['idle', 'fresh', 'idle', 'fresh', 'fresh'] as const) {
      await send({ url, headers, body: '{}', reuse });
    }
    const fresh = [1, 3, 4].map((index) => sockets[index]!);
    for (const socket of fresh) {
      expect(sockets.filter((other) => other === socket)).toHaveLength(1);
    }
    expect(sockets[2]).toBe(sockets[0]);
    await until(() => fresh.every(({ destroyed }) => destroyed));
  });

  it('reuses a recent connection', async () => {
    const sockets = new Set<Socket>();
    const { url } = await serve(({ socket }, response) => {
      sockets.add(socket);
      response.end('{}');
    });
    const send = createUndiciTransport({ recentMs: longMs });
    closers.push(send.close);
    for (let call = 0; call < 3; call += 1) {
      await send({ url, headers, body: '{}', reuse: 'recent' });
      await nextTurn();
    }
    expect(sockets.size).toBe(1);
  });

  it('opens fresh connections for ten minutes after a recent one broke', async () => {
    let now = 0;
    const sockets: Socket[] = [];
    const { url } = await serve(({ socket }, response) => {
      if (sockets.push(socket) === 2) socket.destroy();
      else response.end('{}');
    });
    const transport = createUndiciTransport({ recentMs: longMs, clock: () => now });
    closers.push(transport.close);
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

  it.each([401, 413])('reads a %i that is sent before the body was read', async (status) => {
    const { url } = await serve((_request, response) => {
      // With `Connection: close` in the request, Node would close the connection here.
      response.writeHead(status).end('no');
    });
    const send = setUp();
    const kinds: string[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const body = streamOf(Array.from({ length: 100 }, () => 'x'.repeat(100_000)));
      const result = await send({ url, headers, body, reuse: 'fresh' });
      kinds.push(result.kind === 'response' ? String(result.status) : result.failure);
    }
    expect(kinds).toEqual(kinds.map(() => String(status)));
  });
});

describe('a failure', () => {
  it('is not-sent if nothing listens', async () => {
    const { url, close } = await listen(createNetServer());
    await close();
    expect(await setUp()({ url, headers, body: '{}' })).toEqual({
      kind: 'not-sent',
      failure: 'ECONNREFUSED',
    });
  });

  it('is not-sent if the name does not exist', async () => {
    const url = 'http://no-such-host.invalid/';
    const result = await setUp()({ url, headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it('is not-sent if the server does not support TLS', async () => {
    const { url } = await serve((_request, response) => void response.end());
    const result = await setUp()({ url: url.replace('http:', 'https:'), headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it('is not-sent if the server closes during the TLS handshake', async () => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.destroy()));
    const result = await setUp()({ url: url.replace('http:', 'https:'), headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is reset', (socket) => void socket.resetAndDestroy()],
    ['the connection is closed', (socket) => void socket.end()],
    ['the status line is incomplete', (socket) => void socket.end('HTTP/1.1 20')],
    ['the response is not HTTP', (socket) => void socket.end('hello\r\n\r\n')],
    [
      'the response is incomplete',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"IsSucc'),
    ],
    [
      'a chunked response is incomplete',
      (socket) =>
        void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"IsS'),
    ],
  ])('is interrupted if %s', async (_name, answer) => {
    const { url } = await raw((socket) => void socket.once('data', () => answer(socket)));
    expect((await setUp()({ url, headers, body: '{}' })).kind).toBe('interrupted');
  });

  it.each([
    ['headers', { headersMs: 20 }, ''],
    ['the rest of the response', { bodyMs: 20 }, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
    ['the end', { totalMs: 20 }, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
  ])('is interrupted after a timeout for %s', async (_name, timeouts, answer) => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.write(answer)));
    expect((await setUp()({ url, headers, body: '{}', timeouts })).kind).toBe('interrupted');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['closes', (socket) => void socket.destroy()],
  ])('is interrupted if the server %s during a streamed body', async (_name, leave) => {
    const { url } = await raw((socket) => void socket.once('data', () => leave(socket)));
    const { body, isClosed } = createEndlessBody();
    expect((await setUp()({ url, headers, body })).kind).toBe('interrupted');
    await until(isClosed);
  });

  it('is interrupted if a streamed body takes too long', async () => {
    const { url } = await raw((socket) => void socket.pause());
    const body: StreamedBody = {
      bytes: 1_000_000_000,
      open: async function* endless() {
        for (;;) yield new Uint8Array(65_536);
      },
    };
    const result = await setUp()({ url, headers, body, timeouts: { totalMs: 50 } });
    expect(result).toEqual({ kind: 'interrupted', failure: 'TimeoutError' });
  });

  it('is interrupted if the total timeout ends before the connection is open', async () => {
    const certificate = trustSelfSigned();
    let requests = 0;
    const { port } = await kept(
      listen(
        createTlsServer(certificate, (_request, response) => {
          requests += 1;
          response.end('{}');
        }),
      ),
    );
    const totalMs = 10;
    // Timers of the same length end in the order in which they began.
    const { url } = await raw((socket) => {
      const server = connect(port, '127.0.0.1').on('error', () => undefined);
      setTimeout(() => socket.pipe(server).pipe(socket), totalMs);
    });
    const secureUrl = url.replace('http://127.0.0.1', 'https://localhost');
    const result = await setUp()({ url: secureUrl, headers, body: '{}', timeouts: { totalMs } });
    expect(result).toEqual({ kind: 'interrupted', failure: 'TimeoutError' });
    expect(requests).toBe(0);
  });

  it('is a response if the server responds before it read the body', async () => {
    const { url } = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}');
      });
    });
    const body = streamOf(Array.from({ length: 400 }, () => 'x'.repeat(65_536)));
    const result = await setUp()({ url, headers, body, reuse: 'fresh' });
    expect(result).toMatchObject({ kind: 'response', status: 401, text: '{}' });
  });

  it('is interrupted if the response is too large', async () => {
    const limitBytes = 4 * 1024 * 1024;
    let bytes = limitBytes;
    const { url } = await serve((_request, response) => void response.end('x'.repeat(bytes)));
    const send = setUp();
    expect(await send({ url, headers, body: '{}' })).toMatchObject({ status: 200 });
    bytes += 1;
    expect(await send({ url, headers, body: '{}' })).toEqual({
      kind: 'interrupted',
      failure: 'RESPONSE_TOO_LARGE',
    });
  });
});

describe('an error on our side', () => {
  it('throws the error of a streamed body', async () => {
    const { url } = await recording();
    const body: StreamedBody = {
      bytes: 10,
      open: async function* broken() {
        yield new Uint8Array(3);
        throw new RangeError('the content is damaged');
      },
    };
    await expect(setUp()({ url, headers, body })).rejects.toThrow('the content is damaged');
  });

  it.each([
    ['shorter', 5],
    ['longer', 3],
  ])('throws if a streamed body is %s than announced', async (_name, bytes) => {
    const { url } = await recording();
    const body = { ...streamOf(['abcd']), bytes };
    await expect(setUp()({ url, headers, body })).rejects.toThrow('content-length');
  });

  it('throws on a header with a line break', async () => {
    const { url, seen } = await recording();
    const sending = setUp()({ url, headers: { ApplicationID: 'a\r\nX: 1' }, body: '{}' });
    await expect(sending).rejects.toThrow('invalid');
    expect(seen).toEqual([]);
  });

  it('throws on an invalid URL', async () => {
    await expect(setUp()({ url: 'nowhere', headers, body: '{}' })).rejects.toThrow('URL');
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
      expect(await setUp()({ url, headers, body })).toMatchObject({ status: 200 });
      expect(differing).toBe(0);
    },
  );

  it('lets an early refusal be read between two chunks', async () => {
    const { url } = await recording();
    const send = setUp();
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
    await send({ url, headers: {}, body });
    expect(turns).toEqual([true, true, true, true, true]);
  });
});

const interrupted = { kind: 'interrupted', failure: 'ABORTED' };

describe('abort', () => {
  it.each(['idle', 'recent', 'fresh'] as const)(
    'ends calls that wait for a response (%s)',
    async (reuse) => {
      const service = await silent('');
      const send = setUp();
      const call = () => send({ url: service.url, headers, body: '{}', reuse });
      const underWay = [call(), call(), call()];
      await until(() => service.reached() === 3);
      send.abort();
      expect(await Promise.all(underWay)).toEqual([interrupted, interrupted, interrupted]);
      await until(() => service.open() === 0);
    },
  );

  it('ends a call during its response', async () => {
    const service = await silent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{');
    const send = setUp();
    const underWay = send({ url: service.url, headers, body: '{}' });
    await until(() => service.reached() === 1);
    send.abort();
    expect(await underWay).toEqual(interrupted);
  });

  it('ends a call during its streamed body', async () => {
    const service = await silent('');
    const send = setUp();
    const { body, isClosed } = createEndlessBody();
    const underWay = send({ url: service.url, headers, body, reuse: 'fresh' });
    await until(() => service.reached() === 1);
    send.abort();
    expect(await underWay).toEqual(interrupted);
    await until(isClosed);
  });

  it.each(['idle', 'recent', 'fresh'] as const)(
    'ends a call that opens its connection (%s)',
    async (reuse) => {
      const service = await silent('');
      const url = service.url.replace('http:', 'https:');
      const send = setUp();
      const underWay = send({ url, headers, body: '{}', reuse });
      await until(() => service.reached() === 1);
      send.abort();
      expect(await underWay).toEqual(interrupted);
    },
  );

  it('prevents later calls', async () => {
    const { url, seen } = await kept(listenRecording());
    const send = setUp();
    send.abort();
    let isOpened = false;
    const body: TransportBody = {
      bytes: 0,
      open: async function* open() {
        isOpened = true;
        yield* [];
      },
    };
    expect(await send({ url, headers, body })).toEqual({ kind: 'not-sent', failure: 'ABORTED' });
    expect(isOpened).toBe(false);
    expect(seen).toEqual([]);
  });

  it('can be called twice', async () => {
    const { url } = await kept(listenRecording());
    const send = setUp();
    const answer = await send({ url, headers, body: '{}' });
    send.abort();
    send.abort();
    expect(answer).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('a TLS connection', () => {
  it.each(['idle', 'recent', 'fresh'] as const)(
    'uses HTTP/1.1 with a server that offers HTTP/2 (%s)',
    async (reuse) => {
      const certificate = trustSelfSigned();
      const versions: string[] = [];
      const server = createSecureServer(
        { ...certificate, allowHTTP1: true },
        (request, response) => {
          versions.push(request.httpVersion);
          response.end('{}');
        },
      );
      const { url, close } = await listen(server);
      const transport = createUndiciTransport();
      closers.push(transport.close, close);
      const secureUrl = url.replace('http://127.0.0.1', 'https://localhost');
      const result = await transport({
        url: secureUrl,
        headers,
        body: '{}',
        reuse,
      });
      expect(result).toMatchObject({ kind: 'response', status: 200 });
      expect(versions).toEqual(['1.1']);
    },
  );
});

describe('the total timeout', () => {
  it('is shorter than the lease of a delivery', async () => {
    const { store, createWorker } = await createDeliveryRig();
    const leases: number[] = [];
    const claimDue: typeof store.claimDue = (kind, leaseMs, id) => {
      leases.push(leaseMs);
      return store.claimDue(kind, leaseMs, id);
    };
    await createWorker({ ...store, claimDue }).runDue();
    expect(leases).not.toEqual([]);
    // 30 s remain to record the result.
    for (const leaseMs of leases) {
      expect(defaultTimeouts.totalMs).toBeLessThanOrEqual(leaseMs - 30_000);
    }
  });

  it('is not shorter than the timeout for headers', () => {
    expect(defaultTimeouts.totalMs).toBeGreaterThanOrEqual(defaultTimeouts.headersMs);
  });
});

const nowMs = Date.parse('2026-05-04T10:00:00Z');

describe('toRetryAfterMs', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['spaces around the number', ' 7 ', 7_000],
    ['an HTTP date', 'Mon, 04 May 2026 10:00:30 GMT', 30_000],
    ['an obsolete date format', 'Monday, 04-May-26 10:01:00 GMT', 60_000],
    ['a past date', 'Mon, 04 May 2026 09:00:00 GMT', 0],
    ['more than an hour', '3601', 3_600_000],
    ['a huge number', '9'.repeat(400), 3_600_000],
    ['a date tomorrow', 'Tue, 05 May 2026 10:00:00 GMT', 3_600_000],
    ['no header', undefined, undefined],
    ['an empty header', '', undefined],
    ['words', 'soon', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['an ISO date', '2026-05-04', undefined],
    ['a long text', 'Mon, '.repeat(60_000), undefined],
  ])('parses %s', (_name, value, expected) => {
    expect(toRetryAfterMs(value, nowMs)).toBe(expected);
  });

  it('parses a date without a time zone as GMT', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    closers.push(async () => void vi.unstubAllEnvs());
    expect(new Date(nowMs).getHours()).toBe(19);
    expect(toRetryAfterMs('Mon May  4 10:02:00 2026', nowMs)).toBe(120_000);
  });
});

function setUp() {
  const transport = createUndiciTransport();
  closers.push(transport.close);
  return transport;
}

/** Returns the certificate of a server on `localhost`. Connections trust it until the test ends. */
function trustSelfSigned() {
  const { certificate, key } = createSelfSigned(Date.now() + 86_400_000);
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate]);
  closers.push(async () => setDefaultCACertificates(trusted));
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

function serve(listener: RequestListener): Promise<Listening> {
  return kept(listen(createHttpServer(listener)));
}

function raw(onSocket: (socket: Socket) => void): Promise<Listening> {
  return kept(listenRaw(onSocket));
}

function recording(answer?: RequestListener): Promise<Recording> {
  return kept(listenRecording(answer));
}

/** Closes the server after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}

/** A server that responds with `beginning` and nothing more. */
async function silent(beginning: string) {
  let reached = 0;
  let open = 0;
  const { url } = await kept(
    listenRaw((socket) => {
      open += 1;
      socket.on('close', () => (open -= 1));
      socket.once('data', () => socket.write(beginning, () => (reached += 1)));
    }),
  );
  return { url, reached: () => reached, open: () => open };
}

/** A body that never ends, and a function that tells whether its reader has closed it. */
function createEndlessBody(): { readonly body: StreamedBody; readonly isClosed: () => boolean } {
  let isClosed = false;
  async function* open() {
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      isClosed = true;
    }
  }
  return { body: { bytes: 1_000_000_000, open }, isClosed: () => isClosed };
}
