// A complete BFF in memory with the sandbox as funding service, on either engine, with manual time and queued faults. Tests
// decorate its modules to add bugs.

import type { BffApp } from '../../../bff/app.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingService } from '../../../bff/funding-service/funding-service.ts';
import type { Transport, TransportRequest } from '../../../bff/funding-service/transport.ts';
import type { Database } from '../../../bff/store/database.ts';
import { deliveryKinds, type Store } from '../../../bff/store/store.ts';
import { createStore, openDatabase } from '../../../bff/store/open-store.ts';
import type { LogEvent } from '../../../bff/bff-log.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { createFetchTransport } from '../../support/fetch-transport.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { createAppSender, type Send } from '../../support/applicant.ts';
import { createTestConfig, startBff } from '../../support/bff.ts';
import { createApplicant, type Applicant } from './applicant.ts';
import type { Evidence } from './invariants.ts';
import { createHistory, type History } from './history.ts';
import { recordLedger, type Ledger } from './recorded-service.ts';
import { readEnd } from './storage.ts';

/** Handles a call instead of the funding service; `pass` forwards the call to the sandbox. */
export type Interruption = (
  request: TransportRequest,
  pass: () => ReturnType<Transport>,
) => ReturnType<Transport>;

/** Decorators for the modules of a BFF. */
export interface Decoration {
  readonly store?: (store: Store, simulation: Simulation) => Store;
  readonly service?: (service: FundingService, simulation: Simulation) => FundingService;
  readonly send?: (send: Send, simulation: Simulation) => Send;
}

export interface SimulationOptions {
  /** A `DATABASE_URL` with the audit triggers. */
  readonly databaseUrl: string;
  readonly decoration?: Decoration;
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

export interface Simulation {
  readonly time: ManualTime;
  readonly service: SimulationService;
  readonly history: History;
  readonly events: LogEvent[];
  readonly decoration: Decoration;
  /** The store of the first BFF, with its decorators. */
  readonly store: Store;
  readonly database: Database;
  readonly bffs: readonly BffApp[];
  /** Handles the next call whose URL ends with `path`. Resolves when that call arrives. */
  interrupt(path: string, interruption: Interruption): Promise<void>;
  /** Adds a BFF on the same store. Default decorators: the decorators of the first BFF, which `createWorld` adds. */
  addBff(decoration?: Decoration): Promise<BffApp>;
  /** Creates an applicant who uses the first BFF. */
  createApplicant(name: string): Applicant;
  /** Delivers once what is due, with each BFF. */
  deliverOnce(): Promise<void>;
  /** Delivers until no row is due, advancing the clock by at most `settleLimitMs`. */
  settle(): Promise<void>;
  readEvidence(): Promise<Evidence>;
  close(): Promise<void>;
}

/** Longer than all retry delays of an unknown outcome, shorter than a session. */
const settleLimitMs = 3 * 60 * 60_000;

interface Order {
  readonly path: string;
  readonly interruption: Interruption;
  readonly take: () => void;
}

/** Delivery runs only when a test calls `settle` or `runDue`. Responses to submissions do not wait for delivery. */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const time = createManualTime();
  const service = await (options.createService ?? createServiceInMemory)(time);
  const history = createHistory();
  const events: LogEvent[] = [];
  const variables = { FUNDING_AUTH_URL: service.url, FUNDING_BASE_URL: `${service.url}/rest` };
  const config = createTestConfig({}, variables);
  const database = await openDatabase(options.databaseUrl, { clock: time.clock });
  const plain = createStore(database);
  const orders: Order[] = [];
  const { decoration = {} } = options;
  const bffs: BffApp[] = [];

  const interrupted: Transport = (request) => {
    const index = orders.findIndex(({ path }) => request.url.endsWith(path));
    const [order] = index < 0 ? [] : orders.splice(index, 1);
    if (!order) return service.transport(request);
    order.take();
    return order.interruption(request, () => service.transport(request));
  };

  const decorateStore = ({ store }: Decoration): Store => store?.(plain, simulation) ?? plain;

  const simulation: Simulation = {
    time,
    service,
    history,
    events,
    decoration,
    database,
    bffs,
    get store() {
      return decorateStore(decoration);
    },

    interrupt: (path, interruption) =>
      new Promise((take) => {
        orders.push({ path, interruption, take });
      }),

    async addBff(added = decoration) {
      const connected = createFundingService({
        config,
        transport: interrupted,
        clock: time.clock,
        onEvent: (event) => events.push(event),
      });
      const bff = await startBff({
        variables,
        time,
        delivers: false,
        store: decorateStore(added),
        fundingService: added.service?.(connected, simulation) ?? connected,
        log: (event) => events.push(event),
        startTimer: (ms, run) => (ms > 0 ? time.startTimer(ms, run) : startImmediate(run)),
        resultTimeoutMs: 0,
        inspections: acceptingInspections,
      });
      bffs.push(bff);
      return bff;
    },

    createApplicant: (name) => {
      const send = createAppSender(bffs[0]!.app);
      return createApplicant({
        name,
        history,
        send: decoration.send?.(send, simulation) ?? send,
      });
    },

    async deliverOnce() {
      for (const bff of bffs) await bff.delivery.runDue();
    },

    async settle() {
      const end = time.clock() + settleLimitMs;
      while (time.clock() < end) {
        await simulation.deliverOnce();
        const dueMs = await plain.findNextDueMs(deliveryKinds);
        if (dueMs === undefined) return;
        // At least until the next probe, because a due row may wait for the circuit breaker.
        time.advance(Math.max(dueMs, 30_000));
      }
    },

    async readEvidence() {
      return { ...(await readEnd(database)), history, ledger: service.readLedger() };
    },

    async close() {
      await database.close();
      await service.close();
    },
  };
  await simulation.addBff();
  return simulation;
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
