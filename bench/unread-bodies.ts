// Measures how long other clients wait while many connections send bodies that the server refused with 413.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { withConnectionLimits } from '../bff/middleware/connection-limits.ts';
import { quantile } from './goals.ts';

const connections = 300;
const bodyBytes = 64 * 1024 * 1024;
const warmUpMs = 2_000;
const measureMs = 8_000;

type Role = 'limited' | 'unlimited' | 'clients';

/** Returns one line for each of the two servers. */
export async function measureUnreadBodies(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const role of ['limited', 'unlimited'] as const) {
    const times = await measure(role);
    lines.push(
      [
        role.padEnd(10),
        `p50 ${quantile(times, 0.5).toFixed(0)} ms`,
        `p95 ${quantile(times, 0.95).toFixed(0)} ms`,
        `(${times.length} requests beside ${connections} connections)`,
      ].join('  '),
    );
  }
  return lines;
}

/** Returns the response times in ascending order. */
async function measure(server: Exclude<Role, 'clients'>): Promise<readonly number[]> {
  const serving = fork(fileURLToPath(import.meta.url), [server]);
  const [port] = await once(serving, 'message');
  const clients = fork(fileURLToPath(import.meta.url), ['clients', String(port)]);
  await sleep(warmUpMs);
  const times: number[] = [];
  const end = performance.now() + measureMs;
  while (performance.now() < end) {
    const startedAt = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();
    times.push(performance.now() - startedAt);
  }
  for (const child of [clients, serving]) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  return times.sort((first, second) => first - second);
}

function serve(role: Role): void {
  const listener = getRequestListener(async ({ method }) => {
    return method === 'POST' ? new Response('too large', { status: 413 }) : new Response('ok');
  });
  const server = createServer(
    role === 'limited'
      ? withConnectionLimits(listener)
      : (request, response) => void listener(request, response),
  );
  server.listen(0, '127.0.0.1', () => {
    // The address of a TCP server is an object.
    process.send?.((server.address() as AddressInfo).port);
  });
}

/** Sends a body as fast as possible, then repeats on a new connection. */
function keepSending(port: number): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const socket = connect(port, '127.0.0.1');
  let left = bodyBytes;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.byteLength;
      if (!socket.write(chunk)) return;
    }
    if (left <= 0) socket.destroy();
  };
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  socket.on('drain', send);
  socket.on('error', () => undefined);
  socket.once('close', () => setTimeout(() => keepSending(port), 100));
  socket.resume();
  send();
}

const [role, port] = process.argv.slice(2);
if (role === 'limited' || role === 'unlimited') serve(role);
if (role === 'clients') {
  for (let index = 0; index < connections; index += 1) keepSending(Number(port));
}
