// Servers on a free port: one records requests, one responds with raw bytes.

import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer as createNetServer, type Server, type Socket } from 'node:net';

export interface Listening {
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
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/path`, close };
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
