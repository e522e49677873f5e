// A long outage on simulated time: thousands of applicants apply while the funding service is down. It recovers partially, then
// completely.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FundingService } from '../../../bff/funding-service/funding-service.ts';
import type { Transport, TransportResult } from '../../../bff/funding-service/transport.ts';
import { createRandom } from '../../support/random.ts';
import { createKey } from '../../support/applicant.ts';
import { type CampaignResult, findViolations, toResult } from './invariants.ts';
import { createStorage, type Engine } from './storage.ts';
import { createServiceInMemory, startSimulation, type Simulation } from './simulation.ts';

export interface OutageOptions {
  readonly engine: Engine;
  readonly postgresUrl?: string | undefined;
  /** Number of applications during the outage. */
  readonly applications: number;
  /** Minimum simulated time between two deliveries during the outage. Default: 1 s, so that the worker probes as often as in production. */
  readonly minStepMs?: number;
  readonly seed?: number;
}

export interface OutageResult extends CampaignResult {
  /** Acknowledged applications that are at the funding service at the end. */
  readonly delivered: number;
  /** Held after 72 hours of attempts, and delivered after the operator's `retry`. */
  readonly held: number;
  /** Largest number of concurrent calls to the funding service. */
  readonly mostConcurrent: number;
  /** Calls after the first of each application, in percent of all calls; then the same during partial recovery. */
  readonly retriesPercent: number;
  readonly retriesPercentHalfBack: number;
  /** Response time of submissions in all phases. */
  readonly p99Ms: number;
}

/** Six hours longer than the BFF retries a row, so that some rows become held. */
const outageMs = 78 * 60 * 60_000;
const halfMs = 30 * 60_000;
/** Duration of one call, in real time. */
const callMs = 5;
/** New applicants in each later phase, as a share of the applicants during the outage. */
const lateShare = 0.02;
const token = '/services/oauth2/token';

type Phase = 'away' | 'half' | 'back';

export async function runOutage(options: OutageOptions): Promise<OutageResult> {
  const { applications } = options;
  const storage = await createStorage(options);
  const connection = createServiceConnection(createRandom(options.seed ?? 3));
  let fundingService: FundingService | undefined;
  const simulation = await startSimulation({
    databaseUrl: storage.url,
    decoration: { service: (service) => (fundingService = service) },
    createService: async (time) => {
      const service = await createServiceInMemory(time);
      return { ...service, transport: connection.attach(service.transport) };
    },
  });
  const delays: number[] = [];
  const apply = (count: number) => applyWhileDelivering(simulation, count, delays);
  const late = Math.ceil(applications * lateShare);
  const pass = (ms: number, minStepMs = 1_000) =>
    advanceUntil(simulation, fundingService, ms, minStepMs);

  connection.set('back');
  await apply(1);
  connection.set('away');
  await apply(applications);
  await pass(outageMs, options.minStepMs);
  await apply(late);
  const held = (await simulation.store.countStates()).find(({ state }) => state === 'held');
  connection.set('half');
  await apply(late);
  await pass(halfMs);
  connection.set('back');
  await apply(late);
  await simulation.store.retryHeld();
  await simulation.settle();

  const evidence = await simulation.readEvidence();
  await simulation.close();
  await storage.remove();
  return {
    ...toResult(evidence, findViolations(evidence)),
    runs: applications + 3 * late + 1,
    delivered: evidence.ledger.leads.length,
    held: held?.count ?? 0,
    ...connection.read(),
    p99Ms: Math.round(delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0),
  };
}

/** Submits several applications at a time while delivery runs. */
async function applyWhileDelivering(
  simulation: Simulation,
  count: number,
  delays: number[],
): Promise<void> {
  const atOnce = 10;
  const first = simulation.history.calls.length;
  for (let start = 0; start < count; start += atOnce) {
    const delivering = simulation.bffs[0]?.delivery.runDue();
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - start) }, async (_, index) => {
        const applicant = simulation.createApplicant(`Waiting ${first + start + index} LLC`);
        await applicant.begin();
        const { invokedAt, endedAt } = await applicant.submit(createKey());
        delays.push(endedAt - invokedAt);
      }),
    );
    await delivering;
  }
}

/** Advances the clock from one due time to the next. */
async function advanceUntil(
  simulation: Simulation,
  service: FundingService | undefined,
  ms: number,
  minStepMs: number,
): Promise<void> {
  const end = simulation.time.clock() + ms;
  while (simulation.time.clock() < end) {
    for (const bff of simulation.bffs) await bff.delivery.runDue();
    const readiness = service?.readiness('create-lead');
    const pauseMs = readiness?.kind === 'unavailable' ? (readiness.retryAfterMs ?? 0) : 0;
    const dueMs = (await simulation.store.findNextDueMs(['application'])) ?? end;
    simulation.time.advance(
      Math.min(Math.max(dueMs, pauseMs, minStepMs), end - simulation.time.clock()),
    );
  }
}

interface ServiceConnection {
  attach(transport: Transport): Transport;
  set(phase: Phase): void;
  read(): Pick<OutageResult, 'mostConcurrent' | 'retriesPercent' | 'retriesPercentHalfBack'>;
}

/** The connection to the funding service in each phase. Counts the calls. */
function createServiceConnection(random: () => number): ServiceConnection {
  const called = new Set<string>();
  const counts = { away: countCalls(), half: countCalls(), back: countCalls() };
  let phase: Phase = 'away';
  let concurrent = 0;
  let mostConcurrent = 0;

  function spoil(): TransportResult | undefined {
    if (phase === 'away') return { kind: 'not-sent', failure: 'ECONNREFUSED' };
    if (phase === 'back' || random() < 0.5) return undefined;
    return { kind: 'response', status: 503, headers: {}, text: '<html>Busy</html>' };
  }

  function count(id: string): void {
    counts[phase].calls += 1;
    if (called.has(id)) counts[phase].retries += 1;
    called.add(id);
  }

  return {
    set(next) {
      phase = next;
    },

    attach: (transport) => async (request) => {
      if (request.url.endsWith(token)) return (phase === 'away' && spoil()) || transport(request);
      count(/"ID":"([^"]+)"/.exec(String(request.body))?.[1] ?? '');
      concurrent += 1;
      mostConcurrent = Math.max(mostConcurrent, concurrent);
      // Long enough for calls to overlap. A refused connection takes no time.
      if (phase !== 'away') await sleep(callMs);
      const result = spoil() ?? (await transport(request));
      concurrent -= 1;
      return result;
    },

    read: () => ({
      mostConcurrent,
      retriesPercent: toPercent(Object.values(counts)),
      retriesPercentHalfBack: toPercent([counts.half]),
    }),
  };
}

interface CallCount {
  calls: number;
  retries: number;
}

function countCalls(): CallCount {
  return { calls: 0, retries: 0 };
}

function toPercent(counts: readonly CallCount[]): number {
  const sum = (read: (count: CallCount) => number) =>
    counts.reduce((total, count) => total + read(count), 0);
  return (
    Math.round(
      (sum(({ retries }) => retries) /
        Math.max(
          1,
          sum(({ calls }) => calls),
        )) *
        1_000,
    ) / 10
  );
}
