// A load balancer for several BFFs: round robin over the BFFs that report ready, with a new connection for each request.
// It tries the next BFF when a connection is refused.

import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { listen } from '../support/servers.ts';
import { isReady } from './bff-child.ts';

export interface Balancer {
  readonly url: string;
  /** Number of requests that reached a BFF and got no response. */
  countBroken(): number;
  close(): Promise<void>;
}

const checkMs = 50;

/** @param targets base URLs of the BFFs. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const ready = new Set<string>();
  const stopping = new AbortController();
  const watching = Promise.all(targets.map((target) => watch(target, ready, stopping.signal)));
  let turn = 0;
  let broken = 0;

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const order = [...ready];
    turn += 1;
    for (let index = 0; index < order.length; index += 1) {
      const target = order[(turn + index) % order.length]!;
      const result = await pass(target, incoming, body, response);
      if (result === 'answered') return;
      if (result === 'broken') {
        broken += 1;
        response.destroy();
        return;
      }
    }
    response.writeHead(503).end();
  }

  const listening = await listen(
    createServer((incoming, response) => {
      carry(incoming, response).catch(() => response.destroy());
    }),
  );
  return {
    url: new URL(listening.url).origin,
    countBroken: () => broken,
    async close() {
      stopping.abort();
      await watching;
      await listening.close();
    },
  };
}

async function watch(target: string, ready: Set<string>, signal: AbortSignal): Promise<void> {
  const agent = new Agent();
  while (!signal.aborted) {
    if (await isReady(target, agent)) ready.add(target);
    else ready.delete(target);
    await sleep(checkMs);
  }
  await agent.destroy();
}

/** Resolves with `refused` when the connection was refused, so that nothing was sent. */
function pass(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<'answered' | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const outgoing = send(
      `${target}${url}`,
      { method, headers: { ...headers, connection: 'close' }, agent: false },
      (answer) => {
        // The Connection header describes the connection to the BFF, not the connection to the client.
        const { connection: _connection, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, rest);
        answer.pipe(response);
        answer.once('end', () => resolve('answered'));
        answer.once('error', () => resolve('broken'));
      },
    );
    outgoing.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'),
    );
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
