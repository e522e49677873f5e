// The keep-alive timeout. It needs its own file: undici has one timer per process, which must be fake from its first use.

import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
import { listenRecording } from '../../support/servers.ts';
import { until } from '../../support/manual-time.ts';

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

async function setUp() {
  const sockets = new Set<Socket>();
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const { url, close } = await listenRecording(({ socket }, response) => {
    sockets.add(socket);
    // Keeps Node from sending a Keep-Alive header, which the transport would follow.
    response.setHeader('Connection', 'keep-alive').end('{}');
  });
  const transport = createUndiciTransport();
  closers.push(transport.close, close);
  const send = async (): Promise<void> => {
    const result = await transport({ url, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    // undici sets the timer of the idle connection after it returned the response.
    await until(() => setTimer.mock.calls.some(([, delayMs]) => (delayMs ?? 0) >= 1_000));
    setTimer.mockClear();
  };
  return { send, sockets };
}
