import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createUndiciTransport,
  type StreamedBody,
  type TransportBody,
  type UndiciTransportOptions,
} from '../../../bff/funding-service/transport.ts';
import {
  listen,
  listenRaw,
  listenRecording,
  type Listening,
  type Recording,
} from '../../support/servers.ts';
import { until } from '../manual-time.ts';

const headers = { 'Content-Type': 'application/json' };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('createUndiciTransport', () => {
  it('answers with status, headers in lower case and text', async () => {
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
    ['bytes', new Uint8Array([123, 125]), '2', '{}'],
    ['a stream', streamOf(['{"a":', '"ü"}']), '10', '{"a":"ü"}'],
    ['nothing', undefined, '0', ''],
  ])('sends %s as a POST with its exact length', async (_name, body, length, expected) => {
    const { url, seen } = await recording();
    await setUp()({ url, headers, body });
    expect(seen).toMatchObject([{ method: 'POST', length, encoding: undefined, text: expected }]);
  });

  it('sends the given headers and no others but those of the protocol', async () => {
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

  it('follows no redirect', async () => {
    const { url, seen } = await recording((_request, response) => {
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    expect(await setUp()({ url, headers, body: '{}' })).toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });

  it('opens a connection of its own where asked, and ends it', async () => {
    const sockets: Socket[] = [];
    const { url } = await serve(({ socket }, response) => {
      sockets.push(socket);
      // Left to itself, a connection so promised would idle for ten minutes.
      response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=600');
      response.end('{}');
    });
    const send = setUp();
    for (const freshConnection of [false, true, false, true, true]) {
      await send({ url, headers, body: '{}', freshConnection });
    }
    const fresh = [1, 3, 4].map((index) => sockets[index]!);
    for (const socket of fresh) {
      expect(sockets.filter((other) => other === socket)).toHaveLength(1);
    }
    expect(sockets[2]).toBe(sockets[0]);
    await until(() => fresh.every(({ destroyed }) => destroyed));
  });

  it.each([401, 413])(
    'reads a %i that is told before the body is read, again and again',
    async (status) => {
      const { url } = await serve((_request, response) => {
        // Were we to announce the connection's end, Node would close it here and the answer would be lost.
        response.writeHead(status).end('no');
      });
      const send = setUp();
      const kinds: string[] = [];
      for (let attempt = 0; attempt < 10; attempt += 1) {
        const body = streamOf(Array.from({ length: 100 }, () => 'x'.repeat(100_000)));
        const result = await send({ url, headers, body, freshConnection: true });
        kinds.push(result.kind === 'response' ? String(result.status) : result.failure);
      }
      expect(kinds).toEqual(kinds.map(() => String(status)));
    },
  );
});

describe('where it breaks', () => {
  it('is not sent when nothing listens', async () => {
    const { url, close } = await listen(createNetServer());
    await close();
    expect(await setUp()({ url, headers, body: '{}' })).toEqual({
      kind: 'not-sent',
      failure: 'ECONNREFUSED',
    });
  });

  it('is not sent when the name does not exist', async () => {
    const url = 'http://no-such-host.invalid/';
    const result = await setUp()({ url, headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it('is not sent when the other side speaks no TLS', async () => {
    const { url } = await serve((_request, response) => void response.end());
    const result = await setUp()({ url: url.replace('http:', 'https:'), headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it('is not sent when the other side closes during the TLS handshake', async () => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.destroy()));
    const result = await setUp()({ url: url.replace('http:', 'https:'), headers, body: '{}' });
    expect(result.kind).toBe('not-sent');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is reset', (socket) => void socket.resetAndDestroy()],
    ['the connection is closed', (socket) => void socket.end()],
    ['the status line is cut off', (socket) => void socket.end('HTTP/1.1 20')],
    ['no HTTP comes back', (socket) => void socket.end('hello\r\n\r\n')],
    [
      'the answer is cut off',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"IsSucc'),
    ],
    [
      'a chunked answer is cut off',
      (socket) =>
        void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"IsS'),
    ],
  ])('is interrupted when %s', async (_name, answer) => {
    const { url } = await raw((socket) => void socket.once('data', () => answer(socket)));
    expect((await setUp()({ url, headers, body: '{}' })).kind).toBe('interrupted');
  });

  it.each([
    ['headers', { headersMs: 20 }, ''],
    ['the rest of the answer', { bodyMs: 20 }, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
    ['the end', { totalMs: 20 }, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
  ])('is interrupted when it waits too long for %s', async (_name, timeouts, answer) => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.write(answer)));
    expect((await setUp()({ url, headers, body: '{}', timeouts })).kind).toBe('interrupted');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['closes', (socket) => void socket.destroy()],
  ])(
    'is interrupted when the other side %s amid a streamed body, whose source is closed',
    async (_name, leave) => {
      const { url } = await raw((socket) => void socket.once('data', () => leave(socket)));
      let isClosed = false;
      const body: StreamedBody = {
        bytes: 1_000_000_000,
        open: async function* endless() {
          try {
            for (;;) yield new Uint8Array(65_536);
          } finally {
            isClosed = true;
          }
        },
      };
      expect((await setUp()({ url, headers, body })).kind).toBe('interrupted');
      await until(() => isClosed);
    },
  );

  it('is interrupted when a streamed body takes too long', async () => {
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

  it('is an answer when the service answers and leaves before it has read a streamed body', async () => {
    const { url } = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}');
      });
    });
    const body = streamOf(Array.from({ length: 400 }, () => 'x'.repeat(65_536)));
    const result = await setUp()({ url, headers, body, freshConnection: true });
    expect(result).toMatchObject({ kind: 'response', status: 401, text: '{}' });
  });

  it('is interrupted when the answer is too large', async () => {
    const { url } = await serve((_request, response) => void response.end('x'.repeat(1001)));
    const send = setUp({ maxResponseBytes: 1000 });
    expect(await send({ url, headers, body: '{}' })).toEqual({
      kind: 'interrupted',
      failure: 'RESPONSE_TOO_LARGE',
    });
  });
});

describe('faults of our own', () => {
  it('throws what the source of a streamed body throws', async () => {
    const { url } = await recording();
    const body: StreamedBody = {
      bytes: 10,
      open: async function* broken() {
        yield new Uint8Array(3);
        throw new RangeError('sealed piece is damaged');
      },
    };
    await expect(setUp()({ url, headers, body })).rejects.toThrow('sealed piece is damaged');
  });

  it.each([
    ['shorter', 5],
    ['longer', 3],
  ])('throws when a streamed body is %s than announced', async (_name, bytes) => {
    const { url } = await recording();
    const body = { ...streamOf(['abcd']), bytes };
    await expect(setUp()({ url, headers, body })).rejects.toThrow('content-length');
  });

  it('throws on a header that would break into two lines', async () => {
    const { url, seen } = await recording();
    const sending = setUp()({ url, headers: { ApplicationID: 'a\r\nX: 1' }, body: '{}' });
    await expect(sending).rejects.toThrow('invalid');
    expect(seen).toEqual([]);
  });

  it('throws on an address that is none', async () => {
    await expect(setUp()({ url: 'nowhere', headers, body: '{}' })).rejects.toThrow('URL');
  });
});

function setUp(options: UndiciTransportOptions = {}) {
  const transport = createUndiciTransport(options);
  closers.push(transport.close);
  return transport;
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

/** Closed after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}
