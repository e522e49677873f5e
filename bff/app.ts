// Puts the BFF together from its parts; listens on nothing and reads no environment.

import { Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { apiPaths } from '../shared/api/paths.ts';
import { startUnrefTimer, type StartTimer } from './runtime/timers.ts';
import { AppError } from './runtime/app-error.ts';
import type { Config } from './config/config.ts';
import type { ScanDocument } from './documents/clamd.ts';
import { createInspectionPool, type InspectionPool } from './documents/inspection-pool.ts';
import { createUploadPlaces } from './documents/upload-semaphore.ts';
import type { FundingService } from './funding-service/funding-service.ts';
import { assertGated, createGates, publicRoutes } from './middleware/api-middleware.ts';
import { createConfiguredChallenge } from './middleware/bot-challenge.ts';
import { createClientAddresses } from './middleware/client-address.ts';
import type { BffEnv } from './middleware/context.ts';
import { CountedRefusal, toProblemCode, toProblemResponse } from './middleware/errors.ts';
import { closeAfterUnreadBody, closeWhileDraining } from './middleware/close-connection.ts';
import { closedSecurityHeaders } from './middleware/security-headers.ts';
import { createMemoryLimits, createThrottle, type LimitStore } from './middleware/rate-limits.ts';
import { createRareLog } from './logging/rate-limited-log.ts';
import { createRefusalCounters } from './middleware/counters.ts';
import { type HandledRequest, requestId, requestLog } from './middleware/request-log.ts';
import { createSessionGate } from './middleware/session.ts';
import { createIds, type Ids } from './runtime/ids.ts';
import { createDelivery, type Delivery } from './delivery/delivery-worker.ts';
import type { DeliveryEvent } from './delivery/delivery-events.ts';
import type { Store } from './store/store.ts';
import { createRetention, type Retention, toRetentionPolicy } from './store/retention-worker.ts';
import { createEncryption } from './store/encryption.ts';
import type { Log } from './logging/log.ts';
import { applicationRoutes } from './routes/application.ts';
import { assetReportRoutes } from './routes/bank-report.ts';
import { configurationRoutes } from './routes/configuration.ts';
import { contactRoutes } from './routes/contact.ts';
import type { RouteDependencies } from './routes/dependencies.ts';
import { documentsRoutes } from './routes/documents.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { offersRoutes } from './routes/offers.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { sessionRoutes } from './routes/session.ts';
import { toSafeTrackingUrl } from './routes/views.ts';
import { widgetRoutes } from './routes/widget.ts';
import type { WidgetFolder } from './config/widget-folder.ts';
import type { EnrichLead, Challenge } from './config/hooks.ts';

export interface BffDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly fundingService: FundingService;
  readonly log: Log;
  /** Default: something else serves it, and `/widget/…` has nothing. */
  readonly widget?: WidgetFolder | undefined;
  /** Epoch milliseconds; default the machine's time. */
  readonly clock?: () => number;
  /** Default: timers that do not keep the process alive. */
  readonly startTimer?: StartTimer;
  /** 0 to 1, below 1; default `Math.random`, since nothing secret depends on it. */
  readonly random?: () => number;
  readonly ids?: Ids;
  /** How long a request waits for the funding service before it answers "received"; default 8,000. */
  readonly answerWaitMs?: number;
  /** Where requests are counted; default this process's memory. It is closed with the store. */
  readonly limitStore?: LimitStore;
  /** Inspects whole documents; default: child processes of its own. It is closed with the store. */
  readonly inspections?: InspectionPool;
  /** Asks a virus scanner about each document before it is sent; default nobody is asked. */
  readonly scanDocument?: ScanDocument;
  /** A provider that the configuration does not know; it takes the place of the configured one. */
  readonly challenge?: Challenge;
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

/** The app with everything behind it; the caller listens, and starts it. */
export function createBff(options: BffDependencies): Bff {
  const { startTimer = startUnrefTimer, random = Math.random } = options;
  const retention = createRetention({
    store: options.store,
    policy: toRetentionPolicy(options.config.settings.retention),
    startTimer,
    random,
    onEvent: options.log,
  });
  const limitStore = options.limitStore ?? createMemoryLimits();
  const { timeoutSeconds, memoryMegabytes, processes } =
    options.config.settings.documents.inspection;
  const inspections =
    options.inspections ??
    createInspectionPool({
      startTimer,
      timeoutMs: timeoutSeconds * 1_000,
      memoryMegabytes,
      processes,
    });
  const parts = { ...options, startTimer, random, limitStore, inspections };
  const dependencies = toRouteDependencies(parts, (event) => {
    options.log(event);
    if (isErasure(event)) retention.noteErasure();
    if (event.event === 'document-infected') refusals.countDocumentRefusal(event.event);
    if (event.event === 'document-unscanned') refusals.countScannerFailure(event.reason);
  });
  const { store, delivery, refusals, clock } = dependencies;
  const abortCalls = options.abortCalls ?? (() => undefined);
  const closing = {
    close: () => Promise.all([limitStore.close(), inspections.close(), store.close()]),
  };
  let isStopping = false;
  const app = new Hono<BffEnv>();

  const everywhere: readonly MiddlewareHandler<BffEnv>[] = [
    requestId(dependencies.ids.createRequestId),
    requestLog(clock, (request) => logRequest(dependencies, request)),
    closedSecurityHeaders(),
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
  const gates = createGates(dependencies, (path) => methodsByPath.get(path) ?? []);
  for (const middleware of everywhere) app.use(middleware);
  app.notFound((c) => toProblemResponse(c, new AppError('not-found')));
  app.onError((error, c) => toProblemResponse(c, error));

  app.route('/', healthRoutes({ store, clock, isStopping: () => isStopping }));
  app.route('/', metricsRoutes(dependencies));
  app.route('/', openApiRoutes(options.config));
  if (options.widget) {
    app.route('/widget', widgetRoutes(options.widget, dependencies.throttle.widgetByAddress));
  }
  for (const gate of gates) app.use('/v1/*', gate);
  mountApi(app, dependencies);
  assertGated(app, { everywhere, gates, publicRoutes });
  // The table of routes is closed from here on, so that the gate need not search it at each request.
  const methodsByPath = groupMethods(app);

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
      const parts = { delivery, retention, store: closing, abortCalls, startTimer };
      return closeInOrder(parts, deadlineMs);
    },
  };
}

/** The methods that the routes at each path accept. No path below `/v1` has a parameter. */
function groupMethods({ routes }: Hono<BffEnv>): ReadonlyMap<string, readonly string[]> {
  const methodsByPath = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = methodsByPath.get(path) ?? [];
    if (method !== 'ALL' && !methods.includes(method)) {
      methodsByPath.set(path, [...methods, method]);
    }
  }
  return methodsByPath;
}

function mountApi(app: Hono<BffEnv>, dependencies: RouteDependencies): void {
  app.route(apiPaths.configuration, configurationRoutes(dependencies));
  app.route(apiPaths.session, sessionRoutes(dependencies));
  app.route(apiPaths.application, applicationRoutes(dependencies));
  app.route(apiPaths.offers, offersRoutes(dependencies));
  app.route(apiPaths.contact, contactRoutes(dependencies));
  app.route(apiPaths.documents, documentsRoutes(dependencies));
  app.route(apiPaths.assetReport, assetReportRoutes(dependencies));
}

function toRouteDependencies(
  options: BffDependencies &
    Required<Pick<BffDependencies, 'startTimer' | 'random' | 'limitStore' | 'inspections'>>,
  onDeliveryEvent: (event: DeliveryEvent) => void,
): RouteDependencies {
  const { config, store, fundingService, log, startTimer, random } = options;
  const clock = options.clock ?? Date.now;
  const ids = options.ids ?? createIds(clock);
  const encryption = createEncryption(config.dataKeys, { wrapWith: config.dataKeyId });
  const delivery = createDelivery({
    store,
    encryption,
    fundingService,
    scanDocument: options.scanDocument,
    aggregatorName: config.settings.aggregatorName,
    isTrackingUrlSafe: (url) => toSafeTrackingUrl(url, config) !== undefined,
    startTimer,
    random,
    onEvent: onDeliveryEvent,
  });
  const refusals = createRefusalCounters();
  const logRarely = createRareLog(log, clock, 60_000);
  const addresses = createClientAddresses(config.trustedProxies);
  const throttle = createThrottle({
    config,
    store: options.limitStore,
    addresses,
    refusals,
    log,
    logRarely,
    clock,
  });
  const sessions = createSessionGate({
    store,
    keys: config.sessionKeys,
    keyId: config.sessionKeyId,
    publicOrigin: config.publicOrigin,
    clock,
    createSessionId: ids.createSessionId,
    beforeNew: throttle.countSession,
    onPresented: refusals.countPresentedSession,
    onRefusal: (requestId, reason) => {
      refusals.countSessionRefusal(reason);
      logRarely(`session-refused ${reason}`, (refused) => ({
        event: 'session-refused',
        requestId,
        reason,
        refused,
      }));
    },
  });
  return {
    config,
    store,
    encryption,
    delivery,
    fundingService,
    inspections: options.inspections,
    uploadPlaces: createUploadPlaces(),
    sessions,
    refusals,
    throttle,
    challenge: options.challenge ?? createConfiguredChallenge(config, fetch),
    findClientAddress: addresses.findEvidence,
    findCountedAddress: addresses.findCounted,
    clock,
    startTimer,
    ids,
    log,
    logRarely,
    get answerWaitMs() {
      return throttle.isCrowded() ? 0 : (options.answerWaitMs ?? 8_000);
    },
    enrichLead: options.enrichLead,
  };
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
  { log, logRarely, refusals }: RouteDependencies,
  { error, hasPassedGate, ...request }: HandledRequest,
): void {
  refusals.countAnswer(request.status);
  // Has an event of its own.
  if (error instanceof CountedRefusal) return;
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
  logRarely(`request ${kind}`, (requests) => ({ ...line, requests }));
  if (isBroken) logRarely(`request-broken ${kind}`, () => broken);
}

/** For writing down how the aborted calls ended, and again for closing the store. */
const recordMs = 5_000;

export interface ClosingParts {
  readonly delivery: Delivery;
  readonly retention: Retention;
  /** With what is kept beside it. */
  readonly store: { close(): Promise<unknown> };
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
  const { delivery, retention, store, abortCalls, startTimer } = parts;
  const giveUp = new AbortController();
  const stopped = Promise.all([delivery.stop(giveUp.signal), retention.stop()]);
  let isRecorded = await isDoneWithin(deadlineMs, stopped, startTimer);
  if (!isRecorded) {
    abortCalls();
    isRecorded = await isDoneWithin(recordMs, stopped, startTimer);
  }
  // Whatever still tries to record would try for ever on a closed store.
  giveUp.abort();
  const isClosed = await isDoneWithin(recordMs, store.close(), startTimer);
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
