// How long the transport keeps an idle connection. A file of its own: undici has one timer for all its clients in a process,
// and that timer has to be a fake one from its first use.

import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
import { listenRecording } from '../../support/servers.ts';
import { until } from '../manual-time.ts';

const closers: (() => Promise<void>)[] = [];

// The sockets are real.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('an idle connection', () => {
  // Many servers close theirs after 5 s. A request that is written into a closing connection has an unknown outcome.
  it('is closed before 5 s have passed', async () => {
    const { send, sockets } = await setUp();
    await send();
    vi.advanceTimersByTime(4_999);
    const [socket] = sockets;
    await until(() => socket!.destroyed);
  });

  it('serves another request after 2 s', async () => {
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
    // Set by hand, it keeps Node from saying how long the server waits, which the transport would follow.
    response.setHeader('Connection', 'keep-alive').end('{}');
  });
  const transport = createUndiciTransport();
  closers.push(transport.close, close);
  const send = async (): Promise<void> => {
    const result = await transport({ url, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    // undici sets the timer of the idle connection only after it has handed over the answer.
    await until(() => setTimer.mock.calls.some(([, delayMs]) => (delayMs ?? 0) >= 1_000));
    setTimer.mockClear();
  };
  return { send, sockets };
}
