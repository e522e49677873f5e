// A complete BFF in memory with the sandbox as funding service, on either engine, with manual time and queued faults.

import type { BffApp } from '../../../bff/app.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { Transport, TransportRequest } from '../../../bff/funding-service/transport.ts';
import { deliveryKinds, type Store } from '../../../bff/store/store.ts';
import { createStore, openDatabase } from '../../../bff/store/open-store.ts';
import type { LogEvent } from '../../../bff/bff-log.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { createFetchTransport } from '../../support/fetch-transport.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { createAppSender } from '../../support/applicant.ts';
import { createTestConfig, startBff } from '../../support/bff.ts';
import { createApplicant } from './applicant.ts';
import type { Evidence } from './invariants.ts';
import { createHistory } from './history.ts';
import { recordLedger, type Ledger } from './recorded-service.ts';
import { readEnd } from './storage.ts';

/** Handles a call instead of the funding service; `pass` forwards the call to the sandbox. */
export type Interruption = (
  request: TransportRequest,
  pass: () => ReturnType<Transport>,
) => ReturnType<Transport>;

export interface SimulationOptions {
  /** A `DATABASE_URL` with the audit triggers. */
  readonly databaseUrl: string;
  /** Creates the funding service. Default: the sandbox in memory. */
  readonly createService?: (time: ManualTime) => Promise<SimulationService>;
}

export interface SimulationService {
  readonly transport: Transport;
  /** Base URL, without `/rest`. */
  readonly url: string;
  readLedger(): Ledger;
  close(): Promise<void>;
}

/** Longer than all retry delays of an unknown outcome, shorter than a session. */
const settleLimitMs = 3 * 60 * 60_000;

interface Order {
  readonly path: string;
  readonly interruption: Interruption;
  readonly take: () => void;
}

export type Simulation = Awaited<ReturnType<typeof startSimulation>>;

/** Delivery runs only when a test calls `settle` or `runDue`. Responses to submissions do not wait for delivery. */
export async function startSimulation(options: SimulationOptions) {
  const time = createManualTime();
  const service = await (options.createService ?? createServiceInMemory)(time);
  const history = createHistory();
  const events: LogEvent[] = [];
  const variables = { FUNDING_AUTH_URL: service.url, FUNDING_BASE_URL: `${service.url}/rest` };
  const config = createTestConfig({}, variables);
  const database = await openDatabase(options.databaseUrl, { clock: time.clock });
  const store = createStore(database);
  const orders: Order[] = [];
  const bffs: BffApp[] = [];

  const interrupted: Transport = (request) => {
    const index = orders.findIndex(({ path }) => request.url.endsWith(path));
    const [order] = index < 0 ? [] : orders.splice(index, 1);
    if (!order) return service.transport(request);
    order.take();
    return order.interruption(request, () => service.transport(request));
  };

  const fundingService = createFundingService({
    config,
    transport: interrupted,
    clock: time.clock,
    onEvent: (event) => events.push(event),
  });

  /** Adds a BFF on the same store, or on a changed one. */
  async function addBff(change: (store: Store) => Store = (unchanged) => unchanged) {
    const bff = await startBff({
      variables,
      time,
      delivers: false,
      store: change(store),
      fundingService,
      log: (event) => events.push(event),
      startTimer: (ms, run) => (ms > 0 ? time.startTimer(ms, run) : startImmediate(run)),
      resultTimeoutMs: 0,
      inspections: acceptingInspections,
    });
    bffs.push(bff);
    return bff;
  }

  /** Delivers once what is due, with each BFF. */
  async function deliverOnce() {
    for (const bff of bffs) await bff.delivery.runDue();
  }

  await addBff();
  return {
    time,
    service,
    history,
    events,
    store,
    /** Of each BFF. */
    fundingService,
    bffs,
    addBff,
    deliverOnce,

    /** Handles the next call whose URL ends with `path`. Resolves when that call arrives. */
    interrupt: (path: string, interruption: Interruption) =>
      new Promise<void>((take) => {
        orders.push({ path, interruption, take });
      }),

    /** Creates an applicant who uses the first BFF. */
    createApplicant: (name: string) =>
      createApplicant({ name, history, send: createAppSender(bffs[0]!.app) }),

    /** Delivers until no row is due, advancing the clock by at most `settleLimitMs`. */
    async settle() {
      const end = time.clock() + settleLimitMs;
      while (time.clock() < end) {
        await deliverOnce();
        const dueMs = await store.findNextDueMs(deliveryKinds);
        if (dueMs === undefined) return;
        // At least until the next probe, because a due row may wait for the circuit breaker.
        time.advance(Math.max(dueMs, 30_000));
      }
    },

    async readEvidence(): Promise<Evidence> {
      return { ...(await readEnd(database)), history, ledger: service.readLedger() };
    },

    async close() {
      await database.close();
      await service.close();
    },
  };
}

/** The default funding service: the sandbox's app, called without a network. */
export async function createServiceInMemory(time: ManualTime): Promise<SimulationService> {
  const sandbox = createSandbox({ now: time.clock, offerDelayMs: 0 });
  const ledger = recordLedger(sandbox);
  return {
    transport: createFetchTransport((url, init) => ledger.fetch(new Request(url, init))),
    url: 'http://localhost:8082',
    readLedger: ledger.read,
    close: async () => undefined,
  };
}

function startImmediate(run: () => void): () => void {
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
}
