// The parts of a campaign with BFF processes: a store, the recorded funding service behind the fault proxy, a receiver of webhooks,
// applicants who record their history, and the evidence at the end.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { deliveryKinds } from '../../../bff/store/store.ts';
import { createHttpSender } from '../../support/applicant.ts';
import { findFreePorts } from '../../support/free-port.ts';
import type { CampaignContext } from '../campaign.ts';
import { type CampaignBff, type CampaignBffOptions, startCampaignBff } from './bff-child.ts';
import { startEventReceiver } from './event-receiver.ts';
import type { Plan } from './fault-proxy.ts';
import { createHistory } from './history.ts';
import type { Evidence } from './invariants.ts';
import { startServiceHost } from './recorded-service.ts';
import { createStorage, readEnd, type StorageOptions } from './storage.ts';

export interface RigOptions {
  readonly processes: number;
  /** Chooses the fault of each call to the funding service. Default: none. */
  readonly choosePlan?: () => Plan;
  /** The receiver of webhooks refuses or loses this share of the events. Default: there is no receiver. */
  readonly events?: { readonly random: () => number; readonly faultShare: number };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

export async function startRig(context: CampaignContext, options: RigOptions) {
  const { processes, choosePlan, events } = options;
  const program = await context.getProgram();
  const storage = await createStorage(await toStorageOptions(context));
  const service = await startServiceHost(choosePlan ? { choose: choosePlan } : {});
  const receiver = events && (await startEventReceiver(events.random, events.faultShare));
  const ports = await findFreePorts(processes);
  const sender = createHttpSender(ports.map((port) => `http://localhost:${port}`));
  const history = createHistory();

  return {
    ports,
    /** To the processes in turn. */
    send: sender.send,
    history,
    start: (port: number, more: Partial<CampaignBffOptions> = {}) =>
      startCampaignBff({
        program,
        port,
        databaseUrl: storage.url,
        serviceUrl: service.proxy.url,
        webhookUrl: receiver?.url,
        ...more,
      }),
    /** Waits until nothing is due, stops the processes, and removes everything. */
    async finish(running: Iterable<CampaignBff>): Promise<Evidence> {
      await storage.inspect(waitUntilSettled);
      for (const bff of running) await stopBff(bff);
      await sender.close();
      const rows = await storage.inspect(readEnd);
      const evidence = {
        ...rows,
        history,
        ledger: service.readLedger(),
        events: receiver?.arrived,
      };
      await receiver?.close();
      await service.close();
      await storage.remove();
      if (receiver?.forged.length) throw new Error('A webhook had no valid signature');
      return evidence;
    },
  };
}

export async function toStorageOptions({
  engine,
  getPostgres,
}: CampaignContext): Promise<StorageOptions> {
  return engine === 'SQLite' ? { engine } : { engine, postgresUrl: (await getPostgres()).url };
}

/** Returns the milliseconds until the process exited with code 0. */
export async function stopBff(bff: CampaignBff): Promise<number> {
  const startedAt = performance.now();
  bff.signal('SIGTERM');
  const end = await bff.ended;
  if (end !== '0') throw new Error(`BFF stopped with ${end}: ${bff.errors()}`);
  return Math.round(performance.now() - startedAt);
}

/** Returns the milliseconds until the process was ready. */
export async function awaitReady(bff: CampaignBff): Promise<number> {
  const readyMs = await bff.ready;
  if (readyMs === undefined) throw new Error(`BFF did not start: ${bff.errors()}`);
  return Math.round(readyMs);
}

/** Longer than any retry delay. */
const settleTimeoutMs = 45_000;

/**
 * Waits until no delivery is due and all events are sent. Returns when no row changed for `settleTimeoutMs`; the checker reports the
 * open rows.
 */
export async function waitUntilSettled(database: Database): Promise<void> {
  const store = createStore(database);
  let [states, since] = ['', performance.now()];
  while (performance.now() - since < settleTimeoutMs) {
    // The deliveries first: one that ends after the events were counted adds another event.
    const isDelivered = (await store.findNextDueMs(deliveryKinds)) === undefined;
    const events = await store.countEvents();
    if (isDelivered && events.every(({ pending }) => pending === 0)) return;
    const now = JSON.stringify([await store.countStates(), events]);
    if (now !== states) [states, since] = [now, performance.now()];
    await sleep(200);
  }
}
