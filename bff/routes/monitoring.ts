// Routes for load balancers and Prometheus: `/livez`, `/readyz` (whether the process can accept applications), and `/metrics`.

import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { partnerOperations } from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import { AppError } from '../runtime/app-error.ts';
import { alarmCodes, countWaiting, toAlarms } from '../store/alarms.ts';
import {
  applicationStates,
  attachmentStates,
  deliveryKinds,
  type EventCount,
  eventConsumers,
  type StateCount,
  type Store,
} from '../store/store.ts';
import { createShortCache } from './short-cache.ts';

const readinessCacheMs = 1_000;

export interface MonitoringOptions {
  readonly config: Pick<Config, 'environment' | 'metricsToken'>;
  readonly store: Pick<Store, 'check' | 'countStates' | 'countRefused' | 'countEvents'>;
  readonly fundingService: Pick<FundingService, 'readiness' | 'maxConcurrentLeads'>;
  readonly counters: Pick<Counters, 'registry'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** True after the process has received a signal to stop. */
  readonly isDraining: () => boolean;
}

/**
 * The process is ready unless it is stopping, or the store cannot commit or is short of disk space. It stays ready while the funding
 * service is unavailable and however many applications wait, because it can still store applications.
 *
 * `/metrics` requires METRICS_TOKEN. Without that variable, the route is open in the sandbox and does not exist elsewhere.
 */
export function monitoringRoutes(options: MonitoringOptions): Hono<BffEnv> {
  const { config, store, clock, isDraining } = options;
  const isStoreReady = createShortCache(readinessCacheMs, clock, () =>
    store.check().then(
      () => true,
      // A full disk, a lost volume, a damaged file, or no database connection.
      () => false,
    ),
  );
  const { registry } = options.counters;
  let setGauges: ReturnType<typeof createGauges> | undefined;

  return new Hono<BffEnv>()
    .get('/livez', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = !isDraining() && (await isStoreReady());
      return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'not-ready' }, 503);
    })
    .get('/metrics', async (c) => {
      if (!hasAccess(c, config)) {
        c.header('www-authenticate', 'Bearer');
        return c.text(
          'The metrics token is missing or wrong. Send METRICS_TOKEN as a bearer token.\n',
          401,
        );
      }
      const [counts, isReady] = await Promise.all([
        // Without the counts, the gauges of the store are left out. Old or incomplete values would be misleading.
        Promise.all([store.countStates(), store.countRefused(), store.countEvents()]).catch(
          () => undefined,
        ),
        isStoreReady(),
      ]);
      // Created on the first request, because the default metrics observe the process from then on.
      setGauges ??= createGauges(options);
      setGauges(counts, isReady);
      c.header('content-type', registry.contentType);
      return c.body(await registry.metrics());
    });
}

/** Compares hashes of equal length, so that the time of the comparison reveals nothing about the token. */
function hasAccess(
  c: Context<BffEnv>,
  { environment, metricsToken }: MonitoringOptions['config'],
): boolean {
  if (metricsToken === undefined) {
    if (environment === 'sandbox') return true;
    throw new AppError('not-found');
  }
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(token), hash(metricsToken));
}

/** The results of `countStates`, `countRefused`, and `countEvents`. */
type Counts = readonly [readonly StateCount[], readonly StateCount[], readonly EventCount[]];

/** Half-open has its own value: without calls a breaker stays so, and nothing may be wrong any more. */
const breakerValues = { ready: 0, 'half-open': 0.5, unavailable: 1 } as const;

/** Also adds the default metrics of the process. All label values come from closed lists, so that no personal data can become one. */
function createGauges({ fundingService, counters, clock }: MonitoringOptions) {
  const { registry } = counters;
  collectDefaultMetrics({ register: registry });

  function createGauge<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
    return new Gauge({ name, help, labelNames, registers: [registry] });
  }
  const rows = createGauge('funding_store_rows', 'Rows in the store.', 'kind', 'state');
  const oldestWaiting = createGauge(
    'funding_store_oldest_waiting_seconds',
    'Age of the oldest undelivered row, or 0.',
    'kind',
  );
  const alarms = createGauge('funding_alarms', 'Rows of each alarm, or 0.', 'alarm');
  const pendingEvents = createGauge(
    'funding_events_pending',
    'Applications with events that are not sent, at most 10,000.',
    'consumer',
  );
  const oldestEvent = createGauge(
    'funding_events_oldest_pending_seconds',
    'Age of the oldest event that is not sent, or 0.',
    'consumer',
  );
  const givenUpEvents = createGauge(
    'funding_events_given_up',
    'Events that were given up.',
    'consumer',
  );
  const ready = createGauge('funding_store_ready', '1 while the store commits and has disk space.');
  const breakers = createGauge(
    'funding_breaker_open',
    '1 while the BFF does not call an operation, because it fails, is throttled, or the login is refused. 0.5 from then until a call has succeeded: the next call is a test.',
    'operation',
  );
  const leadLimit = createGauge(
    'funding_lead_limit',
    'Leads that this process sends at once at most. Below delivery.maxConcurrent after an overload of the funding service.',
  );

  function setCounts([states, refused, events]: Counts): void {
    const now = clock();
    for (const kind of deliveryKinds) {
      for (const state of kind === 'application' ? applicationStates : attachmentStates) {
        const found = states.find((row) => row.kind === kind && row.state === state);
        rows.set({ kind, state }, found?.count ?? 0);
      }
    }
    for (const { kind, oldestAt = now } of countWaiting(states)) {
      oldestWaiting.set({ kind }, Math.max(0, now - oldestAt) / 1000);
    }
    for (const alarm of alarmCodes) alarms.set({ alarm }, 0);
    for (const { code, count } of toAlarms(states, refused, now, events)) {
      alarms.set({ alarm: code }, count);
    }
    for (const consumer of eventConsumers) {
      const found = events.find((count) => count.consumer === consumer);
      pendingEvents.set({ consumer }, found?.pending ?? 0);
      oldestEvent.set({ consumer }, Math.max(0, now - (found?.pendingSince ?? now)) / 1000);
      givenUpEvents.set({ consumer }, found?.givenUp ?? 0);
    }
  }

  return (counts: Counts | undefined, isStoreReady: boolean): void => {
    const ofStore = [rows, oldestWaiting, alarms, pendingEvents, oldestEvent, givenUpEvents];
    for (const gauge of ofStore) gauge.reset();
    if (counts) setCounts(counts);
    ready.set(Number(isStoreReady));
    leadLimit.set(fundingService.maxConcurrentLeads());
    for (const operation of partnerOperations) {
      breakers.set({ operation }, breakerValues[fundingService.readiness(operation).kind]);
    }
  };
}
