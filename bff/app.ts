// Creates the BFF's app and workers from their parts. It does not listen, and it reads no environment variables: `create-bff.ts` does.

import { Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { apiPaths } from '../shared/api/paths.ts';
import type { Config } from './config/config.ts';
import type { Challenge, EnrichLead, OnStatus } from './config/hooks.ts';
import type { WidgetFolder } from './config/widget-folder.ts';
import type { DeliveryEvent } from './delivery/attempt-runner.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery/delivery-worker.ts';
import type { ScanDocument } from './documents/clamd.ts';
import { createInspectionPool, type InspectionPool } from './documents/inspection-pool.ts';
import { createUploadSemaphore } from './documents/upload-semaphore.ts';
import type { EventWorkerEvent } from './events/event-worker.ts';
import { createStatusEvents, type StatusEvents } from './events/status-events.ts';
import type { FundingService, FundingServiceEvent } from './funding-service/funding-service.ts';
import { createUndiciTransport, type UndiciTransport } from './funding-service/transport.ts';
import type { Log } from './logging/log.ts';
import { createRateLimitedLog } from './logging/rate-limited-log.ts';
import { assertRoutesProtected } from './middleware/api-middleware.ts';
import {
  type ChallengeFailedEvent,
  type ChallengeRefusedEvent,
  createConfiguredChallenge,
} from './middleware/bot-checks.ts';
import {
  type ClientAddressEvent,
  createClientAddresses,
  logAddressProblems,
} from './middleware/client-address.ts';
import { createPathReader } from './middleware/base-path.ts';
import { type BodyConsumedEvent, refuseConsumedBody } from './middleware/consumed-body.ts';
import {
  closeAfterUnreadBody,
  closeWhileDraining,
  contractVersionHeader,
  noStore,
  securityHeaders,
} from './middleware/response-headers.ts';
import {
  createConcurrencyLimit,
  createMemoryLimits,
  createRateLimits,
  type LimitStore,
  type RateLimitEvent,
} from './middleware/rate-limits.ts';
import type { BffEnv } from './middleware/context.ts';
import { countCalls } from './middleware/count-calls.ts';
import { Counters } from './middleware/counters.ts';
import { createDraftKeys } from './middleware/draft-keys.ts';
import { toProblemResponse } from './middleware/errors.ts';
import { originGate, type OriginGateEvent } from './middleware/origin-gate.ts';
import { type RequestEvent, requestId, requestLog } from './middleware/request-log.ts';
import { createSessions, type SessionEvent } from './middleware/session.ts';
import {
  applicationRoutes,
  type EnrichmentFailedEvent,
  toSafeTrackingUrl,
} from './routes/application.ts';
import { bankReportRoutes } from './routes/bank-report.ts';
import { configurationRoutes } from './routes/configuration.ts';
import { contactRoutes } from './routes/contact.ts';
import { documentsRoutes, type DocumentsEvent } from './routes/documents.ts';
import { draftKeyRoutes } from './routes/draft-key.ts';
import { handoffRoutes, type HandoffEvent } from './routes/handoff.ts';
import { monitoringRoutes } from './routes/monitoring.ts';
import { offersRoutes, type OffersEvent } from './routes/offers.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { pageRoutes } from './routes/pages.ts';
import { placesRoutes } from './routes/places.ts';
import { sessionRoutes } from './routes/session.ts';
import { widgetRoutes } from './routes/widget.ts';
import { AppError } from './runtime/app-error.ts';
import { startUnrefTimer, type StartTimer, withTimeout } from './runtime/timers.ts';
import { createEncryption } from './store/encryption.ts';
import { createRetentionWorker, type RetentionEvent } from './store/retention.ts';
import type { Store } from './store/store.ts';

/** The log events of the app. `bff-log.ts` adds those of the process, and their levels. */
export type BffEvent =
  | RequestEvent
  | ClientAddressEvent
  | BodyConsumedEvent
  | OriginGateEvent
  | SessionEvent
  | RateLimitEvent
  | ChallengeRefusedEvent
  | ChallengeFailedEvent
  | EnrichmentFailedEvent
  | DocumentsEvent
  | OffersEvent
  | HandoffEvent
  | DeliveryEvent
  | EventWorkerEvent
  | RetentionEvent
  | FundingServiceEvent;

export interface BffAppDependencies {
  readonly config: Config;
  /** Closed by `close`, like `limitStore`, `inspections`, and `webhookTransport`. */
  readonly store: Store;
  readonly fundingService: FundingService;
  readonly log: Log<BffEvent>;
  /** The built element. Without it, `/widget/…` answers 404. */
  readonly widget?: WidgetFolder | undefined;
  /** Epoch milliseconds. Defaults to `Date.now`. */
  readonly clock?: () => number;
  /** Defaults to timers that do not keep the process alive. */
  readonly startTimer?: StartTimer;
  /** Returns a number from 0 to 1, excluding 1. Defaults to `Math.random`; no secret depends on it. */
  readonly random?: () => number;
  /** How long a request waits for the funding service before the BFF answers "received". Defaults to 8,000. */
  readonly resultTimeoutMs?: number;
  /** Counts for the rate limits. Defaults to the memory of this process. */
  readonly limitStore?: LimitStore | undefined;
  /** Inspects documents. Defaults to child processes of this process. */
  readonly inspections?: InspectionPool | undefined;
  /** Scans each document for viruses before delivery. By default, documents are not scanned. */
  readonly scanDocument?: ScanDocument | undefined;
  /** The partner's own bot challenge. Defaults to the configured one. */
  readonly challenge?: Challenge | undefined;
  readonly enrichLead?: EnrichLead | undefined;
  readonly onStatus?: OnStatus | undefined;
  /** Sends webhooks. Defaults to connections of its own. */
  readonly webhookTransport?: UndiciTransport | undefined;
  /** If true, requests send their own application, and `deliver` sends the rest. `start` must not be called. Default: false. */
  readonly isServerless?: boolean | undefined;
  /** Aborts active calls to the funding service. Without it, `close` cannot abort them. */
  readonly abortCalls?: (() => void) | undefined;
}

export interface BffApp {
  readonly app: Hono<BffEnv>;
  readonly delivery: DeliveryWorker;
  /** Sends events to WEBHOOK_URL and to the hook `onStatus`. */
  readonly statusEvents: StatusEvents;
  /** Starts the workers. The delivery worker recovers rows of an earlier process first. */
  start(): Promise<void>;
  /**
   * One pass without the workers: delivers what is due, and erases what has passed its retention. Begins no delivery after `maxMs`
   * milliseconds, and resolves when those in progress are recorded. Rejects if the store fails. A call during another one has the same
   * result.
   */
  deliver(maxMs: number): Promise<DeliverResult>;
  /** From now on, `/readyz` answers 503, so that load balancers send no more requests, and each response ends its connection. */
  drain(): void;
  /**
   * Stops the workers, waits for active calls to the funding service, aborts those that take longer than `deadlineMs` (default:
   * 25,000), records their outcomes, and closes the store. Call it after the last request, because requests need the store. Never
   * throws, and takes at most 10 s longer than the deadline.
   */
  close(deadlineMs?: number): Promise<CloseResult>;
}

/** The result of `deliver`. */
export interface DeliverResult {
  /** Attempts to deliver an application or an attachment that were recorded meanwhile, successful or not. */
  readonly attempts: number;
  /**
   * True if rows remain that can be sent now, because the time was over: call it again. False while the funding service or the receiver
   * of events is unavailable.
   */
  readonly hasMore: boolean;
}

/** `unrecorded`: the store did not take all outcomes in time. At the next start, the worker treats those attempts as uncertain. */
export type CloseResult = 'recorded' | 'unrecorded';

const logIntervalMs = 60_000;

/** With these results, the store erases personal data. */
const erasingStates: ReadonlySet<string> = new Set(['accepted', 'rejected']);

/** Labels of a metric. */
const attemptResults: Readonly<
  Partial<Record<EventWorkerEvent['event'], 'sent' | 'failed' | 'given-up'>>
> = {
  'status-event-sent': 'sent',
  'status-event-failed': 'failed',
  'status-event-given-up': 'given-up',
};

/** Maximum time to record the outcomes of aborted calls, and then to close the store. */
const recordTimeoutMs = 5_000;

/** Creates the app and its workers. The caller starts the workers, and serves the app. */
export function createBffApp(dependencies: BffAppDependencies): BffApp {
  const { config, store, log, widget, enrichLead, scanDocument } = dependencies;
  const { isServerless = false } = dependencies;
  const { clock = Date.now, startTimer = startUnrefTimer, random = Math.random } = dependencies;
  const {
    resultTimeoutMs = 8_000,
    limitStore = createMemoryLimits(),
    inspections = createInspectionPool({
      startTimer,
      contentFolder: store.contentFiles?.folder,
      ...config.settings.documents.inspection,
    }),
    challenge = createConfiguredChallenge(config, fetch),
    abortCalls = () => undefined,
    webhookTransport = createUndiciTransport(),
    onStatus,
  } = dependencies;
  const encryption = createEncryption(config.dataKeys);
  const uploadSemaphore = createUploadSemaphore();
  const counters = new Counters();
  const fundingService = countCalls(dependencies.fundingService, counters, clock);
  const logRateLimited = createRateLimitedLog(log, clock, logIntervalMs);

  const parts = { config, store, encryption, fundingService, clock, startTimer };
  const reporting = { counters, log, logRateLimited };

  const retention = createRetentionWorker({
    store,
    retention: config.settings.retention,
    startTimer,
    random,
    onEvent: log,
  });
  const statusEvents = createStatusEvents({
    ...parts,
    random,
    onStatus,
    transport: webhookTransport,
    onEvent(event) {
      log(event);
      const result = attemptResults[event.event];
      if (result) counters.countEventAttempt(result);
    },
  });
  let recordedAttempts = 0;
  const delivery = createDeliveryWorker({
    ...parts,
    scanDocument,
    maxConcurrent: config.settings.delivery.maxConcurrent,
    isServerless,
    aggregatorName: config.settings.aggregatorName,
    isTrackingUrlSafe: (url) => toSafeTrackingUrl(url, config) !== undefined,
    random,
    onEvent(event) {
      log(event);
      if (event.event === 'delivery-recorded') {
        recordedAttempts += 1;
        counters.countDelivery(event.kind, event.state);
        statusEvents.wake();
        if (erasingStates.has(event.state)) retention.scheduleScrub();
      }
      if (event.event === 'document-infected') counters.countDocumentRefusal(event.event);
      if (event.event === 'document-unscanned') counters.countScannerFailure(event.reason);
    },
  });

  const addresses = createClientAddresses(config.trustedProxies);
  const { findClientAddress, findRateLimitAddress } = addresses;
  const rateLimits = createRateLimits({ config, limitStore, findRateLimitAddress, ...reporting });
  const concurrency = createConcurrencyLimit(config.settings.limits.requestsAtOnce, (id) =>
    rateLimits.reportRateLimit(id, 'requests-at-once'),
  );
  const { countSession: countNewSession } = rateLimits;
  const sessions = createSessions({ ...parts, ...reporting, countNewSession });
  const draftKeys = createDraftKeys({ ...parts, countNewKey: rateLimits.countDraftKey });

  let isDraining = false;
  const app = new Hono<BffEnv>({ getPath: createPathReader(config.basePath) });
  app.notFound((c) => toProblemResponse(c, new AppError('not-found')));
  app.onError((error, c) => toProblemResponse(c, error));

  const globalMiddleware: readonly MiddlewareHandler<BffEnv>[] = [
    requestId(),
    requestLog({ clock, ...reporting }),
    securityHeaders(),
    noStore,
    closeAfterUnreadBody,
    closeWhileDraining(() => isDraining),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        c.header('allow', methods.join(', '));
        return toProblemResponse(c, new AppError('method-not-allowed'));
      },
    }),
  ];
  for (const middleware of globalMiddleware) app.use(middleware);

  app.route('/', monitoringRoutes({ ...parts, counters, isDraining: () => isDraining }));
  app.route('/', openApiRoutes(app, config));
  if (widget) {
    const limit = rateLimits.widgetByAddress;
    app.route('/widget', widgetRoutes({ widget, limit, clock, startTimer }));
    const hasChallenge = challenge !== undefined;
    app.route('/', pageRoutes({ config, widget, hasChallenge, limit }));
  }

  // The origin gate comes before all that can refuse, so that an allowed page can read the refusal. The session costs a query, so
  // the limits by address come before it.
  const apiMiddleware: readonly MiddlewareHandler<BffEnv>[] = [
    contractVersionHeader,
    originGate({ app, config, ...reporting }),
    refuseConsumedBody(logRateLimited),
    logAddressProblems(addresses, log, clock),
    concurrency.middleware,
    rateLimits.byAddress,
    sessions.requireSession,
    rateLimits.bySession,
  ];
  for (const middleware of apiMiddleware) app.use('/v1/*', middleware);

  const submissionParts = {
    ...parts,
    delivery,
    getResultTimeoutMs: () => (concurrency.isBusy() ? 0 : resultTimeoutMs),
    rateLimits,
    findClientAddress,
  };
  const uploadParts = { ...submissionParts, uploadSemaphore, findRateLimitAddress };
  const isHandoffOffered = widget !== undefined && config.settings.page.handoff;
  app.route(apiPaths.configuration, configurationRoutes(config, challenge, isHandoffOffered));
  app.route(apiPaths.session, sessionRoutes(sessions, parts));
  app.route(apiPaths.draftKey, draftKeyRoutes(draftKeys));
  app.route(
    apiPaths.application,
    applicationRoutes({ ...submissionParts, ...reporting, challenge, enrichLead }),
  );
  app.route(apiPaths.places, placesRoutes());
  app.route(apiPaths.offers, offersRoutes({ ...parts, log }));
  app.route(apiPaths.contact, contactRoutes(submissionParts));
  app.route(
    apiPaths.documents,
    documentsRoutes({
      ...uploadParts,
      ...reporting,
      inspections,
      onErased: () => retention.scheduleScrub(),
    }),
  );
  app.route(apiPaths.assetReport, bankReportRoutes(uploadParts));
  app.route(
    apiPaths.handoff,
    handoffRoutes({ ...parts, ...reporting, sessions, rateLimits, isOffered: isHandoffOffered }),
  );
  assertRoutesProtected(app, { globalMiddleware, apiMiddleware });

  let delivering: Promise<DeliverResult> | undefined;

  async function deliver(maxMs: number): Promise<DeliverResult> {
    const until = clock() + maxMs;
    const earlierAttempts = recordedAttempts;
    // On SQLite, this ends the leases of all rows, also of those that a second pass would be sending.
    await store.recover();
    // Registers who gets events, so that no change of this pass is missed.
    await statusEvents.runDue(0);
    await delivery.runDue(() => !isDraining && clock() < until);
    const areAllSent = await statusEvents.runDue(Math.max(0, until - clock()));
    await retention.runOnce();
    return {
      attempts: recordedAttempts - earlierAttempts,
      hasMore: !areAllSent || (await delivery.hasDue()),
    };
  }

  return {
    app,
    delivery,
    statusEvents,
    async start() {
      await statusEvents.start();
      await delivery.start();
      retention.start();
    },
    deliver(maxMs) {
      delivering ??= deliver(maxMs).finally(() => {
        delivering = undefined;
      });
      return delivering;
    },
    drain() {
      isDraining = true;
    },
    async close(deadlineMs = 25_000) {
      isDraining = true;
      /** Resolves to false after `ms` milliseconds, or when `work` rejects. */
      const isDoneWithin = (ms: number, work: Promise<unknown>) =>
        withTimeout(ms, startTimer, () => work.then(() => true), false).catch(() => false);

      const abandon = new AbortController();
      const stopped = Promise.all([
        // The last deliveries record events, which the next start sends.
        delivery.stop(abandon.signal),
        statusEvents.stop(),
        retention.stop(),
      ]);
      let isRecorded = await isDoneWithin(deadlineMs, stopped);
      if (!isRecorded) {
        abortCalls();
        webhookTransport.abort();
        isRecorded = await isDoneWithin(recordTimeoutMs, stopped);
      }
      // The worker would retry to record an outcome on a closed store.
      abandon.abort();
      const resources = [limitStore, inspections, webhookTransport, store];
      const closed = Promise.all(resources.map((resource) => resource.close()));
      const isClosed = await isDoneWithin(recordTimeoutMs, closed);
      return isRecorded && isClosed ? 'recorded' : 'unrecorded';
    },
  };
}
