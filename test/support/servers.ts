// Servers on a free port: one serves an app, one records requests, one responds with raw bytes.

import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import {
  createServer as createNetServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

type FetchCallback = Parameters<typeof createAdaptorServer>[0]['fetch'];

export interface Listening {
  readonly port: number;
  readonly origin: string;
  /** The origin with a path. */
  readonly url: string;
  /** Also closes all connections. */
  readonly close: () => Promise<void>;
}

export interface Recording extends Listening {
  /** Complete requests. */
  readonly seen: readonly SeenRequest[];
}

export interface SeenRequest {
  readonly method: string | undefined;
  readonly length: string | undefined;
  readonly encoding: string | undefined;
  /** Header names with their original case. */
  readonly names: string[];
  readonly text: string;
}

export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { port, origin, url: `${origin}/path`, close };
}

/** Serves an app, as `serve` of bff/server.ts does without its limits. */
export function listenApp(
  fetch: FetchCallback,
  serverOptions: ServerOptions = {},
): Promise<Listening> {
  return listen(createAdaptorServer({ fetch, createServer: createHttpServer, serverOptions }));
}

export function listenRaw(onSocket: (socket: Socket) => void): Promise<Listening> {
  return listen(
    createNetServer((socket) => {
      socket.on('error', () => undefined);
      onSocket(socket);
    }),
  );
}

export async function listenRecording(
  answer: RequestListener = (_request, response) => void response.end('{}'),
): Promise<Recording> {
  const seen: SeenRequest[] = [];
  const server = createHttpServer((request, response) => {
    void readBody(request).then(
      (text) => {
        seen.push({
          method: request.method,
          length: request.headers['content-length'],
          encoding: request.headers['transfer-encoding'],
          names: request.rawHeaders.filter((_header, index) => index % 2 === 0),
          text,
        });
        return answer(request, response);
      },
      () => response.destroy(),
    );
  });
  return { ...(await listen(server)), seen };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
