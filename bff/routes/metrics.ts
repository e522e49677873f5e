// `/metrics`: how much is where in the store, alarms, breakers, refusals and the process, for Prometheus.

import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { AppError } from '../runtime/app-error.ts';
import type { Config } from '../config/config.ts';
import { partnerOperations } from '../../shared/funding-service/operations.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import { alarmCodes, countWaiting, toAlarms } from '../store/alarms.ts';
import {
  applicationStates,
  attachmentStates,
  deliveryKinds,
  type Store,
  type StateCount,
} from '../store/store.ts';
import { createStoreReadiness } from './health.ts';
import { createShortCache } from './offers.ts';

const cacheMs = 5_000;

export interface MetricsOptions {
  readonly config: Pick<Config, 'environment' | 'metricsToken'>;
  readonly store: Pick<Store, 'countStates' | 'countRefused' | 'check'>;
  readonly fundingService: Pick<FundingService, 'readiness'>;
  readonly counters: Pick<Counters, 'metrics'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Asks for METRICS_TOKEN; without that variable it is open in the sandbox, and not there elsewhere. */
export function metricsRoutes(options: MetricsOptions): Hono<BffEnv> {
  const { config, store, clock } = options;
  const cache = createShortCache<Counts>(cacheMs, clock);
  const isStoreReady = createStoreReadiness({ store, clock });
  let metrics: Metrics | undefined;

  async function countRows(): Promise<Counts | undefined> {
    try {
      return await cache.ask('store', async () => ({
        states: await store.countStates(),
        refused: await store.countRefused(),
      }));
    } catch {
      // Whatever it is: figures of some of the rows would be taken for all of them.
      return undefined;
    }
  }

  return new Hono<BffEnv>().get('/metrics', tokenGate(config), async (c) => {
    c.header('cache-control', 'no-store');
    const [counts, isReady] = await Promise.all([countRows(), isStoreReady()]);
    // Only now: what watches the process need not run where nobody asks.
    metrics ??= createMetrics(options);
    return c.body(await metrics.write(counts, isReady), 200, {
      'content-type': metrics.contentType,
    });
  });
}

/** Compares hashes, which takes equally long however much of the token is right. */
function tokenGate({ environment, metricsToken }: MetricsOptions['config']) {
  const expected = metricsToken === undefined ? undefined : toHash(metricsToken);
  return createMiddleware<BffEnv>(async (c, next) => {
    if (!expected) {
      if (environment !== 'sandbox') throw new AppError('not-found');
      return next();
    }
    const [, token = ''] = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (timingSafeEqual(toHash(token), expected)) return next();
    c.header('www-authenticate', 'Bearer');
    return c.text('METRICS_TOKEN is asked for.\n', 401);
  });
}

function toHash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

interface Metrics {
  readonly contentType: string;
  /** Without counts the store's figures are left out: old ones would be taken for those of now. */
  write(counts: Counts | undefined, isStoreReady: boolean): Promise<string>;
}

interface Counts {
  readonly states: readonly StateCount[];
  readonly refused: readonly StateCount[];
}

/** The labels are closed lists, so that nothing personal can become one. */
function createMetrics({ fundingService, counters, clock }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const counter of counters.metrics) registry.registerMetric(counter);
  const registers = [registry];
  const rows = new Gauge({
    name: 'funding_store_rows',
    help: 'Rows of the store.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const oldestWaiting = new Gauge({
    name: 'funding_store_oldest_waiting_seconds',
    help: 'Age of the oldest row that is still to be delivered; 0 when there is none.',
    labelNames: ['kind'],
    registers,
  });
  const alarms = new Gauge({
    name: 'funding_alarms',
    help: 'Rows that an operator should know about; 0 when all is well.',
    labelNames: ['alarm'],
    registers,
  });
  const ready = new Gauge({
    name: 'funding_store_ready',
    help: '1 while the store commits, with room to spare, as /readyz asks.',
    registers,
  });
  const breakers = new Gauge({
    name: 'funding_breaker_open',
    help: '1 while an operation is not called as usual: it fails, throttles us, or the login is refused.',
    labelNames: ['operation'],
    registers,
  });

  function setCounts({ states, refused }: Counts, now: number): void {
    for (const kind of deliveryKinds) {
      for (const state of kind === 'application' ? applicationStates : attachmentStates) {
        const found = states.find((row) => row.kind === kind && row.state === state);
        rows.set({ kind, state }, found?.count ?? 0);
      }
    }
    for (const { kind, oldestAt } of countWaiting(states)) {
      const ageMs = oldestAt === undefined ? 0 : Math.max(0, now - oldestAt);
      oldestWaiting.set({ kind }, ageMs / 1000);
    }
    const raised = toAlarms(states, refused, now);
    for (const alarm of alarmCodes) {
      alarms.set({ alarm }, raised.find(({ code }) => code === alarm)?.count ?? 0);
    }
  }

  function setBreakers(): void {
    for (const operation of partnerOperations) {
      const isOpen = fundingService.readiness(operation).kind !== 'ready';
      breakers.set({ operation }, Number(isOpen));
    }
  }

  return {
    contentType: registry.contentType,
    write(counts, isStoreReady) {
      for (const gauge of [rows, oldestWaiting, alarms]) gauge.reset();
      if (counts) setCounts(counts, clock());
      ready.set(Number(isStoreReady));
      setBreakers();
      return registry.metrics();
    },
  };
}
