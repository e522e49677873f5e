// Puts the BFF together from its parts; listens on nothing and reads no environment.

import { Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { apiPaths } from '../shared/api/paths.ts';
import { startUnrefTimer, type StartTimer } from './runtime/timers.ts';
import { AppError } from './runtime/app-error.ts';
import type { Config } from './config/config.ts';
import type { ScanDocument } from './documents/clamd.ts';
import { createInspectionPool, type InspectionPool } from './documents/inspection-pool.ts';
import { createUploadSemaphore } from './documents/upload-semaphore.ts';
import type { FundingService, FundingServiceEvent } from './funding-service/funding-service.ts';
import { assertProtected, createApiMiddleware, publicRoutes } from './middleware/api-middleware.ts';
import { createConfiguredChallenge } from './middleware/bot-challenge.ts';
import { type ClientAddressEvent, createClientAddresses } from './middleware/client-address.ts';
import type { BffEnv } from './middleware/context.ts';
import { LoggedRefusal, toProblemCode, toProblemResponse } from './middleware/errors.ts';
import { closeAfterUnreadBody, closeWhileDraining } from './middleware/close-connection.ts';
import { apiSecurityHeaders } from './middleware/security-headers.ts';
import { createMemoryLimits, createRateLimits, type LimitStore } from './middleware/rate-limits.ts';
import { createRateLimitedLog, type RateLimitedLog } from './logging/rate-limited-log.ts';
import { createCounters, type Counters, type RefusalEvent } from './middleware/counters.ts';
import {
  type HandledRequest,
  type RequestEvent,
  requestId,
  requestLog,
} from './middleware/request-log.ts';
import { createSessions } from './middleware/session.ts';
import { createIds, type Ids } from './runtime/ids.ts';
import { createDelivery, type Delivery } from './delivery/delivery-worker.ts';
import type { DeliveryEvent } from './delivery/delivery-events.ts';
import type { Store } from './store/store.ts';
import {
  createRetentionWorker,
  type RetentionWorker,
  type RetentionEvent,
  toRetentionPolicy,
} from './store/retention-worker.ts';
import { createEncryption } from './store/encryption.ts';
import type { Log } from './logging/log.ts';
import {
  applicationRoutes,
  type ApplicationEvent,
  type ChallengeRefusedEvent,
  toSafeTrackingUrl,
} from './routes/application.ts';
import { bankReportRoutes } from './routes/bank-report.ts';
import { configurationRoutes } from './routes/configuration.ts';
import { contactRoutes } from './routes/contact.ts';
import { documentsRoutes, type DocumentsEvent } from './routes/documents.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { offersRoutes, type OffersEvent } from './routes/offers.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { sessionRoutes } from './routes/session.ts';
import { widgetRoutes } from './routes/widget.ts';
import type { WidgetFolder } from './config/widget-folder.ts';
import type { EnrichLead, Challenge } from './config/hooks.ts';

/** The events that the app logs. `server.ts` adds those of the process. */
export type BffEvent =
  | RequestEvent
  | RefusalEvent
  | ClientAddressEvent
  | ApplicationEvent
  | ChallengeRefusedEvent
  | DocumentsEvent
  | OffersEvent
  | DeliveryEvent
  | RetentionEvent
  | FundingServiceEvent;

export interface BffDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly fundingService: FundingService;
  readonly log: Log<BffEvent>;
  /** Default: something else serves it, and `/widget/…` has nothing. */
  readonly widget?: WidgetFolder | undefined;
  /** Epoch milliseconds; default the machine's time. */
  readonly clock?: () => number;
  /** Default: timers that do not keep the process alive. */
  readonly startTimer?: StartTimer;
  /** 0 to 1, below 1; default `Math.random`, since nothing secret depends on it. */
  readonly random?: () => number;
  readonly ids?: Ids;
  /** How long a request waits for the funding service before it answers "received". Defaults to 8,000. */
  readonly resultTimeoutMs?: number;
  /** Where requests are counted; default this process's memory. It is closed with the store. */
  readonly limitStore?: LimitStore;
  /** Inspects whole documents; default: child processes of its own. It is closed with the store. */
  readonly inspections?: InspectionPool;
  /** Asks a virus scanner about each document before it is sent; default nobody is asked. */
  readonly scanDocument?: ScanDocument;
  /** A provider that the configuration does not know; it takes the place of the configured one. */
  readonly challenge?: Challenge | undefined;
  /** Adds what only the partner knows to a lead. */
  readonly enrichLead?: EnrichLead;
  /** Ends the calls to the funding service that are under way; without it `close` cannot end them. */
  readonly abortCalls?: () => void;
}

export interface Bff {
  readonly app: Hono<BffEnv>;
  /** Delivers once it is started; `start` does that. */
  readonly delivery: Delivery;
  /** Takes over what an ended process left, then delivers, and erases what need not be kept. */
  start(): Promise<void>;
  /** From now on `/readyz` says no, so that a balancer sends no more requests, and every answer ends its connection. */
  drain(): void;
  /**
   * Ends the delivery, waits for the calls under way, closes the store; never throws. To be called once no request is under
   * way, since those need the store.
   */
  close(options?: CloseOptions): Promise<Closed>;
}

export interface CloseOptions {
  /** How long calls to the funding service may go on before they are aborted; default 25,000. */
  readonly deadlineMs?: number;
}

/** Creates the app with its worker and retention. The caller starts them, and listens. */
export function createBff(dependencies: BffDependencies): Bff {
  const { config, store, fundingService, log, widget, enrichLead } = dependencies;
  const { clock = Date.now, startTimer = startUnrefTimer, random = Math.random } = dependencies;
  const { ids = createIds(clock), resultTimeoutMs = 8_000 } = dependencies;
  const { abortCalls = () => undefined } = dependencies;
  const { limitStore = createMemoryLimits() } = dependencies;
  const { challenge = createConfiguredChallenge(config, fetch) } = dependencies;
  const { inspections = createConfiguredInspections(config, startTimer) } = dependencies;
  const encryption = createEncryption(config.dataKeys, { wrapWith: config.dataKeyId });
  const uploadSemaphore = createUploadSemaphore();
  const counters = createCounters();
  const logRateLimited = createRateLimitedLog(log, clock, 60_000);

  const retention = createRetentionWorker({
    store,
    policy: toRetentionPolicy(config.settings.retention),
    startTimer,
    random,
    onEvent: log,
  });
  const delivery = createDelivery({
    store,
    encryption,
    fundingService,
    scanDocument: dependencies.scanDocument,
    aggregatorName: config.settings.aggregatorName,
    isTrackingUrlSafe: (url) => toSafeTrackingUrl(url, config) !== undefined,
    startTimer,
    random,
    onEvent(event) {
      log(event);
      if (isErasure(event)) retention.scheduleScrub();
      if (event.event === 'document-infected') counters.countDocumentRefusal(event.event);
      if (event.event === 'document-unscanned') counters.countScannerFailure(event.reason);
    },
  });

  const addresses = createClientAddresses(config.trustedProxies);
  const { findClientAddress, findRateLimitAddress } = addresses;
  const rateLimits = createRateLimits({
    config,
    store: limitStore,
    addresses,
    counters,
    log,
    logRateLimited,
    clock,
  });
  const sessions = createSessions({
    store,
    keys: config.sessionKeys,
    keyId: config.sessionKeyId,
    publicOrigin: config.publicOrigin,
    clock,
    createSessionId: ids.createSessionId,
    beforeNew: rateLimits.countSession,
    onPresented: counters.countPresentedSession,
    onRefusal: (requestId, reason) => {
      counters.countSessionRefusal(reason);
      logRateLimited(`session-refused ${reason}`, (refused) => ({
        event: 'session-refused',
        requestId,
        reason,
        refused,
      }));
    },
  });
  const getResultTimeoutMs = () => (rateLimits.isBusy() ? 0 : resultTimeoutMs);

  let isStopping = false;
  const app = new Hono<BffEnv>();
  app.notFound((c) => toProblemResponse(c, new AppError('not-found')));
  app.onError((error, c) => toProblemResponse(c, error));

  const everywhere: readonly MiddlewareHandler<BffEnv>[] = [
    requestId(ids.createRequestId),
    requestLog(clock, (request) => logRequest(request, { log, logRateLimited, counters })),
    apiSecurityHeaders(),
    closeAfterUnreadBody(),
    closeWhileDraining(() => isStopping),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        c.header('allow', methods.join(', '));
        return toProblemResponse(c, new AppError('method-not-allowed'));
      },
    }),
  ];
  for (const middleware of everywhere) app.use(middleware);

  app.route('/', healthRoutes({ store, clock, isStopping: () => isStopping }));
  app.route('/', metricsRoutes({ config, store, fundingService, counters, clock }));
  app.route('/', openApiRoutes(app, config));
  if (widget) app.route('/widget', widgetRoutes(widget, rateLimits.widgetByAddress));

  const gates = createApiMiddleware({
    app,
    config,
    sessions,
    rateLimits,
    counters,
    logRateLimited,
  });
  for (const gate of gates) app.use('/v1/*', gate);

  app.route(apiPaths.configuration, configurationRoutes({ config, challenge }));
  app.route(
    apiPaths.session,
    sessionRoutes({ config, store, encryption, fundingService, sessions, clock, startTimer }),
  );
  app.route(
    apiPaths.application,
    applicationRoutes({
      config,
      store,
      encryption,
      delivery,
      fundingService,
      rateLimits,
      counters,
      challenge,
      enrichLead,
      findClientAddress,
      getResultTimeoutMs,
      ids,
      clock,
      startTimer,
      log,
      logRateLimited,
    }),
  );
  app.route(apiPaths.offers, offersRoutes({ config, store, fundingService, clock, log }));
  app.route(
    apiPaths.contact,
    contactRoutes({
      config,
      store,
      encryption,
      delivery,
      findClientAddress,
      getResultTimeoutMs,
      ids,
      clock,
      startTimer,
    }),
  );
  app.route(
    apiPaths.documents,
    documentsRoutes({
      config,
      store,
      encryption,
      delivery,
      fundingService,
      inspections,
      uploadSemaphore,
      rateLimits,
      counters,
      findRateLimitAddress,
      getResultTimeoutMs,
      ids,
      clock,
      startTimer,
      log,
    }),
  );
  app.route(
    apiPaths.assetReport,
    bankReportRoutes({
      config,
      store,
      encryption,
      delivery,
      fundingService,
      uploadSemaphore,
      rateLimits,
      findRateLimitAddress,
      getResultTimeoutMs,
      ids,
      clock,
      startTimer,
    }),
  );
  assertProtected(app, { everywhere, gates, publicRoutes });

  return {
    app,
    delivery,
    async start() {
      await delivery.start();
      retention.start();
    },
    drain() {
      isStopping = true;
    },
    close({ deadlineMs = 25_000 } = {}) {
      isStopping = true;
      const resources = [limitStore, inspections, store];
      return closeInOrder({ delivery, retention, resources, abortCalls, startTimer }, deadlineMs);
    },
  };
}

function createConfiguredInspections({ settings }: Config, startTimer: StartTimer): InspectionPool {
  const { timeoutSeconds, memoryMegabytes, processes } = settings.documents.inspection;
  return createInspectionPool({
    startTimer,
    timeoutMs: timeoutSeconds * 1_000,
    memoryMegabytes,
    processes,
  });
}

/** What the service has taken or refused is erased with the record of that. */
function isErasure(event: DeliveryEvent): boolean {
  return (
    event.event === 'delivery-recorded' &&
    (event.state === 'accepted' || event.state === 'rejected')
  );
}

/** An attack must not fill the disk: whatever anybody can send without a session is told now and then. */
function logRequest(
  { error, hasPassedGate, ...request }: HandledRequest,
  {
    log,
    logRateLimited,
    counters,
  }: {
    readonly log: Log<RequestEvent>;
    readonly logRateLimited: RateLimitedLog<RequestEvent>;
    readonly counters: Counters;
  },
): void {
  counters.countAnswer(request.status);
  // Has an event of its own.
  if (error instanceof LoggedRefusal) return;
  const code = error === undefined ? undefined : toProblemCode(error);
  const line = { event: 'request', ...request, ...(code === undefined ? {} : { code }) } as const;
  const broken = { event: 'request-broken', requestId: request.requestId, error } as const;
  const isBroken = code === 'internal' || code === 'storage-unavailable';
  if (hasPassedGate && code !== 'session-missing') {
    log(line);
    if (isBroken) log(broken);
    return;
  }
  const kind = `${line.route} ${line.status}`;
  logRateLimited(`request ${kind}`, (requests) => ({ ...line, requests }));
  if (isBroken) logRateLimited(`request-broken ${kind}`, () => broken);
}

/** For writing down how the aborted calls ended, and again for closing the store. */
const recordMs = 5_000;

export interface ClosingParts {
  readonly delivery: Delivery;
  readonly retention: RetentionWorker;
  /** Closed last, all at once: the store and everything that requests and deliveries use beside it. */
  readonly resources: readonly { close(): Promise<unknown> }[];
  readonly abortCalls: () => void;
  readonly startTimer: StartTimer;
}

/** `unrecorded`: the store did not take everything in time; what it does not know is found as uncertain at the next start. */
export type Closed = 'recorded' | 'unrecorded';

/**
 * Claims nothing any more, waits up to `deadlineMs` for the calls under way, aborts what is left, has it recorded, and closes
 * the store. Never throws, and answers at the latest 10 s after the deadline.
 */
export async function closeInOrder(parts: ClosingParts, deadlineMs: number): Promise<Closed> {
  const { delivery, retention, resources, abortCalls, startTimer } = parts;
  const giveUp = new AbortController();
  const stopped = Promise.all([delivery.stop(giveUp.signal), retention.stop()]);
  let isRecorded = await isDoneWithin(deadlineMs, stopped, startTimer);
  if (!isRecorded) {
    abortCalls();
    isRecorded = await isDoneWithin(recordMs, stopped, startTimer);
  }
  // Whatever still tries to record would try for ever on a closed store.
  giveUp.abort();
  const isClosed = await isDoneWithin(
    recordMs,
    Promise.all(resources.map((resource) => resource.close())),
    startTimer,
  );
  return isRecorded && isClosed ? 'recorded' : 'unrecorded';
}

/** False also when it fails: then it will not be done later either. */
function isDoneWithin(
  ms: number,
  work: Promise<unknown>,
  startTimer: StartTimer,
): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = startTimer(ms, () => resolve(false));
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(cancel);
  });
}
