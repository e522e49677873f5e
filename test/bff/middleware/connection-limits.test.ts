// Pipelined requests, and bodies that continue after their response.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import {
  limitConnections,
  withConnectionLimits,
  type Listener,
} from '../../../bff/middleware/connection-limits.ts';

const mebibyte = 1024 * 1024;
const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a connection', () => {
  let server: Server;
  let serverSocket: Socket;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('closes when too many pipelined requests wait', async () => {
    let asked = 0;
    const socket = await open(() => void (asked += 1));
    socket.write(ask.repeat(1_000));
    await ends(socket);
    expect(asked).toBe(1);
  });

  it('answers pipelined requests one at a time', async () => {
    const order: string[] = [];
    const socket = await open((request, response) => {
      order.push(`asked ${request.url}`);
      response.once('finish', () => order.push(`answered ${request.url}`));
      setImmediate(() => response.end(`answer ${request.url}`));
    });
    socket.write(['/1', '/2', '/3'].map((path) => ask.replace('/', path)).join(''));
    expect(await textUntil(socket, 'answer /3')).toMatch(/answer \/1.*answer \/2/s);
    expect(order.slice(0, 5)).toEqual([
      'asked /1',
      'answered /1',
      'asked /2',
      'answered /2',
      'asked /3',
    ]);
    socket.destroy();
  });

  it('starts no request after it was closed', async () => {
    let asked = 0;
    const socket = await open((_request, response) => {
      asked += 1;
      response.destroy();
    });
    socket.write(ask.repeat(3));
    await ends(socket);
    expect(asked).toBe(1);
  });

  it('serves one request after another', async () => {
    const socket = await open((_request, response) => void response.end('answered'));
    for (let count = 0; count < 20; count += 1) {
      socket.write(ask);
      expect(await nextText(socket)).toContain('answered');
    }
    socket.destroy();
  });

  it.each([1_000, 100_000, 10 * mebibyte])(
    'stays usable after a refused body of %i bytes',
    async (bytes) => {
      const socket = await open(refuse);
      socket.write(`${toHead(bytes)}first`);
      expect(await nextText(socket)).toContain('413');
      socket.write(Buffer.alloc(bytes - 5));
      socket.write(ask);
      expect(await nextText(socket)).toContain('413');
      socket.destroy();
    },
  );

  it('closes after a response to a partly read body', async () => {
    const socket = await open(
      getRequestListener(async (request) => {
        await request.body?.getReader().read();
        return new Response('no', { status: 422 });
      }),
    );
    const ended = ends(socket);
    socket.write(toHead(5 * mebibyte));
    socket.write(Buffer.alloc(5 * mebibyte));
    expect(await nextText(socket)).toContain('422');
    await ended;
  });

  it.each([
    ['with a known length', toHead(64 * mebibyte), (data: Buffer) => data],
    ['in chunks', toHead(undefined), toChunk],
  ])('reads little of a refused body %s', async (_name, head, encode) => {
    const socket = await open(refuse);
    const ended = ends(socket);
    socket.write(head);
    expect(await nextText(socket)).toContain('413');
    const chunk = encode(Buffer.alloc(mebibyte));
    for (let count = 0; count < 64; count += 1) socket.write(chunk);
    await ended;
    expect(serverSocket.bytesRead).toBeLessThan(40 * mebibyte);
  });

  it('delivers a whole body to its handler', async () => {
    const socket = await open(
      getRequestListener(async (request) => {
        const body = await request.arrayBuffer();
        return new Response(String(body.byteLength));
      }),
    );
    socket.write(toHead(3 * mebibyte));
    socket.write(Buffer.alloc(3 * mebibyte));
    expect(await nextText(socket)).toContain(String(3 * mebibyte));
    socket.destroy();
  });

  it('closes while idle if the server is near its maximum', async () => {
    const answer: Listener = (_request, response) => void response.end('answered');
    const busy = await open((request, response) => {
      if (request.url !== '/busy') void answer(request, response);
    });
    limitConnections(server, 10);
    busy.write(ask.replace('/', '/busy'));
    const idle: Socket[] = [];
    for (let count = 0; count < 30; count += 1) {
      const socket = openAnother();
      socket.write(ask);
      expect(await nextText(socket)).toContain('answered');
      idle.push(socket);
    }
    expect([busy.destroyed, idle.at(-1)?.destroyed]).toEqual([false, false]);
  });

  async function open(listener: Listener): Promise<Socket> {
    server = createServer(withConnectionLimits(listener));
    server.on('connection', (socket: Socket) => {
      serverSocket = socket;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return openAnother();
  }

  function openAnother(): Socket {
    // A TCP server's address is always an object.
    const { port } = server.address() as AddressInfo;
    return connect(port, '127.0.0.1').on('error', () => undefined);
  }
});

/** Does not read the body, like the app when it refuses one. */
const refuse = getRequestListener(async () => new Response('no', { status: 413 }));

function toHead(bytes: number | undefined): string {
  const length = bytes === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  return `POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`;
}

function toChunk(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

/** The end can be a reset. */
function ends(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

async function textUntil(socket: Socket, mark: string): Promise<string> {
  let text = '';
  while (!text.includes(mark)) text += await nextText(socket);
  return text;
}

async function nextText(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}
