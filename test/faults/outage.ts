// A long outage on simulated time: thousands apply while the service is away, it comes back half, then whole.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FundingService } from '../../bff/funding-service/funding-service.ts';
import type { Transport, TransportResult } from '../../bff/funding-service/transport.ts';
import { createRandom } from '../support/random.ts';
import { createKey } from './applicant.ts';
import { findViolations } from './checker.ts';
import { toResult, type CampaignResult } from './result.ts';
import { createStorage, type Engine } from './storage.ts';
import { createServiceInMemory, createWorld, type World } from './world.ts';

export interface OutageOptions {
  readonly engine: Engine;
  readonly postgresUrl?: string | undefined;
  /** How many apply while the service is away. */
  readonly applications: number;
  readonly seed?: number;
}

export interface OutageResult extends CampaignResult {
  /** Acknowledged and at the service in the end. */
  readonly delivered: number;
  /** Given up after 72 hours of attempts, and brought back by the operator's `retry`. */
  readonly held: number;
  /** At the service at the same time. */
  readonly mostConcurrent: number;
  /** Calls beyond the first for each application, as a share of all calls, in percent; then of those while it was half back. */
  readonly retriesPercent: number;
  readonly retriesPercentHalfBack: number;
  /** Of the answers to submissions in all phases. */
  readonly p99Ms: number;
}

/** Six hours more than a row is tried for, so that some are given up. */
const outageMs = 78 * 60 * 60_000;
const halfMs = 30 * 60_000;
/** Of one call, in real time. */
const callMs = 5;
/** As a share of those who applied before; they apply in each later phase. */
const lateShare = 0.02;
const token = '/services/oauth2/token';

type Phase = 'away' | 'half' | 'back';

export async function runOutage(options: OutageOptions): Promise<OutageResult> {
  const { applications } = options;
  const storage = await createStorage(options);
  const line = createLine(createRandom(options.seed ?? 3));
  let fundingService: FundingService | undefined;
  const world = await createWorld({
    databaseUrl: storage.url,
    decoration: { service: (service) => (fundingService = service) },
    createService: async (time) => {
      const service = await createServiceInMemory(time);
      return { ...service, transport: line.attach(service.transport) };
    },
  });
  const delays: number[] = [];
  const apply = (count: number) => applyWhileDelivering(world, count, delays);
  const late = Math.ceil(applications * lateShare);
  const pass = (ms: number) => passTime(world, fundingService, ms);

  line.set('back');
  await apply(1);
  line.set('away');
  await apply(applications);
  await pass(outageMs);
  await apply(late);
  const held = (await world.store.countStates()).find(({ state }) => state === 'held');
  line.set('half');
  await apply(late);
  await pass(halfMs);
  line.set('back');
  await apply(late);
  await world.store.retryHeld();
  await world.settle();

  const evidence = await world.readEvidence();
  await world.close();
  await storage.remove();
  return {
    ...toResult(evidence, findViolations(evidence)),
    runs: applications + 3 * late + 1,
    delivered: evidence.ledger.leads.length,
    held: held?.count ?? 0,
    ...line.read(),
    p99Ms: Math.round(delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0),
  };
}

/** Several at a time, while the delivery is at work as well. */
async function applyWhileDelivering(world: World, count: number, delays: number[]): Promise<void> {
  const atOnce = 10;
  const first = world.history.calls.length;
  for (let start = 0; start < count; start += atOnce) {
    const delivering = world.bffs[0]?.delivery.runDue();
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - start) }, async (_, index) => {
        const applicant = world.createApplicant(`Waiting ${first + start + index} LLC`);
        await applicant.begin();
        const { invokedAt, endedAt } = await applicant.submit(createKey());
        delays.push(endedAt - invokedAt);
      }),
    );
    await delivering;
  }
}

/** Moves the clock from one moment at which something may be tried to the next. */
async function passTime(
  world: World,
  service: FundingService | undefined,
  ms: number,
): Promise<void> {
  const end = world.time.clock() + ms;
  while (world.time.clock() < end) {
    for (const bff of world.bffs) await bff.delivery.runDue();
    const readiness = service?.readiness('create-lead');
    const pauseMs = readiness?.kind === 'unavailable' ? (readiness.retryAfterMs ?? 0) : 0;
    const dueMs = (await world.store.findNextDueMs(['application'])) ?? end;
    world.time.advance(Math.min(Math.max(dueMs, pauseMs, 1_000), end - world.time.clock()));
  }
}

interface Line {
  attach(transport: Transport): Transport;
  set(phase: Phase): void;
  read(): Pick<OutageResult, 'mostConcurrent' | 'retriesPercent' | 'retriesPercentHalfBack'>;
}

/** The way to the service, in each of its phases, with what passes counted. */
function createLine(random: () => number): Line {
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
      // Long enough for calls to overlap; a refused connection takes no time.
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
