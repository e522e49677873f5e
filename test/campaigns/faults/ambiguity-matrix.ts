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
import { readRows } from '../../support/files/rows.ts';
import type { ManualTime } from '../../support/manual-time.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import type { Applicant } from './applicant.ts';
import type { Plan } from './fault-proxy.ts';
import { type Evidence, judge, kinds } from './invariants.ts';
import { findOperation } from './operation-paths.ts';
import { startServiceHost } from './recorded-service.ts';
import { toStorageOptions } from './rig.ts';
import { createStorage } from './storage.ts';
import { type Simulation, type SimulationService, startSimulation } from './simulation.ts';

/** A port where nothing listens, a host name that does not resolve, or a host without TLS. */
type Redirect = 'no-listener' | 'no-name' | 'no-certificate';

interface Fault {
  readonly name: string;
  /** A fault of the proxy, or a redirected call. */
  readonly plan: Plan | Redirect;
  /** True if the funding service processes the request despite the fault. */
  readonly isProcessed?: boolean;
  /**
   * Expected outcome of the attempt. Default: unknown, because bytes were sent, and no conclusive response came back. `reused`:
   * unknown on a reused connection, no effect on a new connection. `renewed`: accepted with a new token.
   */
  readonly end?: 'not-sent' | 'reused' | 'renewed';
}

const faults = readRows<Fault>('ambiguity-matrix.ndjson', import.meta.url);

/** Runs all combinations on one BFF, one store, and one funding service. Each combination has its own applicant. */
export async function runMatrix(context: CampaignContext): Promise<CampaignRow> {
  const storage = await createStorage(await toStorageOptions(context));
  const repeats = scale(10, context.share);
  const service = createFaultyService();
  const simulation = await startSimulation({
    databaseUrl: storage.url,
    createService: service.start,
  });
  const problems: string[] = [];
  let runs = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const operation of operations) {
      for (const fault of faults) {
        runs += 1;
        const applicant = simulation.createApplicant(`Combination ${runs} LLC`);
        const arm = () => service.arm(operation, fault.plan);
        const combination = { operation, fault, simulation, applicant, arm };
        const found = await runCombination(combination);
        service.disarm();
        problems.push(...found.map((problem) => `${operation}, ${fault.name}: ${problem}`));
      }
    }
  }
  const evidence: Evidence = await simulation.readEvidence();
  await simulation.close();
  await storage.remove();
  const verdict = judge(evidence);
  const unit = 'combinations';
  return { runs, unit, ...verdict, problems: [...verdict.problems, ...problems] };
}

/** Of a call that meets a fault. Short, because there are many combinations. */
const faultTimeouts = { headersMs: 400, bodyMs: 400, totalMs: 600 } as const;
/** Of all other calls. A busy machine can take seconds for an answer. */
const timeouts = { headersMs: 20_000, bodyMs: 20_000, totalMs: 20_000 } as const;

/** The sandbox behind the fault proxy. `arm` prepares a fault for the next call of an operation. */
function createFaultyService() {
  let order: { readonly operation: Operation; readonly plan: Plan | Redirect } | undefined;

  function take(path: string): Plan | Redirect | undefined {
    const plan = order?.operation === findOperation(path) ? order?.plan : undefined;
    if (plan !== undefined) order = undefined;
    return plan;
  }

  return {
    arm(operation: Operation, plan: Plan | Redirect): void {
      order = { operation, plan };
    },
    disarm(): void {
      order = undefined;
    },
    async start({ clock }: ManualTime): Promise<SimulationService> {
      let next: { readonly path: string; readonly plan: Plan } | undefined;
      const host = await startServiceHost({
        clock,
        choose({ path }) {
          const plan = next?.path === path ? next.plan : undefined;
          if (plan) next = undefined;
          return plan ?? { kind: 'pass' };
        },
      });
      const undici = createUndiciTransport({
        connectTimeoutMs: 1_000,
        timeouts,
        // The next call of a kept connection may take longer on a busy machine than in production.
        recentMs: 4_000,
        clock,
      });
      const transport: Transport = (request) => {
        const path = new URL(request.url).pathname;
        const plan = take(path);
        if (plan === undefined) return undici({ ...request, timeouts });
        if (typeof plan === 'object') next = { path, plan };
        const url = typeof plan === 'object' ? request.url : redirect(plan, path, host.port);
        return undici({ ...request, url, timeouts: faultTimeouts });
      };
      return {
        url: host.proxy.url,
        transport,
        readLedger: host.readLedger,
        async close() {
          await undici.close();
          await host.close();
        },
      };
    },
  };
}

/** An address where no connection is possible. */
function redirect(to: Redirect, path: string, port: number): string {
  switch (to) {
    case 'no-listener':
      return `http://127.0.0.1:1${path}`;
    case 'no-name':
      return `http://nowhere.invalid${path}`;
    case 'no-certificate':
      return `https://127.0.0.1:${port}${path}`;
  }
}

/** An operation that meets a fault once, then runs to its end. */
interface Combination {
  readonly operation: Operation;
  readonly fault: Fault;
  readonly simulation: Simulation;
  /** Used by this combination only. */
  readonly applicant: Applicant;
  /** Prepares the fault for the next call of the operation. */
  arm(): void;
}

type Expect = (description: string, actual: unknown, wanted: unknown) => void;

/** Longer than the cache of any route, shorter than a session. */
const cacheExpiryMs = 60_000;
const tokenLifeMs = 2 * 60 * 60_000;

/** Returns a description of each unexpected result. */
async function runCombination(combination: Combination): Promise<readonly string[]> {
  const { simulation, arm } = combination;
  const problems: string[] = [];
  const expect: Expect = (description, actual, wanted) => {
    if (actual !== wanted)
      problems.push(`${description} is ${String(actual)}, not ${String(wanted)}`);
  };
  await prepare(combination);
  arm();
  const eventsBefore = simulation.events.length;
  await act(combination);
  await simulation.deliverOnce();
  expect('the outcome', readOutcome(combination, eventsBefore), toExpectedOutcome(combination));
  await checkEnd(combination, expect);
  return problems;
}

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

function readOutcome({ operation, simulation }: Combination, from: number): string | undefined {
  // The first call that needs a token requests it.
  const logged = operation === 'token' ? 'create-lead' : operation;
  const ended = simulation.events.slice(from).filter((event) => event.event === 'call-ended');
  return ended.find((event) => event.operation === logged)?.outcome;
}

function toExpectedOutcome({ operation, fault }: Combination): Outcome<never>['kind'] {
  const isToken = operation === 'token';
  if (fault.end === 'renewed') return isToken ? 'authentication' : 'accepted';
  // Without a token, the operation is not sent.
  if (fault.end === 'not-sent' || isToken) return 'not-sent';
  // An upload opens a new connection, so no kept-alive connection can close.
  return fault.end === 'reused' && operation === 'upload-file' ? 'accepted' : 'unknown';
}

async function checkEnd(combination: Combination, expect: Expect): Promise<void> {
  const { operation, simulation, applicant } = combination;
  await simulation.settle();
  if (operation === 'pre-approval-offer') {
    simulation.time.advance(cacheExpiryMs);
    expect('the next answer with offers', await applicant.offers(), 200);
    return;
  }
  const { reference = '' } = await applicant.poll();
  const application = await simulation.store.findApplication(reference);
  if (!application) throw new Error(`${applicant.name} has no application`);
  const kind = kinds.find((row) => row.operation === operation)?.kind;
  if (kind) await checkAttachment(combination, application, kind, expect);
  else await checkApplication(combination, application, expect);
}

async function checkApplication(
  combination: Combination,
  { id, state, uncertainAttempts }: ApplicationRow,
  expect: Expect,
): Promise<void> {
  const { simulation, applicant, fault } = combination;
  const isUnknown = toExpectedOutcome(combination) === 'unknown';
  expect('the number of attempts in doubt', uncertainAttempts, Number(isUnknown));
  expect('the state', state, isUnknown && fault.isProcessed ? 'unconfirmed' : 'accepted');
  if (state !== 'unconfirmed') return;
  // The BFF accepts attachments meanwhile, and delivers them when the operator sets the ApplicationID.
  const { outcome } = await applicant.upload(1);
  await simulation.settle();
  const { leads } = simulation.service.readLedger();
  const applicationId = leads.find(({ reference }) => reference === id)?.applicationId ?? '';
  expect('the answer to an upload meanwhile', outcome, 'ok');
  expect('the number of copies before it is resolved', countCopies(simulation, applicationId), 0);
  await simulation.store.resolve(id, applicationId);
  await simulation.settle();
  expect('the number of copies once it is resolved', countCopies(simulation, applicationId), 1);
}

async function checkAttachment(
  combination: Combination,
  { id, serviceId = '' }: ApplicationRow,
  kind: AttachmentKind,
  expect: Expect,
): Promise<void> {
  const { simulation, fault } = combination;
  const [attachment] = await simulation.store.listAttachments(id, kind);
  const outcome = toExpectedOutcome(combination);
  const isUnknown = Number(outcome === 'unknown');
  expect('the state', attachment?.state, 'accepted');
  expect('the number of attempts', attachment?.attempts, outcome === 'accepted' ? 1 : 2);
  expect('the number of attempts in doubt', attachment?.uncertainAttempts, isUnknown);
  if (kind === 'contact') return;
  const expectedCopies = 1 + Number(fault.isProcessed ?? false);
  expect('the number of copies', countCopies(simulation, serviceId), expectedCopies);
}

function countCopies({ service }: Simulation, wanted: string): number {
  const { attachments } = service.readLedger();
  return attachments.filter(({ applicationId }) => applicationId === wanted).length;
}
