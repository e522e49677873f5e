// A listening BFF that is told to stop: what it still answers and takes, in which order it ends, and what it leaves behind.

import { afterEach, describe, expect, it } from 'vitest';
import { createFundingService } from '../../bff/funding-service/client.ts';
import { createUndiciTransport } from '../../bff/funding-service/transport.ts';
import type { Store } from '../../bff/store/store.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { serve, type Serving } from '../../bff/server.ts';
import { createRig, createTestConfig, type Rig, type RigOptions } from './bff-rig.ts';
import { createManualTime, until } from './manual-time.ts';
import { startSandboxServer, type SandboxServer } from './sandbox-server.ts';

const drainMs = 10_000;
const closeMs = 25_000;
const recordMs = 5_000;

describe('a BFF that listens', () => {
  const steps: string[] = [];
  let rig: Rig;
  let serving: Serving;
  let url: string;
  let upstream: SandboxServer | undefined;

  afterEach(async () => {
    steps.length = 0;
    await upstream?.close();
    upstream = undefined;
  });

  /** The store stays open after its close, which is noted, so that a test can look at what is left. */
  async function start(
    options: RigOptions = {},
    changeStore: (store: Store) => Partial<Store> = () => ({}),
  ): Promise<void> {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    const close = async () => void steps.push('store closed');
    const watched = { ...store, ...changeStore(store), close };
    rig = await createRig({ delivers: false, time, store: watched, ...options });
    serving = await serve({ bff: rig, port: 0, clock: time.clock, startTimer: time.startTimer });
    url = `http://localhost:${serving.port}`;
  }

  const isListening = () =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    );

  async function passDrain(): Promise<void> {
    rig.time.advance(drainMs);
    await until(async () => !(await isListening()));
  }

  it('says it is not ready, and still serves on connections that end', async () => {
    await start();
    expect((await fetch(`${url}/livez`)).headers.get('connection')).toBe('keep-alive');
    const stopped = serving.stop();
    rig.time.advance(drainMs - 1);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('connection')).toBe('close');
    const missing = await fetch(`${url}/nowhere`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('connection')).toBe('close');
    expect(steps).toEqual([]);
    rig.time.advance(1);
    expect(await stopped).toBe('recorded');
    expect(steps).toEqual(['store closed']);
    expect(await isListening()).toBe(false);
  });

  it('takes and delivers an application while it drains', async () => {
    await start();
    const stopped = serving.stop();
    const filed = await rig.openBrowser().apply();
    expect(filed.status).toBe(201);
    expect(filed.headers.get('connection')).toBe('close');
    await passDrain();
    expect(await stopped).toBe('recorded');
  });

  it('claims nothing any more once it has drained, also while the last request is answered', async () => {
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
    rig.delivery.wake();
    rig.time.advance(closeMs - 1);
    expect(await isListening()).toBe(false);
    expect(claims).toBe(0);
    release();
    await answer;
    expect(await stopped).toBe('recorded');
  });

  it('answers a request that is under way, and closes the store after it', async () => {
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

  it('cuts a request off that does not end in time', async () => {
    const { arrived } = await startWithHeldRequest();
    const answer = fetch(`${url}/readyz`).catch(() => 'cut off');
    await arrived();
    const stopped = serving.stop();
    await passDrain();
    rig.time.advance(closeMs);
    expect(await answer).toBe('cut off');
    expect(await stopped).toBe('recorded');
  });

  it('aborts a call that hangs, and leaves its application waiting with one uncertain attempt', async () => {
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
    const filed = rig.openBrowser().apply();
    await until(() => upstream?.leads() === 1);
    const stopped = serving.stop();
    await passDrain();
    const { status, json } = await filed;
    expect(status).toBe(202);
    await until(() => rig.time.listTimers().includes(closeMs));
    rig.time.advance(closeMs);
    expect(await stopped).toBe('recorded');
    expect(await rig.store.findApplication(json.reference)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      uncertainAttempts: 1,
    });
    expect(upstream.leads()).toBe(1);
    await transport.close();
  });

  it('ends although the store takes no result, and says so', async () => {
    await start({}, () => ({ recordResult: () => Promise.reject(new Error('disk full')) }));
    const filed = rig.openBrowser().apply();
    await until(() => rig.logLines.some((line) => line.includes('delivery-stalled')));
    const stopped = serving.stop();
    await passDrain();
    expect((await filed).status).toBe(202);
    rig.time.advance(closeMs);
    await until(() => rig.time.listTimers().includes(recordMs));
    rig.time.advance(recordMs);
    expect(await stopped).toBe('unrecorded');
    expect(steps).toEqual(['store closed']);
  });

  it('claims nothing where its port is taken', async () => {
    await start();
    const other = await createRig({ delivers: false });
    const filed = other.openBrowser().apply();
    await until(() => other.time.listTimers().length > 0);
    const failure = await serve({ bff: other, port: serving.port }).catch((error) => error.code);
    expect(failure).toBe('EADDRINUSE');
    other.time.advance(60_000);
    expect((await filed).status).toBe(202);
    expect(other.calls).toEqual([]);
    await other.close();
    const stopped = serving.stop();
    rig.time.advance(drainMs);
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
