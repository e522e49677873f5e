// A long outage on simulated time: thousands of applicants apply while the funding service is down. It recovers partially, then
// completely.

import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSettings } from '../../../bff/config/settings.ts';
import type { Transport, TransportResult } from '../../../bff/funding-service/transport.ts';
import { createRandom } from '../../support/random.ts';
import { createKey } from '../../support/applicant.ts';
import { above, type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { judge } from './invariants.ts';
import { toStorageOptions } from './rig.ts';
import { createStorage } from './storage.ts';
import { createServiceInMemory, startSimulation, type Simulation } from './simulation.ts';

/** Six hours longer than the BFF retries a row, so that some rows become held. */
const outageMs = 78 * 60 * 60_000;
const halfMs = 30 * 60_000;
/** Duration of one call, in real time. */
const callMs = 5;
/** New applicants in each later phase, as a share of the applicants during the outage. */
const lateShare = 0.02;
const atOnce = 10;
const answerLimitMs = 500;
const retryLimitPercent = 20;

export async function runOutage(context: CampaignContext): Promise<CampaignRow> {
  const { share } = context;
  const applications = scale(10_000, share);
  // The full run probes as often as in production.
  const minStepMs = share === 1 ? 1_000 : 5 * 60_000;
  const storage = await createStorage(await toStorageOptions(context));
  const connection = createConnection();
  const simulation = await startSimulation({
    databaseUrl: storage.url,
    createService: async (time) => {
      const service = await createServiceInMemory(time);
      return { ...service, transport: connection.attach(service.transport) };
    },
  });
  const late = Math.ceil(applications * lateShare);

  await apply(simulation, 1);
  connection.phase = 'away';
  await apply(simulation, applications);
  await pass(simulation, outageMs, minStepMs);
  await apply(simulation, late);
  const held = (await simulation.store.countStates()).find(({ state }) => state === 'held')?.count;
  connection.phase = 'half';
  await apply(simulation, late);
  await pass(simulation, halfMs, 1_000);
  connection.phase = 'back';
  await apply(simulation, late);
  await simulation.store.retryHeld();
  await simulation.settle();

  const evidence = await simulation.readEvidence();
  await simulation.close();
  await storage.remove();
  const verdict = judge(evidence);
  const runs = applications + 3 * late + 1;
  const delivered = evidence.ledger.leads.length;
  const submissions = evidence.history.calls.filter(({ action }) => action === 'submit');
  const delays = submissions.map(({ invokedAt, endedAt }) => endedAt - invokedAt);
  const p99Ms = Math.round(delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0);
  const { mostConcurrent, calls, retries } = connection.counts;
  const retriesPercent = Math.round((100 * retries) / calls);
  return {
    runs,
    unit: 'applications',
    ...verdict,
    notes: `${held} held and retried by the operator, ${mostConcurrent} concurrent calls, ${retriesPercent}% retries, responses p99 ${p99Ms} ms`,
    problems: [
      ...verdict.problems,
      ...(held ? [] : ['nothing was held']),
      ...(verdict.acknowledged === runs ? [] : [`${verdict.acknowledged} of ${runs} acknowledged`]),
      ...(delivered === runs ? [] : [`${delivered} of ${runs} were delivered`]),
      ...above(mostConcurrent, defaultSettings().delivery.maxConcurrent, 'concurrent calls'),
      // A sample has the same number of probes and fewer first calls, and other work beside it.
      ...(share < 1 ? [] : above(retriesPercent, retryLimitPercent, '% of calls were retries')),
      ...(share < 1 ? [] : above(p99Ms, answerLimitMs, 'ms of response time (p99)')),
    ],
  };
}

/** Submits several applications at a time while delivery runs. */
async function apply(simulation: Simulation, count: number): Promise<void> {
  const first = simulation.history.calls.length;
  for (let start = 0; start < count; start += atOnce) {
    const delivering = simulation.deliverOnce();
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - start) }, async (_, index) => {
        const applicant = simulation.createApplicant(`Waiting ${first + start + index} LLC`);
        await applicant.begin();
        await applicant.submit(createKey());
      }),
    );
    await delivering;
  }
}

/** Advances the clock from one due time to the next. */
async function pass(
  { time, store, fundingService, deliverOnce }: Simulation,
  ms: number,
  minStepMs: number,
): Promise<void> {
  const end = time.clock() + ms;
  while (time.clock() < end) {
    await deliverOnce();
    const readiness = fundingService.readiness('create-lead');
    const pauseMs = readiness.kind === 'unavailable' ? (readiness.retryAfterMs ?? 0) : 0;
    const dueMs = (await store.findNextDueMs(['application'])) ?? end;
    time.advance(Math.min(Math.max(dueMs, pauseMs, minStepMs), end - time.clock()));
  }
}

interface Connection {
  phase: 'away' | 'half' | 'back';
  readonly counts: { calls: number; retries: number; mostConcurrent: number };
  attach(transport: Transport): Transport;
}

/** The connection to the funding service in each phase. Counts the calls. */
function createConnection(): Connection {
  const random = createRandom(3);
  const called = new Set<string>();
  const counts = { calls: 0, retries: 0, mostConcurrent: 0 };
  let concurrent = 0;

  function spoil(): TransportResult | undefined {
    if (connection.phase === 'away') return { kind: 'not-sent', failure: 'ECONNREFUSED' };
    if (connection.phase === 'back' || random() < 0.5) return undefined;
    return { kind: 'response', status: 503, headers: {}, text: '<html>Busy</html>' };
  }

  const connection: Connection = {
    phase: 'back',
    counts,
    attach: (transport) => async (request) => {
      const isAway = connection.phase === 'away';
      if (request.url.endsWith('/services/oauth2/token'))
        return (isAway && spoil()) || transport(request);
      const id = /"ID":"([^"]+)"/.exec(String(request.body))?.[1] ?? '';
      counts.calls += 1;
      counts.retries += Number(called.has(id));
      called.add(id);
      concurrent += 1;
      counts.mostConcurrent = Math.max(counts.mostConcurrent, concurrent);
      // Long enough for calls to overlap. A refused connection takes no time.
      if (!isAway) await sleep(callMs);
      const result = spoil() ?? (await transport(request));
      concurrent -= 1;
      return result;
    },
  };
  return connection;
}
