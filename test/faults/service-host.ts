// Serves the sandbox with its ledger on a port, behind the fault proxy.

import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox } from '../../sandbox/app.ts';
import { listen } from '../support/servers.ts';
import { startFaultProxy, type FaultProxy, type SeenHead, type Plan } from './fault-proxy.ts';
import { recordLedger, type Ledger } from './ledger.ts';

export interface ServiceHost {
  readonly proxy: FaultProxy;
  /** Port of the sandbox, without the proxy. */
  readonly port: number;
  readLedger(): Ledger;
  close(): Promise<void>;
}

export interface ServiceHostOptions {
  /** Epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Chooses the fault of each request. Default: passes all requests. */
  readonly choose?: (head: SeenHead) => Plan;
}

/** Offers are available immediately. */
export async function startServiceHost(options: ServiceHostOptions = {}): Promise<ServiceHost> {
  const { clock, choose } = options;
  const sandbox = createSandbox({ offerDelayMs: 0, ...(clock ? { now: clock } : {}) });
  const ledger = recordLedger(sandbox);
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
