// The listening server: its shutdown, and its limits.

import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, beforeEach } from 'vitest';
import { createFundingService } from '../../bff/funding-service/client.ts';
import { createUndiciTransport } from '../../bff/funding-service/transport.ts';
import type { Store } from '../../bff/store/store.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { serve, type Serving } from '../../bff/server.ts';
import { startBff, createTestConfig, type TestBff, type TestBffOptions } from '../support/bff.ts';
import { createManualTime, until } from '../support/manual-time.ts';
import { startSandboxServer, type SandboxServer } from '../support/sandbox-server.ts';

const drainMs = 10_000;
const closeMs = 25_000;
const recordMs = 5_000;

describe('a server', () => {
  const steps: string[] = [];
  let bff: TestBff;
  let serving: Serving;
  let url: string;
  let upstream: SandboxServer | undefined;

  afterEach(async () => {
    steps.length = 0;
    await upstream?.close();
    upstream = undefined;
  });

  /** Records when the store closes, and keeps it open for the test. */
  async function start(
    options: TestBffOptions = {},
    changeStore: (store: Store) => Partial<Store> = () => ({}),
  ): Promise<void> {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    const close = async () => void steps.push('store closed');
    const watched = { ...store, ...changeStore(store), close };
    bff = await startBff({ delivers: false, time, store: watched, ...options });
    serving = await serve({ bff, port: 0, clock: time.clock, startTimer: time.startTimer });
    url = `http://localhost:${serving.port}`;
  }

  const isListening = () =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    );

  async function passDrain(): Promise<void> {
    bff.time.advance(drainMs);
    await until(async () => !(await isListening()));
  }

  it('answers 503 to /readyz while it drains', async () => {
    await start();
    expect((await fetch(`${url}/livez`)).headers.get('connection')).toBe('keep-alive');
    const stopped = serving.stop();
    bff.time.advance(drainMs - 1);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('connection')).toBe('close');
    for (const [path, status] of Object.entries({ livez: 200, nowhere: 404, 'v1/offers': 403 })) {
      const { status: actual, headers } = await fetch(`${url}/${path}`);
      expect([path, actual, headers.get('connection')]).toEqual([path, status, 'close']);
    }
    expect(steps).toEqual([]);
    bff.time.advance(1);
    expect(await stopped).toBe('recorded');
    expect(steps).toEqual(['store closed']);
    expect(await isListening()).toBe(false);
  });

  it('delivers an application while it drains', async () => {
    await start();
    const stopped = serving.stop();
    const filed = await bff.openBrowser().apply();
    expect(filed.status).toBe(201);
    expect(filed.headers.get('connection')).toBe('close');
    await passDrain();
    expect(await stopped).toBe('recorded');
  });

  it('claims nothing after the drain', async () => {
    let claims = 0;
    const { arrived, release } = await startWithHeldRequest(({ claimDue }) => ({
      claimDue(...question) {
        claims += 1;
        return claimDue(...question);
      },
    }));
    const answer = fetch(`${url}/readyz`);
    await arrived();
    expect(claims).toBeGreaterThan(0);
    const stopped = serving.stop();
    await passDrain();
    claims = 0;
    bff.delivery.wake();
    bff.time.advance(closeMs - 1);
    expect(await isListening()).toBe(false);
    expect(claims).toBe(0);
    release();
    await answer;
    expect(await stopped).toBe('recorded');
  });

  it('answers on connections that it has not accepted when the drain ends', async () => {
    await start();
    const stopped = serving.stop();
    const answers = Array.from({ length: 5 }, () => answerOf(connectTo(serving), livezRequest));
    // The sockets connect in this tick. The event loop accepts them later.
    await new Promise((resolve) => {
      process.nextTick(resolve);
    });
    bff.time.advance(drainMs);
    for (const answer of await Promise.all(answers)) expect(answer).toContain('HTTP/1.1 200');
    expect(await stopped).toBe('recorded');
  });

  it('answers a request that it has not read when the drain ends', async () => {
    await start();
    const socket = connectTo(serving);
    socket.write(livezRequest);
    expect(await nextText(socket)).toContain('connection: keep-alive');
    const stopped = serving.stop();
    const answer = answerOf(socket, livezRequest);
    bff.time.advance(drainMs);
    expect(await answer).toContain('HTTP/1.1 200');
    expect(await stopped).toBe('recorded');
  });

  it('answers an active request before it closes the store', async () => {
    const { arrived, release } = await startWithHeldRequest();
    const answer = fetch(`${url}/readyz`);
    await arrived();
    const stopped = serving.stop();
    await passDrain();
    expect(steps).toEqual([]);
    release();
    expect((await answer).status).toBe(200);
    expect((await answer).headers.get('connection')).toBe('close');
    expect(await stopped).toBe('recorded');
    expect(steps).toEqual(['store closed']);
  });

  it('aborts an active request after the deadline', async () => {
    const { arrived } = await startWithHeldRequest();
    const answer = fetch(`${url}/readyz`).catch(() => 'aborted');
    await arrived();
    const stopped = serving.stop();
    await passDrain();
    bff.time.advance(closeMs);
    expect(await answer).toBe('aborted');
    expect(await stopped).toBe('recorded');
  });

  it('records an aborted call as an uncertain attempt', async () => {
    upstream = await startSandboxServer();
    upstream.isHanging = true;
    const transport = createUndiciTransport();
    const time = createManualTime();
    const fundingService = createFundingService({
      config: createTestConfig({}, upstream.variables),
      transport,
      clock: time.clock,
      onEvent: () => undefined,
    });
    await start({ fundingService, abortCalls: transport.abort });
    const filed = bff.openBrowser().apply();
    await until(() => upstream?.leads() === 1);
    const stopped = serving.stop();
    await passDrain();
    const { status, json } = await filed;
    expect(status).toBe(202);
    await until(() => bff.time.listTimers().includes(closeMs));
    bff.time.advance(closeMs);
    expect(await stopped).toBe('recorded');
    expect(await bff.store.findApplication(json.reference)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      uncertainAttempts: 1,
    });
    expect(upstream.leads()).toBe(1);
    await transport.close();
  });

  it('stops as unrecorded if the store takes no outcome', async () => {
    await start({}, () => ({ recordResult: () => Promise.reject(new Error('disk full')) }));
    const filed = bff.openBrowser().apply();
    await until(() => bff.logLines.some((line) => line.includes('delivery-stalled')));
    const stopped = serving.stop();
    await passDrain();
    expect((await filed).status).toBe(202);
    bff.time.advance(closeMs);
    await until(() => bff.time.listTimers().includes(recordMs));
    bff.time.advance(recordMs);
    expect(await stopped).toBe('unrecorded');
    expect(steps).toEqual(['store closed']);
    // The worker does not try again to record the outcome.
    expect(bff.time.listTimers()).toEqual([]);
  });

  it('claims nothing if its port is in use', async () => {
    await start();
    const other = await startBff({ delivers: false });
    const filed = other.openBrowser().apply();
    await until(() => other.time.listTimers().length > 0);
    const failure = await serve({ bff: other, port: serving.port }).catch((error) => error.code);
    expect(failure).toBe('EADDRINUSE');
    other.time.advance(60_000);
    expect((await filed).status).toBe(202);
    expect(other.calls).toEqual([]);
    await other.close();
    const stopped = serving.stop();
    bff.time.advance(drainMs);
    await stopped;
  });

  /** `/readyz` waits for the store until `release`. */
  async function startWithHeldRequest(changeStore: (store: Store) => Partial<Store> = () => ({})) {
    let hasArrived = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await start({}, (store) => ({
      ...changeStore(store),
      check() {
        hasArrived = true;
        return released;
      },
    }));
    return { arrived: () => until(() => hasArrived), release };
  }
});

const livezRequest = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

function connectTo({ port }: Serving): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

/** The next chunk, which contains one whole response. */
async function nextText(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  return String(chunk).toLowerCase().replace('http/1.1', 'HTTP/1.1');
}

/** Sends the text. Resolves to everything that the server sends until it closes the connection. */
async function answerOf(socket: Socket, text: string): Promise<string> {
  const chunks: string[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(String(chunk)));
  socket.write(text);
  await once(socket, 'close');
  return chunks.join('');
}

describe('the limits of a server', () => {
  let bff: TestBff;
  let serving: Serving;

  beforeEach(async () => {
    bff = await startBff({ delivers: false });
    serving = await serve({ bff, port: 0, drainMs: 0 });
  });

  afterEach(() => serving.stop());

  it('accepts headers of up to 16 KB', async () => {
    const head = (bytes: number) =>
      `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(bytes)}\r\n\r\n`;
    expect(await firstAnswer(head(15_000))).toContain('HTTP/1.1 200');
    expect(await firstAnswer(head(17_000))).toContain('HTTP/1.1 431');
  });

  it('closes a connection after 1,000 requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let last = '';
    for (let count = 1; count <= 1_000; count += 1) last = await askOver(agent, count);
    agent.destroy();
    expect(last).toBe('close');
  });

  it('closes a connection with too many pipelined requests', async () => {
    const socket = connectTo(serving);
    socket.write(livezRequest.repeat(100));
    await once(socket, 'close');
  });

  it('sends no headers that name its software', async () => {
    const answer = await firstAnswer('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).not.toMatch(/^(server|x-powered-by):/im);
  });

  async function firstAnswer(head: string): Promise<string> {
    const socket = connectTo(serving);
    socket.write(head);
    const text = await nextText(socket);
    socket.destroy();
    return text;
  }

  async function askOver(agent: Agent, count: number): Promise<string> {
    const sent = request({ port: serving.port, host: '127.0.0.1', path: '/livez', agent }).end();
    const [response] = await once(sent, 'response');
    expect([count, response.statusCode]).toEqual([count, 200]);
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  }
});
