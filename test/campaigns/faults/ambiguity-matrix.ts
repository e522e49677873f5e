// The ambiguity matrix: runs every operation with every fault, over real connections through the fault proxy.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Operation, operations } from '../../../shared/funding-service/operations.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import {
  createUndiciTransport,
  freshOnlyMs,
  type Transport,
} from '../../../bff/funding-service/transport.ts';
import type { ApplicationRow, AttachmentKind } from '../../../bff/store/store.ts';
import { createKey } from '../../support/applicant.ts';
import type { Applicant } from './applicant.ts';
import type { Plan } from './fault-proxy.ts';
import { type CampaignResult, findViolations, toResult } from './invariants.ts';
import { startServiceHost } from './recorded-service.ts';
import { createStorage, type StorageOptions } from './storage.ts';
import { startSimulation, type Simulation } from './simulation.ts';

/** A port where nothing listens, a host name that does not resolve, or a host without TLS. */
type Redirect = 'no-listener' | 'no-name' | 'no-certificate';

export interface MatrixFault {
  readonly name: string;
  /** A fault of the proxy, or a redirected call. */
  readonly plan: Plan | Redirect;
  /** True if the funding service processes the request despite the fault. */
  readonly isProcessed: boolean;
  /**
   * Expected outcome of the attempt. `unknown`: bytes were sent, and no conclusive response came back. `reused`: unknown on a
   * reused connection, no effect on a new connection. `renewed`: accepted with a new token.
   */
  readonly end: 'not-sent' | 'unknown' | 'reused' | 'renewed';
}

const page = '<html><body>Service unavailable</body></html>';
const session = '[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]';

export const matrixFaults: readonly MatrixFault[] = [
  { name: 'connection refused', plan: 'no-listener', isProcessed: false, end: 'not-sent' },
  { name: 'unknown host name', plan: 'no-name', isProcessed: false, end: 'not-sent' },
  { name: 'no TLS', plan: 'no-certificate', isProcessed: false, end: 'not-sent' },
  unknown('no response', { kind: 'stall', isProcessed: false }),
  unknown('reset at 0% of the request', { kind: 'cut-request', share: 0 }),
  unknown('reset at 50% of the request', { kind: 'cut-request', share: 0.5 }),
  unknown('reset at 100% of the request', { kind: 'cut-request', share: 1 }, true),
  unknown('502', answer(502, 'text/html', page, false)),
  unknown('504 in HTML after processing', answer(504, 'text/html', page, true), true),
  unknown('truncated JSON', answer(200, 'application/json', '{"IsSuccessful":tr', true), true),
  unknown('200 without a body', answer(200, 'application/json', '', true), true),
  unknown('200 with another content type', answer(200, 'text/html', page, true), true),
  unknown('slow response', { kind: 'drip', bytesPerSecond: 40 }, true),
  unknown('response after the timeout', { kind: 'delay', ms: 900 }, true),
  {
    name: 'kept-alive connection closes',
    plan: { kind: 'reset-reused' },
    isProcessed: false,
    end: 'reused',
  },
  {
    name: 'late 401',
    plan: { ...answer(401, 'application/json', session, false), delayMs: 60 },
    isProcessed: false,
    end: 'renewed',
  },
];

function unknown(name: string, plan: Plan, isProcessed = false): MatrixFault {
  return { name, plan, isProcessed, end: 'unknown' };
}

function answer(
  status: number,
  type: string,
  body: string,
  isProcessed: boolean,
): Extract<Plan, { kind: 'answer' }> {
  const head = `HTTP/1.1 ${status} Status\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}`;
  return { kind: 'answer', text: `${head}\r\n\r\n${body}`, isProcessed };
}

interface Matrix {
  readonly simulation: Simulation;
  /** Returns a description of each unexpected result. */
  run(operation: Operation, fault: MatrixFault): Promise<readonly string[]>;
}

/** Of a call that meets a fault. Short, because there are many combinations. */
const faultLimits = { headersMs: 400, bodyMs: 400, totalMs: 600 } as const;
/** Of all other calls. A busy machine can take seconds for an answer. */
const limits = { headersMs: 20_000, bodyMs: 20_000, totalMs: 20_000 } as const;

const paths: Readonly<Record<Operation, string>> = {
  token: '/services/oauth2/token',
  'create-lead': '/rest/creditapp',
  'pre-approval-offer': '/rest/creditapp/getPreApprovalOffer',
  'contact-user': '/rest/creditapp/contactUser',
  'asset-report': '/rest/aggregator/asset-report/',
  'upload-file': '/rest/UploadFileApiV1',
};

async function createMatrix(databaseUrl: string): Promise<Matrix> {
  const pendingFault = createPendingFault();
  const simulation = await startSimulation({
    databaseUrl,
    createService: async ({ clock }) => {
      const host = await startServiceHost({
        clock,
        choose: ({ path }) => pendingFault.takePlan(path),
      });
      const undici = createUndiciTransport({
        connectTimeoutMs: 1_000,
        timeouts: limits,
        // The next call of a kept connection may take longer on a busy machine than in production.
        recentMs: 4_000,
        clock,
      });
      return {
        url: host.proxy.url,
        transport: withLimits(
          withRedirects(undici, host.port, pendingFault.takeRedirect),
          pendingFault.isFor,
        ),
        readLedger: host.readLedger,
        async close() {
          await undici.close();
          await host.close();
        },
      };
    },
  });
  let count = 0;

  return {
    simulation,
    run(operation, fault) {
      count += 1;
      return runCombination({
        operation,
        fault,
        simulation,
        applicant: simulation.createApplicant(`Combination ${count} LLC`),
        arm: () => pendingFault.set(paths[operation], fault.plan),
        disarm: () => pendingFault.clear(),
      });
    },
  };
}

interface PendingFault {
  /** Applies the fault to the next call of this path. */
  set(path: string, plan: Plan | Redirect): void;
  /** Whether the next call of this path meets the fault. */
  isFor(path: string): boolean;
  clear(): void;
  takePlan(path: string): Plan;
  takeRedirect(path: string): Redirect | undefined;
}

function createPendingFault(): PendingFault {
  let order: { readonly path: string; readonly plan: Plan | Redirect } | undefined;
  function take(path: string, isRedirect: boolean): Plan | Redirect | undefined {
    if (order?.path !== path || (typeof order.plan === 'string') !== isRedirect) return undefined;
    const { plan } = order;
    order = undefined;
    return plan;
  }
  return {
    set(path, plan) {
      order = { path, plan };
    },
    isFor: (path) => order?.path === path,
    clear() {
      order = undefined;
    },
    takePlan(path) {
      const plan = take(path, false);
      return typeof plan === 'object' ? plan : { kind: 'pass' };
    },
    takeRedirect(path) {
      const detour = take(path, true);
      return typeof detour === 'string' ? detour : undefined;
    },
  };
}

/** Redirects a call to an address where no connection is possible. */
function withRedirects(
  transport: Transport,
  port: number,
  takeRedirect: (path: string) => Redirect | undefined,
): Transport {
  return (request) => {
    const { pathname } = new URL(request.url);
    switch (takeRedirect(pathname)) {
      case undefined:
        return transport(request);
      case 'no-listener':
        return transport({ ...request, url: `http://127.0.0.1:1${pathname}` });
      case 'no-name':
        return transport({ ...request, url: `http://nowhere.invalid${pathname}` });
      case 'no-certificate':
        return transport({ ...request, url: `https://127.0.0.1:${port}${pathname}` });
    }
  };
}

/** Replaces the timeouts of the operations: the call with the fault would take too long for a test. */
function withLimits(transport: Transport, isFaulty: (path: string) => boolean): Transport {
  return (request) => {
    const timeouts = isFaulty(new URL(request.url).pathname) ? faultLimits : limits;
    return transport({ ...request, timeouts });
  };
}

/** An operation that meets a fault once, then runs to its end. */
interface Combination {
  readonly operation: Operation;
  readonly fault: MatrixFault;
  readonly simulation: Simulation;
  /** Used by this combination only. */
  readonly applicant: Applicant;
  /** `arm` prepares the fault for the next call of the operation. `disarm` removes it after that call. */
  arm(): void;
  disarm(): void;
}

/** Longer than the cache of any route, shorter than a session. */
const cacheExpiryMs = 60_000;
const tokenLifeMs = 2 * 60 * 60_000;

const attachmentKinds: Readonly<Partial<Record<Operation, AttachmentKind>>> = {
  'contact-user': 'contact',
  'asset-report': 'bank-report',
  'upload-file': 'document',
};

/** Returns a description of each unexpected result. */
async function runCombination(combination: Combination): Promise<readonly string[]> {
  const problems: string[] = [];
  const expect: Expect = (description, actual, wanted) => {
    if (actual !== wanted)
      problems.push(`${description} is ${String(actual)}, not ${String(wanted)}`);
  };
  await prepare(combination);
  combination.arm();
  const eventsBefore = combination.simulation.events.length;
  await act(combination);
  await deliverOnce(combination);
  combination.disarm();
  expect('the outcome', readOutcome(combination, eventsBefore), toExpectedOutcome(combination));
  await checkEnd(combination, expect);
  return problems;
}

type Expect = (description: string, actual: unknown, wanted: unknown) => void;

/** Creates the data that the operation requires, and a kept-alive connection if the fault closes one. */
async function prepare({ operation, fault, simulation, applicant }: Combination): Promise<void> {
  // The transport reuses connections again, after an earlier fault broke one.
  simulation.time.advance(freshOnlyMs);
  await applicant.begin();
  if (operation !== 'create-lead' && operation !== 'token') {
    await applicant.submit(createKey());
    await simulation.settle();
  }
  if (fault.end === 'reused') await keepConnection(simulation);
  if (operation !== 'token') return;
  simulation.time.advance(tokenLifeMs);
  await applicant.begin();
}

async function keepConnection(simulation: Simulation): Promise<void> {
  const visitor = simulation.createApplicant(`Visitor at ${simulation.history.calls.length} LLC`);
  await visitor.begin();
  await visitor.submit(createKey());
  await simulation.settle();
  await visitor.offers();
  // undici returns a connection to its pool after it has reported the result.
  await nextTurn();
}

async function act({ operation, applicant }: Combination): Promise<unknown> {
  switch (operation) {
    case 'token':
    case 'create-lead':
      return applicant.submit(createKey());
    case 'pre-approval-offer':
      return applicant.offers();
    case 'contact-user':
      return applicant.contact();
    case 'asset-report':
      return applicant.report(1);
    case 'upload-file':
      return applicant.upload(1);
  }
}

async function deliverOnce({ simulation }: Combination): Promise<void> {
  for (const bff of simulation.bffs) await bff.delivery.runDue();
}

function readOutcome(
  { operation, simulation }: Combination,
  from: number,
): Outcome<never>['kind'] | undefined {
  // The first call that needs a token requests it.
  const logged = operation === 'token' ? 'create-lead' : operation;
  const event = simulation.events
    .slice(from)
    .find((event) => event.event === 'call-ended' && event.operation === logged);
  return event?.event === 'call-ended' ? event.outcome : undefined;
}

function toExpectedOutcome({ operation, fault }: Combination): Outcome<never>['kind'] {
  const isToken = operation === 'token';
  switch (fault.end) {
    case 'not-sent':
      return 'not-sent';
    case 'unknown':
      // Without a token, the operation is not sent.
      return isToken ? 'not-sent' : 'unknown';
    case 'reused':
      // An upload opens a new connection, so no kept-alive connection can close.
      if (operation === 'upload-file') return 'accepted';
      return isToken ? 'not-sent' : 'unknown';
    case 'renewed':
      return isToken ? 'authentication' : 'accepted';
  }
}

async function checkEnd(combination: Combination, expect: Expect): Promise<void> {
  const { operation, simulation, applicant } = combination;
  await simulation.settle();
  if (operation === 'pre-approval-offer') {
    simulation.time.advance(cacheExpiryMs);
    expect('the next answer with offers', await applicant.offers(), 200);
    return;
  }
  const application = await readApplication(combination);
  const kind = attachmentKinds[operation];
  if (kind) await checkAttachment(combination, application, kind, expect);
  else await checkApplication(combination, application, expect);
}

async function checkApplication(
  combination: Combination,
  application: ApplicationRow,
  expect: Expect,
): Promise<void> {
  const isUnknown = toExpectedOutcome(combination) === 'unknown';
  expect('the number of attempts in doubt', application.uncertainAttempts, Number(isUnknown));
  const isUnconfirmed = isUnknown && combination.fault.isProcessed;
  expect('the state', application.state, isUnconfirmed ? 'unconfirmed' : 'accepted');
  if (application.state === 'unconfirmed')
    await checkUnconfirmed(combination, application.id, expect);
}

/** The BFF accepts attachments of an unconfirmed application, and delivers them when the operator sets the ApplicationID. */
async function checkUnconfirmed(
  { simulation, applicant }: Combination,
  id: string,
  expect: Expect,
): Promise<void> {
  const { outcome } = await applicant.upload(1);
  await simulation.settle();
  const lead = simulation.service.readLedger().leads.find(({ reference }) => reference === id);
  const countCopies = () =>
    simulation.service
      .readLedger()
      .attachments.filter(({ applicationId }) => applicationId === lead?.applicationId).length;
  expect('the answer to an upload meanwhile', outcome, 'ok');
  expect('the number of copies before it is resolved', countCopies(), 0);
  await simulation.store.resolve(id, lead?.applicationId ?? '');
  await simulation.settle();
  expect('the number of copies once it is resolved', countCopies(), 1);
}

async function checkAttachment(
  combination: Combination,
  application: ApplicationRow,
  kind: AttachmentKind,
  expect: Expect,
): Promise<void> {
  const { simulation, fault } = combination;
  const [attachment] = await simulation.store.listAttachments(application.id, kind);
  const outcome = toExpectedOutcome(combination);
  expect('the state', attachment?.state, 'accepted');
  expect('the number of attempts', attachment?.attempts, outcome === 'accepted' ? 1 : 2);
  expect(
    'the number of attempts in doubt',
    attachment?.uncertainAttempts,
    Number(outcome === 'unknown'),
  );
  if (kind === 'contact') return;
  const copies = simulation.service
    .readLedger()
    .attachments.filter(({ applicationId }) => applicationId === application.serviceId).length;
  expect('the number of copies', copies, 1 + Number(fault.isProcessed));
}

async function readApplication({ simulation, applicant }: Combination): Promise<ApplicationRow> {
  const { reference } = await applicant.poll();
  const application = await simulation.store.findApplication(reference ?? '');
  if (!application) throw new Error(`${applicant.name} has no application`);
  return application;
}

export interface MatrixResult extends CampaignResult {
  /** The unexpected results of each combination, by `toMatrixKey`. Empty when it passes. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

export function toMatrixKey(operation: Operation, fault: Pick<MatrixFault, 'name'>): string {
  return `${operation}, ${fault.name}`;
}

/** Runs all combinations on one BFF, one store, and one funding service. Each combination has its own applicant. */
export async function runMatrix(options: StorageOptions): Promise<MatrixResult> {
  const storage = await createStorage(options);
  const matrix = await createMatrix(storage.url);
  const problems = new Map<string, readonly string[]>();
  for (const operation of operations) {
    for (const fault of matrixFaults) {
      problems.set(toMatrixKey(operation, fault), await matrix.run(operation, fault));
    }
  }
  const evidence = await matrix.simulation.readEvidence();
  await matrix.simulation.close();
  await storage.remove();
  return { ...toResult(evidence, findViolations(evidence)), runs: problems.size, problems };
}

/** Runs the matrix several times. */
export async function runMatrixCampaign(
  options: StorageOptions,
  repeats: number,
): Promise<CampaignResult & { readonly problems: readonly string[] }> {
  const results: MatrixResult[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) results.push(await runMatrix(options));
  const sum = (read: (result: MatrixResult) => number) =>
    results.reduce((total, result) => total + read(result), 0);
  return {
    runs: sum(({ runs }) => runs),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    twice: sum(({ twice }) => twice),
    falselyRejected: sum(({ falselyRejected }) => falselyRejected),
    violations: results.flatMap(({ violations }) => violations),
    problems: results.flatMap(({ problems }) =>
      [...problems].flatMap(([key, found]) => found.map((problem) => `${key}: ${problem}`)),
    ),
  };
}
