// The keep-alive timeout. It needs its own file: undici has one timer per process, which must be fake from its first use.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
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

it.each([
  // Many servers close idle connections after 5 s. A request on a closing connection has an unknown outcome.
  ['idle', {}, 2_000, 4_999],
  ['recent', {}, 99, 100],
  // Not kept longer because the server offers it.
  ['recent', { 'Keep-Alive': 'timeout=600' }, 99, 100],
] as const)('a connection for `%s` calls, %j', async (reuse, headers, openMs, closedMs) => {
  const sockets = new Set<Socket>();
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const { url, close } = await listenRecording(({ socket }, response) => {
    sockets.add(socket);
    // Keeps Node from sending a Keep-Alive header, which the transport would follow.
    response.writeHead(200, { Connection: 'keep-alive', ...headers }).end('{}');
  });
  const transport = createUndiciTransport();
  closers.push(transport.close, close);
  for (const passedMs of [openMs, closedMs]) {
    const result = await transport({ url, headers: {}, body: '{}', reuse });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    // undici sets the timer of the idle connection after it returned the response.
    await until(() => setTimer.mock.calls.some(([, delayMs]) => idleMs.has(delayMs ?? 0)));
    setTimer.mockClear();
    vi.advanceTimersByTime(passedMs);
    await nextTurn();
  }
  expect(sockets.size).toBe(1);
  await until(() => [...sockets].every((socket) => socket.destroyed));
});
