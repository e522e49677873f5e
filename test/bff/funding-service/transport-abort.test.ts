import { afterEach, describe, expect, it } from 'vitest';
import {
  createUndiciTransport,
  type StreamedBody,
  type TransportBody,
} from '../../../bff/funding-service/transport.ts';
import { listenRaw, listenRecording, type Listening } from '../../support/servers.ts';
import { until } from '../manual-time.ts';

const headers = { 'Content-Type': 'application/json' };
const interrupted = { kind: 'interrupted', failure: 'ABORTED' };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('abort', () => {
  it.each([false, true])(
    'ends every call that waits for its answer (own connection: %s)',
    async (freshConnection) => {
      const service = await silent('');
      const send = setUp();
      const call = () => send({ url: service.url, headers, body: '{}', freshConnection });
      const underWay = [call(), call(), call()];
      await until(() => service.reached() === 3);
      send.abort();
      expect(await Promise.all(underWay)).toEqual([interrupted, interrupted, interrupted]);
      await until(() => service.open() === 0);
    },
  );

  it('ends a call whose answer has begun', async () => {
    const service = await silent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{');
    const send = setUp();
    const underWay = send({ url: service.url, headers, body: '{}' });
    await until(() => service.reached() === 1);
    send.abort();
    expect(await underWay).toEqual(interrupted);
  });

  it('ends a call whose body is being sent, and closes the source of the body', async () => {
    const service = await silent('');
    const send = setUp();
    let isClosed = false;
    const body: StreamedBody = {
      bytes: 1_000_000_000,
      open: async function* endless() {
        try {
          for (;;) yield new Uint8Array(65_536);
        } finally {
          isClosed = true;
        }
      },
    };
    const underWay = send({ url: service.url, headers, body, freshConnection: true });
    await until(() => service.reached() === 1);
    send.abort();
    expect(await underWay).toEqual(interrupted);
    await until(() => isClosed);
  });

  it.each([false, true])(
    'ends a call whose connection is being opened (own connection: %s)',
    async (freshConnection) => {
      const service = await silent('');
      const url = service.url.replace('http:', 'https:');
      const send = setUp();
      const underWay = send({ url, headers, body: '{}', freshConnection });
      await until(() => service.reached() === 1);
      send.abort();
      expect(await underWay).toEqual(interrupted);
    },
  );

  it('lets no later call begin, nor its body be opened', async () => {
    const { url, seen } = await kept(listenRecording());
    const send = setUp();
    send.abort();
    let isOpened = false;
    const body: TransportBody = {
      bytes: 0,
      open: async function* open() {
        isOpened = true;
        yield* [];
      },
    };
    expect(await send({ url, headers, body })).toEqual({ kind: 'not-sent', failure: 'ABORTED' });
    expect(isOpened).toBe(false);
    expect(seen).toEqual([]);
  });

  it('leaves what was answered before as it is, and can be said twice', async () => {
    const { url } = await kept(listenRecording());
    const send = setUp();
    const answer = await send({ url, headers, body: '{}' });
    send.abort();
    send.abort();
    expect(answer).toMatchObject({ kind: 'response', status: 200 });
  });
});

function setUp() {
  const transport = createUndiciTransport();
  closers.push(transport.close);
  return transport;
}

/** Says `beginning` to whoever sends something, and nothing more. */
async function silent(beginning: string) {
  let reached = 0;
  let open = 0;
  const { url } = await kept(
    listenRaw((socket) => {
      open += 1;
      socket.on('close', () => (open -= 1));
      socket.once('data', () => socket.write(beginning, () => (reached += 1)));
    }),
  );
  return { url, reached: () => reached, open: () => open };
}

/** Closed after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}
