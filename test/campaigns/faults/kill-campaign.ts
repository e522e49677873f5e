// SIGKILLs under load: BFF processes kill themselves at one named point after another and start again, while applicants
// keep applying.

import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../support/random.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import type { CampaignBff, KillOrder } from './bff-child.ts';
import type { Plan } from './fault-proxy.ts';
import { judge } from './invariants.ts';
import { listKillPoints } from './kill-points.ts';
import { startLoad } from './load.ts';
import { awaitReady, startRig } from './rig.ts';

export interface KillOptions {
  /** Number of SIGKILLs in the full run. */
  readonly kills: number;
  /** Kills only at points that match. Default: all points of the engine. */
  readonly points?: RegExp;
  /** BFF processes on one store; more than one on PostgreSQL only. Default: 1. */
  readonly processes?: number;
  /** Kills the database server too. With it, a BFF may fail to start. */
  readonly crashesServer?: boolean;
  readonly seed: number;
}

const applicantsPerSecond = 5;
/** Share of calls to the funding service, and of webhooks, that get a fault. */
const faultShare = 0.03;
const serverCrashPauseMs = 15_000;
const startPauseMs = 300;
/**
 * After this time, a process that has not reached its point is killed. Long enough for the rarest point (about one applicant
 * per second reads offers) on a busy machine.
 */
const pointTimeoutMs = 5_000;
/** A process reaches other points several times per second; it logs in once. */
const rarePoint = /token|contact|pre-approval-offer/;

export async function runKills(
  options: KillOptions,
  context: CampaignContext,
): Promise<CampaignRow> {
  const { processes = 1, crashesServer = false } = options;
  const random = createRandom(options.seed);
  const rig = await startRig(context, {
    processes,
    choosePlan: () => choosePlan(random),
    events: { random, faultShare },
  });
  const points = listKillPoints(context.engine).filter(
    (point) => options.points?.test(point) ?? true,
  );
  const orders = listOrders(scale(options.kills, context.share), points, random);
  // A sample inspects no documents, so that it starts faster.
  const inspects = context.share === 1;
  const kills: Kill[] = [];

  /** Starts one process after the other. Each runs until it is killed. */
  async function killRepeatedly(port: number): Promise<void> {
    for (let kill = orders.pop(); kill; kill = orders.pop()) {
      // Some processes end between the upload of a document and its delivery.
      const start = () => rig.start(port, { kill, inspects, undoSeconds: 1 });
      const { bff, readyMs } = await startUntilReady(start, crashesServer);
      kills.push({ ...kill, readyMs, ...(await endAtPoint(bff)) });
    }
  }

  const stopping = new AbortController();
  const crashes = crashesServer ? crashServer(context, stopping.signal) : undefined;
  const load = startLoad({ send: rig.send, history: rig.history, applicantsPerSecond, random });
  await Promise.all(rig.ports.map(killRepeatedly));
  stopping.abort();
  const crashCount = await crashes;
  const last = rig.ports.map((port) => rig.start(port, { inspects, undoSeconds: 1 }));
  for (const bff of last) await awaitReady(bff);
  await load.stop();
  const verdict = judge(await rig.finish(last));

  const reached = new Set(kills.filter(({ isAtPoint }) => isAtPoint).map(({ point }) => point));
  const missed = points.filter((point) => !reached.has(point));
  const notes = [
    `${reached.size} of ${points.length} points`,
    ...(context.share === 1 && missed.length > 0 ? [`not at ${missed.join('; ')}`] : []),
    `${kills.filter(({ isAtPoint }) => !isAtPoint).length} at random`,
    ...(crashCount === undefined ? [] : [`${crashCount} server crashes`]),
  ];
  return {
    runs: kills.length,
    unit: 'kills',
    ...verdict,
    slowestStartMs: Math.max(...kills.map(({ readyMs = 0 }) => readyMs)),
    notes: notes.join(', '),
    problems: [
      ...verdict.problems,
      ...kills.flatMap(({ crash }) => crash ?? []),
      ...(verdict.acknowledged < kills.length / 2 ? ['the applicants hardly applied'] : []),
      // A process that does not reach its point in time is killed elsewhere.
      ...(reached.size < Math.min(kills.length, points.length) / 2
        ? ['few points were reached']
        : []),
    ],
  };
}

interface Kill extends KillOrder, End {
  /** `undefined` when the process was killed before it was ready. */
  readonly readyMs: number | undefined;
}

interface End {
  readonly isAtPoint?: boolean;
  /** Error output of a process that ended on its own. */
  readonly crash?: string;
}

/** Uses all points in random order, repeatedly. */
function listOrders(count: number, points: readonly string[], random: () => number): KillOrder[] {
  const orders: KillOrder[] = [];
  while (orders.length < count) {
    const shuffled = points
      .map((point) => ({ point, place: random() }))
      .toSorted((a, b) => a.place - b.place);
    for (const { point } of shuffled.slice(0, count - orders.length)) {
      const occurrence = rarePoint.test(point) ? 1 : 1 + Math.floor(random() * 4);
      orders.push({ point, occurrence });
    }
  }
  return orders;
}

async function startUntilReady(
  start: () => CampaignBff,
  mayFail: boolean,
): Promise<{ readonly bff: CampaignBff; readonly readyMs: number | undefined }> {
  for (;;) {
    const bff = start();
    const readyMs = await bff.ready;
    const hasFailed = readyMs === undefined && (await bff.ended) !== 'SIGKILL';
    if (hasFailed && !mayFail) await awaitReady(bff);
    if (!hasFailed) return { bff, readyMs: readyMs && Math.round(readyMs) };
    await sleep(startPauseMs);
  }
}

/** Kills the process when it does not reach its point in time. */
async function endAtPoint(bff: CampaignBff): Promise<End> {
  const ended = bff.ended.then(() => true);
  const isAtPoint = await Promise.race([ended, sleep(pointTimeoutMs, false, { ref: false })]);
  if (!isAtPoint) bff.signal('SIGKILL');
  const end = await bff.ended;
  return end === 'SIGKILL' ? { isAtPoint } : { crash: `BFF ended with ${end}: ${bff.errors()}` };
}

/** Returns the number of crashes. */
async function crashServer({ getPostgres }: CampaignContext, signal: AbortSignal): Promise<number> {
  const postgres = await getPostgres();
  for (let crashes = 0; ; crashes += 1) {
    await sleep(serverCrashPauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return crashes;
    await postgres.crash();
    await postgres.start();
  }
}

const busy = { type: 'text/html', body: '<html><body>The server is busy</body></html>' };
const plans: readonly Plan[] = [
  { kind: 'cut-request', share: 0.5 },
  { kind: 'cut-request', share: 1 },
  { kind: 'cut-answer', bytes: 40 },
  { kind: 'stall', isProcessed: true },
  { kind: 'answer', status: 504, ...busy, isProcessed: true },
  { kind: 'answer', status: 502, ...busy, isProcessed: false },
];

function choosePlan(random: () => number): Plan {
  return random() < faultShare ? plans[Math.floor(random() * plans.length)]! : { kind: 'pass' };
}
