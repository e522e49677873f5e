// The sandbox on a port of its own with its ledger, and the fault proxy before it.

import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox } from '../../sandbox/app.ts';
import { listen } from '../support/servers.ts';
import { startFaultProxy, type FaultProxy, type SeenHead, type Plan } from './fault-proxy.ts';
import { keepLedger, type Ledger } from './ledger.ts';

export interface ServiceHost {
  readonly proxy: FaultProxy;
  /** Without the proxy. */
  readonly port: number;
  readLedger(): Ledger;
  close(): Promise<void>;
}

export interface ServiceHostOptions {
  /** Epoch milliseconds; default the machine's time. */
  readonly clock?: () => number;
  /** What becomes of each request; default all pass. */
  readonly choose?: (head: SeenHead) => Plan;
}

/** Offers are there at once. */
export async function startServiceHost(options: ServiceHostOptions = {}): Promise<ServiceHost> {
  const { clock, choose } = options;
  const sandbox = createSandbox({ offerDelayMs: 0, ...(clock ? { now: clock } : {}) });
  const ledger = keepLedger(sandbox);
  const server = createAdaptorServer({ fetch: ledger.fetch, createServer });
  const listening = await listen(server as ReturnType<typeof createServer>);
  const port = Number(new URL(listening.url).port);
  const proxy = await startFaultProxy({ port, ...(choose ? { choose } : {}) });
  return {
    proxy,
    port,
    readLedger: ledger.read,
    async close() {
      await proxy.close();
      await listening.close();
    },
  };
}
