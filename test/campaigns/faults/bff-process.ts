// A BFF process that can kill itself at a named point. It uses the product's modules with short leases, delays, and
// timeouts, so that a campaign takes seconds instead of minutes.

import { Hono } from 'hono';
import { createBffApp } from '../../../bff/app.ts';
import { readConfig } from '../../../bff/config/config.ts';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import { createUndiciTransport, type Transport } from '../../../bff/funding-service/transport.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { createBffLog } from '../../../bff/bff-log.ts';
import { startUnrefTimer, type StartTimer } from '../../../bff/runtime/timers.ts';
import { serve } from '../../../bff/server.ts';
import { createStore, openContentFiles, openDatabase } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { unlimited } from '../../support/unlimited.ts';
import {
  createKiller,
  watchConnections,
  withAnswerPoints,
  withCallPoints,
  withFilePoints,
  withStatementPoints,
  withStorePoints,
} from './kill-points.ts';

const resultTimeoutMs = 500;
/** Longer than the timeout of a call, as in production. */
const leaseMs = 2_000;
const limits = { headersMs: 800, bodyMs: 800, totalMs: 1_500 } as const;
/** A delay of one minute becomes one second. */
const factor = 60;
/** A process lives for about five seconds, so that purges, scrubs, and timeouts of webhooks have to come early. */
const longDelay = { fromMs: 10_000, factor: 10 } as const;
/** A campaign ends when nothing has changed for 45 s. */
const maxEventDelayMs = 5_000;

const startShortTimer: StartTimer = (ms, run) =>
  startUnrefTimer(ms < longDelay.fromMs ? ms : ms / longDelay.factor, run);

const {
  KILL_POINT = '',
  KILL_OCCURRENCE = '1',
  DRAIN_MS = '0',
  INSPECTIONS = '',
  UNDO_SECONDS = '0',
} = process.env;
const reportPoint = createKiller(KILL_POINT, Number(KILL_OCCURRENCE));
watchConnections(reportPoint);

const reading = readConfig({
  variables: { ...process.env, FUNDING_SETTINGS: 'settings.json' },
  readFile: () =>
    JSON.stringify({ limits: unlimited, documents: { undoSeconds: Number(UNDO_SECONDS) } }),
});
if ('problems' in reading) throw new Error(reading.problems.join('\n'));
const { config } = reading;
const database = await openDatabase(config.databaseUrl, { isOwner: true });
const transport = createUndiciTransport({ connectTimeoutMs: 500 });
const webhooks = createUndiciTransport({ connectTimeoutMs: 500 });
// Write only errors, to the standard error; no campaign reads other events.
const log = createBffLog({
  write: (line) => /"level":50/.test(line) && process.stderr.write(line),
});
const contentFiles = openContentFiles(database);
const store = withShortDelays(
  withStorePoints(
    createStore(
      withStatementPoints(database, reportPoint),
      contentFiles && withFilePoints(contentFiles, reportPoint),
    ),
    reportPoint,
  ),
);
const bff = createBffApp({
  config,
  store,
  fundingService: createFundingService({
    config,
    transport: withShortTimeouts(withCallPoints(transport, reportPoint)),
    clock: Date.now,
    onEvent: log,
  }),
  log,
  startTimer: startShortTimer,
  resultTimeoutMs,
  webhookTransport: Object.assign(withShortTimeouts(withCallPoints(webhooks, reportPoint)), {
    close: webhooks.close,
    abort: webhooks.abort,
  }),
  abortCalls: transport.abort,
  ...(INSPECTIONS === 'none' ? { inspections: acceptingInspections } : {}),
});

const app = new Hono<BffEnv>();
app.all('*', (c) =>
  withAnswerPoints((request) => bff.app.fetch(request, c.env), reportPoint)(c.req.raw),
);
// The applicants of a campaign do not wait for `start`.
await bff.statusEvents.register();
const serving = await serve({
  bff: { ...bff, app },
  port: config.port,
  drainMs: Number(DRAIN_MS),
});

process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  const keepAlive = setInterval(() => undefined, 60_000);
  const closed = await serving.stop();
  clearInterval(keepAlive);
  process.exit(closed === 'recorded' ? 0 : 1);
}

function withShortDelays(store: Store): Store {
  return {
    ...store,
    addApplication: (row, consents, isSame, sendLeaseMs) =>
      store.addApplication(row, consents, isSame, sendLeaseMs && leaseMs),
    claimDue: (kind, _leaseMs, id) => store.claimDue(kind, leaseMs, id),
    claimEvent: (receiver) => store.claimEvent(receiver, leaseMs),
    recordEventFailed: (claim, outcome, delayMs) =>
      store.recordEventFailed(claim, outcome, Math.min(delayMs / factor, maxEventDelayMs)),
    extendLease: (claim) => store.extendLease(claim, leaseMs),
    recordResult: (claim, result) =>
      store.recordResult(
        claim,
        result.state === 'waiting' ? { ...result, delayMs: result.delayMs / factor } : result,
      ),
  };
}

function withShortTimeouts(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
