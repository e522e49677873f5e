// Measures 1, 2, 4, and 8 BFF processes on one PostgreSQL database, and checks that each application reaches the upstream once.

import { setTimeout as sleep } from 'node:timers/promises';
import { createSchema } from '../test/support/postgres-schema.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { type Client, createClient, runLoad, startSession, submit } from './load.ts';
import { readCpuSeconds } from './machine.ts';
import { buildBff, type Running, startBff, startStub, type Stub } from './processes.ts';

const instanceCounts = [1, 2, 4, 8] as const;
/** Over all instances. */
const connections = 64;
const upstreamDelayMs = 50;
const warmUpMs = 2_000;
const durationMs = 6_000;
const drainTimeoutMs = 60_000;

export interface InstancesResult {
  readonly instances: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds of all BFF processes for 1,000 applications. */
  readonly cpuSeconds: number;
  /** Applications that the BFF has confirmed. */
  readonly confirmed: number;
  /** Different applications that the stub has accepted. */
  readonly delivered: number;
  /** Leads that the stub has accepted for a second time. */
  readonly repeated: number;
  /** Responses other than 201 and 202. */
  readonly refused: number;
}

export async function measureInstances(
  report: (line: string) => void,
): Promise<readonly InstancesResult[]> {
  buildBff();
  const postgres = await startPostgres();
  try {
    const results: InstancesResult[] = [];
    for (const instances of instanceCounts) {
      report(`${instances} BFF processes`);
      const { url } = await createSchema(postgres.url);
      results.push(await measure(instances, url));
    }
    return results;
  } finally {
    await postgres.stop();
  }
}

async function measure(instances: number, databaseUrl: string): Promise<InstancesResult> {
  const stub = await startStub(upstreamDelayMs);
  const bffs: Running[] = [];
  for (let index = 0; index < instances; index += 1) {
    bffs.push(await startBff({ stub, databaseUrl }));
  }
  const clients = bffs.map(({ url }) => createClient(url, connections / instances));
  const snapshots: { readonly leads: number; readonly cpuSeconds: number }[] = [];
  const snapshot = async () => {
    const cpuSeconds = bffs.reduce((sum, { processId }) => sum + readCpuSeconds(processId), 0);
    snapshots.push({ leads: (await stub.ask()).leads, cpuSeconds });
  };
  let confirmed = 0;
  let refused = 0;
  /** The session begins at one process, and the application arrives at the next one, as behind a load balancer. */
  const apply = async (first: Client, second: Client) => {
    const response = await submit(second, await startSession(first));
    if (response.status === 201 || response.status === 202) confirmed += 1;
    else refused += 1;
    return response;
  };
  const load = await runLoad({
    connections,
    next: (worker) => {
      const first = clients[worker % instances];
      const second = clients[(worker + 1) % instances];
      return first && second && apply(first, second);
    },
    warmUpMs,
    durationMs,
    snapshot,
  });
  const { delivered, repeated } = await countDelivered(stub, confirmed);
  for (const client of clients) await client.close();
  await Promise.all(bffs.map((bff) => bff.stop()));
  await stub.stop();
  const [first, last] = snapshots;
  if (!first || !last) throw new Error('A measurement needs two snapshots');
  const leads = last.leads - first.leads;
  return {
    instances,
    perSecond: leads / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    cpuSeconds: ((last.cpuSeconds - first.cpuSeconds) / leads) * 1000,
    confirmed,
    delivered,
    repeated,
    refused,
  };
}

/** Waits until the confirmed applications are delivered. */
async function countDelivered(stub: Stub, confirmed: number) {
  const deadline = Date.now() + drainTimeoutMs;
  for (;;) {
    const { leads, repeatedLeads: repeated } = await stub.ask();
    const delivered = leads - repeated;
    if (delivered >= confirmed || Date.now() > deadline) return { delivered, repeated };
    await sleep(100);
  }
}

/** True if an application was lost, or was sent twice. */
export function hasFailed({ confirmed, delivered, repeated }: InstancesResult): boolean {
  return delivered < confirmed || repeated > 0;
}

export function describeInstances(result: InstancesResult): string {
  const { instances, perSecond, p50Ms, p99Ms, cpuSeconds } = result;
  const { confirmed, delivered, repeated, refused } = result;
  return [
    `${instances} BFF`.padEnd(8),
    `${perSecond.toFixed(0)}/s`.padEnd(8),
    `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`.padEnd(26),
    `${cpuSeconds.toFixed(1)} CPU s per 1,000`.padEnd(24),
    `confirmed ${confirmed}, delivered ${delivered}, twice ${repeated}, refused ${refused}`,
    hasFailed(result) ? ': FAILED' : '',
  ].join('');
}
