// What one connection may cost: answers that pile up, and bodies that go on after they were refused.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import {
  limitConnections,
  withConnectionLimits,
} from '../../../bff/middleware/connection-limits.ts';

const mebibyte = 1024 * 1024;
const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a connection', () => {
  let server: Server;
  /** The server's end of the connection. */
  let taken: Socket;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('ends when many requests come before the first is answered, and none but that one is begun', async () => {
    let asked = 0;
    const socket = await open(() => void (asked += 1));
    socket.write(ask.repeat(1_000));
    await ends(socket);
    expect(asked).toBe(1);
  });

  it('answers a few requests that come at once one after the other', async () => {
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

  it('begins with nothing more once it has ended', async () => {
    let asked = 0;
    const socket = await open((_request, response) => {
      asked += 1;
      response.destroy();
    });
    socket.write(ask.repeat(3));
    await ends(socket);
    expect(asked).toBe(1);
  });

  it('takes one request after the other', async () => {
    const socket = await open((_request, response) => void response.end('answered'));
    for (let count = 0; count < 20; count += 1) {
      socket.write(ask);
      expect(await nextText(socket)).toContain('answered');
    }
    socket.destroy();
  });

  it.each([1_000, 100_000, 10 * mebibyte])(
    'is used on after a body of %i bytes that was refused',
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

  it('is closed after a response to a partly read body', async () => {
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
    ['whose length is known', toHead(64 * mebibyte), (piece: Buffer) => piece],
    ['of chunks', toHead(undefined), toChunk],
  ])('is not read for long after a body %s was refused', async (_name, head, dress) => {
    const socket = await open(refuse);
    const ended = ends(socket);
    socket.write(head);
    expect(await nextText(socket)).toContain('413');
    const piece = dress(Buffer.alloc(mebibyte));
    for (let count = 0; count < 64; count += 1) socket.write(piece);
    await ended;
    expect(taken.bytesRead).toBeLessThan(40 * mebibyte);
  });

  it('is read to the end for whoever wants the body', async () => {
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

  it('gives its place to others while it waits for a next request and places are scarce', async () => {
    const answer: RequestListener = (_request, response) => void response.end('answered');
    const busy = await open((request, response) => {
      if (request.url !== '/busy') answer(request, response);
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

  async function open(listener: RequestListener): Promise<Socket> {
    server = createServer(withConnectionLimits(listener));
    server.on('connection', (socket: Socket) => {
      taken = socket;
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

/** Without a look at the body, as the app refuses what it does not want. */
const refuse = getRequestListener(async () => new Response('no', { status: 413 }));

function toHead(bytes: number | undefined): string {
  const length = bytes === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  return `POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`;
}

function toChunk(piece: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
}

/** Also by a reset, as the refused have it coming. */
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
