// The keep-alive timeout. It needs its own file: undici has one timer per process, which must be fake from its first use.

import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ConnectionReuse,
  createUndiciTransport,
} from '../../../bff/funding-service/transport.ts';
import { listenRecording } from '../../support/servers.ts';
import { until } from '../../support/manual-time.ts';

/** The timers of idle connections, for `idle` and `recent`. */
const idleMs = new Set([4_000, 100]);
const closers: (() => Promise<void>)[] = [];

// The sockets use real time.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('an idle connection', () => {
  // Many servers close idle connections after 5 s. A request on a closing connection has an unknown outcome.
  it('is closed within 5 s', async () => {
    const { send, sockets } = await setUp();
    await send();
    vi.advanceTimersByTime(4_999);
    const [socket] = sockets;
    await until(() => socket!.destroyed);
  });

  it('is reused after 2 s', async () => {
    const { send, sockets } = await setUp();
    await send();
    vi.advanceTimersByTime(2_000);
    await send();
    expect(sockets.size).toBe(1);
  });
});

describe('a recent connection', () => {
  it('is closed after 100 ms', async () => {
    const { send, sockets } = await setUp('recent');
    await send();
    vi.advanceTimersByTime(99);
    const [socket] = sockets;
    await nextTurn();
    expect(socket!.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await until(() => socket!.destroyed);
  });

  it('is not kept longer because the server offers it', async () => {
    const { send, sockets } = await setUp('recent', { 'Keep-Alive': 'timeout=600' });
    await send();
    vi.advanceTimersByTime(100);
    const [socket] = sockets;
    await until(() => socket!.destroyed);
  });
});

async function setUp(reuse: ConnectionReuse = 'idle', headers: OutgoingHttpHeaders = {}) {
  const sockets = new Set<Socket>();
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const { url, close } = await listenRecording(({ socket }, response) => {
    sockets.add(socket);
    // Keeps Node from sending a Keep-Alive header, which the transport would follow.
    response.writeHead(200, { Connection: 'keep-alive', ...headers }).end('{}');
  });
  const transport = createUndiciTransport();
  closers.push(transport.close, close);
  const send = async (): Promise<void> => {
    const result = await transport({ url, headers: {}, body: '{}', reuse });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    // undici sets the timer of the idle connection after it returned the response.
    await until(() => setTimer.mock.calls.some(([, delayMs]) => idleMs.has(delayMs ?? 0)));
    setTimer.mockClear();
  };
  return { send, sockets };
}
