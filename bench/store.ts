// Measures the store: the time of a durable commit, and the delivery of applications that waited during an outage.

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../bff/store/open-store.ts';
import { quantile } from './goals.ts';
import { createClient, runLoad, startSession, submit } from './load.ts';
import { buildBff, startBff, startStub } from './processes.ts';

export interface Engine {
  readonly name: string;
  /** Calls `work` with the URL of an empty store. */
  readonly withUrl: <Result>(work: (url: string) => Promise<Result>) => Promise<Result>;
}

const warmUp = 200;
const commits = 2_000;
/** Approximate size of an encrypted lead with four consents. */
const leadBytes = 2_000;
const backlog = 2_000;
const connections = 16;
const consentText = 'I authorise the lender to obtain my credit report. '.repeat(12);

export async function measureCommits({ name, withUrl }: Engine): Promise<string> {
  return withUrl(async (url) => {
    const store = await openStore(url);
    const times: number[] = [];
    for (let index = 0; index < warmUp + commits; index += 1) {
      const id = randomUUID();
      const began = performance.now();
      await store.addApplication(createApplication(id), createConsents(id));
      if (index >= warmUp) times.push(performance.now() - began);
    }
    await store.close();
    times.sort((a, b) => a - b);
    return [
      name.padEnd(26),
      `p50 ${quantile(times, 0.5).toFixed(2)} ms`,
      `p99 ${quantile(times, 0.99).toFixed(2)} ms`,
      `(${commits} applications with 4 consents, one after another)`,
    ].join('  ');
  });
}

export function createApplication(id: string) {
  return {
    id,
    session: { id, origin: 'http://localhost:8080', createdAt: Date.now() },
    idempotencyKey: id,
    fingerprint: id,
    key: { keyId: '1', bytes: randomBytes(61) },
    encryptedLead: randomBytes(leadBytes),
    receivedAt: Date.now(),
  };
}

export function createConsents(applicationId: string) {
  return ['credit', 'records', 'terms', 'contact'].map((consentId) => ({
    id: randomUUID(),
    applicationId,
    consentId,
    version: '1',
    text: consentText,
    textHash: 'ab'.repeat(32),
    locale: 'en',
    givenAt: Date.now(),
    encryptedAddress: randomBytes(40),
  }));
}

/** Measures the delivery of applications that were submitted during an outage. */
export async function measureDrain({ name, withUrl }: Engine): Promise<string> {
  buildBff();
  const stub = await startStub(0);
  await stub.ask({ isDown: true });
  return withUrl(async (url) => {
    const bff = await startBff({ stub, databaseUrl: url });
    const client = createClient(bff.url, connections);
    let begun = 0;
    const filed = await runLoad({
      connections,
      next: () => {
        begun += 1;
        return begun > backlog
          ? undefined
          : startSession(client).then((session) => submit(client, session));
      },
      warmUpMs: 0,
      durationMs: Infinity,
      snapshot: () => Promise.resolve(),
    });
    await client.close();
    const countDelivered = async () => (await stub.ask()).leads;
    await stub.ask({ isDown: false });
    // The first attempt after an outage is a probe. Delivery of the other rows starts when the probe succeeds.
    while ((await countDelivered()) === 0) await sleep(20);
    const startedAt = performance.now();
    while ((await countDelivered()) < backlog) await sleep(20);
    const seconds = (performance.now() - startedAt) / 1000;
    await bff.stop();
    await stub.stop();
    return [
      `BFF, ${name}`.padEnd(26),
      `${(backlog / seconds).toFixed(0).padStart(6)}/s`,
      ` (${backlog} waiting; stored during the outage at ${(backlog / filed.seconds).toFixed(0)}/s,`,
      `p50 ${filed.p50Ms.toFixed(1)} ms, p99 ${filed.p99Ms.toFixed(1)} ms)`,
    ].join(' ');
  });
}
