// Measures accepted applications per second, with and without a store, and the delivery rate after an outage.

import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../bff/store/open-store.ts';
import { fileAtBff, fileAtProxy, runLoad, type LoadResult } from './load.ts';
import { startBff, startProxy, startStub, type Stub } from './processes.ts';

const connections = 16;
const warmUpMs = 2_000;
const durationMs = 6_000;
const backlog = 2_000;

export interface Engine {
  readonly name: string;
  /** Calls `work` with the URL of an empty store. */
  readonly withUrl: <Result>(work: (url: string) => Promise<Result>) => Promise<Result>;
}

export async function measureApplications(engines: readonly Engine[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const delayMs of [0, 50]) {
    const stub = await startStub(delayMs);
    const proxy = await startProxy(stub);
    const bare = await measure(proxy.url, fileAtProxy);
    await proxy.stop();
    lines.push(
      `applications, ${connections} connections, funding service responds after ${delayMs} ms`,
      describe('Hono proxy, no store', bare, bare),
    );
    for (const { name, withUrl } of engines) {
      const result = await withUrl((url) => measureBff(stub, url));
      lines.push(describe(`BFF, ${name}`, result, bare));
    }
    await stub.stop();
  }
  return lines;
}

/** Measures the delivery of applications that were submitted during an outage. */
export async function measureDrain({ name, withUrl }: Engine): Promise<string> {
  const stub = await startStub(0);
  await stub.set('down');
  return withUrl(async (url) => {
    const bff = await startBff(stub, url);
    const filed = await runLoad({ url: bff.url, file: fileAtBff, connections, count: backlog });
    const store = await openStore(url);
    const countAccepted = async () => {
      const counts = await store.countStates();
      return counts.find(({ state }) => state === 'accepted')?.count ?? 0;
    };
    await stub.set('up');
    // The first attempt after an outage is a probe. Delivery of the other rows starts when the probe succeeds.
    while ((await countAccepted()) === 0) await sleep(20);
    const startedAt = performance.now();
    while ((await countAccepted()) < backlog) await sleep(20);
    const seconds = (performance.now() - startedAt) / 1000;
    await store.close();
    await bff.stop();
    await stub.stop();
    return [
      `BFF, ${name}`.padEnd(26),
      `${(backlog / seconds).toFixed(0).padStart(6)}/s`,
      ` (${backlog} waiting; accepted during the outage at ${filed.perSecond.toFixed(0)}/s,`,
      `p50 ${filed.p50Ms.toFixed(1)} ms, p99 ${filed.p99Ms.toFixed(1)} ms)`,
    ].join(' ');
  });
}

async function measureBff(stub: Stub, databaseUrl: string): Promise<LoadResult> {
  const bff = await startBff(stub, databaseUrl);
  const result = await measure(bff.url, fileAtBff);
  await bff.stop();
  return result;
}

async function measure(url: string, file: typeof fileAtBff): Promise<LoadResult> {
  await runLoad({ url, file, connections, durationMs: warmUpMs });
  return runLoad({ url, file, connections, durationMs });
}

function describe(name: string, result: LoadResult, bare: LoadResult): string {
  const statuses = [...result.statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  return [
    name.padEnd(26),
    `${result.perSecond.toFixed(0).padStart(6)}/s`,
    `p50 ${result.p50Ms.toFixed(1).padStart(6)} ms`,
    `p99 ${result.p99Ms.toFixed(1).padStart(6)} ms`,
    `${(result.perSecond / bare.perSecond).toFixed(2)} of the proxy`,
    `(${statuses})`,
  ].join('  ');
}
