// SIGKILLs under load: BFF processes kill themselves at one named point after another and start again, while applicants
// keep applying.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { deliveryKinds } from '../../../bff/store/store.ts';
import { createRandom } from '../../support/random.ts';
import { startCampaignBff, type CampaignBff, type KillOrder } from './bff-child.ts';
import { type CampaignResult, type Evidence, findViolations, toResult } from './invariants.ts';
import type { Plan } from './fault-proxy.ts';
import { createHistory } from './history.ts';
import { startEventReceiver } from './event-receiver.ts';
import { listKillPoints } from './kill-points.ts';
import { startLoad } from './load.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { createHttpSender } from '../../support/applicant.ts';
import { startServiceHost } from './recorded-service.ts';
import { createStorage, readEnd, type Engine } from './storage.ts';

export interface KillCampaignOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  /** Default true: see `startCampaignBff`. */
  readonly inspects?: boolean;
  readonly engine: Engine;
  readonly postgresUrl?: string | undefined;
  /** Number of SIGKILLs. */
  readonly kills: number;
  /** Where processes are killed. Default: all points of the engine. */
  readonly points?: readonly string[];
  /** BFF processes on one store; more than one on PostgreSQL only. Default: 1. */
  readonly processes?: number;
  /** Default: 4, about 20 requests per second. */
  readonly applicantsPerSecond?: number;
  /** Share of calls to the funding service that get a fault. Default: 0.03. */
  readonly faultShare?: number;
  /** Runs during the campaign, for example to crash the database. With it, a BFF may fail to start. */
  readonly meanwhile?: (signal: AbortSignal) => Promise<void>;
  readonly seed?: number;
}

export interface KillCampaignResult extends CampaignResult {
  /** Named points at which a process was killed. */
  readonly points: readonly string[];
  /** Processes that were killed from outside because they did not reach their point in time. */
  readonly randomKills: number;
  readonly slowestStartMs: number;
  /** Error output of processes that ended on their own. Expected to be empty. */
  readonly crashes: readonly string[];
}

/**
 * After this time, a process that has not reached its point is killed. Long enough for the rarest point (about one applicant
 * per second reads offers) on a busy machine.
 */
const pointTimeoutMs = 5_000;
/** A process reaches other points several times per second; it logs in once. */
const rarePoint = /token|contact|pre-approval-offer/;
const startPauseMs = 300;
/** Longer than any retry delay. */
const settleTimeoutMs = 45_000;

export async function runKillCampaign(options: KillCampaignOptions): Promise<KillCampaignResult> {
  const { program, kills, processes = 1, applicantsPerSecond = 4, faultShare = 0.03 } = options;
  const random = createRandom(options.seed ?? 1);
  const storage = await createStorage(options);
  const service = await startServiceHost({ choose: () => choosePlan(random, faultShare) });
  const ports = await findFreePorts(processes);
  const targets = ports.map((port) => `http://localhost:${port}`);
  const sender = createHttpSender(targets);
  const history = createHistory();
  const receiver = await startEventReceiver(random, faultShare);
  const tally = createTally(kills, options.points ?? listKillPoints(options.engine), random);
  const start = (port: number, kill?: KillOrder) =>
    startCampaignBff({
      program,
      port,
      kill,
      inspects: options.inspects,
      // Some processes end between the upload of a document and its delivery.
      undoSeconds: 1,
      databaseUrl: storage.url,
      serviceUrl: service.proxy.url,
      webhookUrl: receiver.url,
    });

  const stopping = new AbortController();
  const meanwhile = options.meanwhile?.(stopping.signal);
  const load = startLoad({ send: sender.send, history, applicantsPerSecond, random });
  const mayFailToStart = meanwhile !== undefined;
  await Promise.all(
    ports.map((port) => killAgainAndAgain((kill) => start(port, kill), tally, mayFailToStart)),
  );
  stopping.abort();
  await meanwhile;

  const last = ports.map((port) => start(port));
  for (const bff of last) tally.noteStart(await bff.ready, bff);
  await load.stop();
  await storage.inspect(waitUntilSettled);
  await stopAll(last);
  await sender.close();
  const evidence: Evidence = {
    ...(await storage.inspect(readEnd)),
    history,
    ledger: service.readLedger(),
    events: receiver.arrived,
  };
  if (receiver.forged.length > 0) throw new Error('A webhook had no valid signature');
  await receiver.close();
  await service.close();
  await storage.remove();
  return { ...toResult(evidence, findViolations(evidence)), ...tally.read() };
}

interface Tally {
  /** Returns `undefined` when the number of kills is reached. */
  next(): KillOrder | undefined;
  noteStart(readyMs: number | undefined, bff: CampaignBff): void;
  noteEnd(order: KillOrder, end: End): void;
  read(): Omit<KillCampaignResult, keyof CampaignResult> & Pick<CampaignResult, 'runs'>;
}

/** Uses all points in random order, repeatedly. */
function createTally(kills: number, allPoints: readonly string[], random: () => number): Tally {
  const points = new Set<string>();
  const crashes: string[] = [];
  let queue: string[] = [];
  let begun = 0;
  let ended = 0;
  let randomKills = 0;
  let slowestStartMs = 0;
  return {
    next() {
      if (begun >= kills) return undefined;
      begun += 1;
      if (queue.length === 0) queue = shuffle(allPoints, random);
      const point = queue.pop() ?? '';
      return { point, occurrence: rarePoint.test(point) ? 1 : 1 + Math.floor(random() * 4) };
    },
    noteStart(readyMs, bff) {
      if (readyMs === undefined) throw new Error(`BFF did not start: ${bff.errors()}`);
      slowestStartMs = Math.max(slowestStartMs, Math.round(readyMs));
    },
    noteEnd({ point }, end) {
      ended += 1;
      if (end === 'at its point') points.add(point);
      else if (end === 'elsewhere') randomKills += 1;
      else crashes.push(end.crash);
    },
    read: () => ({
      points: [...points].toSorted(),
      randomKills,
      slowestStartMs,
      crashes,
      runs: ended,
    }),
  };
}

/** Starts one process after the other. Each process runs until it is killed. */
async function killAgainAndAgain(
  start: (kill: KillOrder) => CampaignBff,
  tally: Tally,
  mayFailToStart: boolean,
): Promise<void> {
  for (let order = tally.next(); order; order = tally.next()) {
    const kill = order;
    const { bff, readyMs } = await startUntilReady(() => start(kill), mayFailToStart);
    if (readyMs !== undefined) tally.noteStart(readyMs, bff);
    tally.noteEnd(order, await endAtPoint(bff));
  }
}

/** `readyMs` is undefined when the process was killed before it was ready. */
async function startUntilReady(
  start: () => CampaignBff,
  mayFail: boolean,
): Promise<{ readonly bff: CampaignBff; readonly readyMs: number | undefined }> {
  for (;;) {
    const bff = start();
    const readyMs = await bff.ready;
    const hasFailed = readyMs === undefined && (await bff.ended) !== 'SIGKILL';
    if (!hasFailed || !mayFail) return { bff, readyMs };
    await sleep(startPauseMs);
  }
}

type End = 'at its point' | 'elsewhere' | { readonly crash: string };

/** Kills the process when it does not reach its point in time. */
async function endAtPoint(bff: CampaignBff): Promise<End> {
  const isInTime = await Promise.race([
    bff.ended.then(() => true),
    sleep(pointTimeoutMs, false, { ref: false }),
  ]);
  if (!isInTime) bff.signal('SIGKILL');
  const end = await bff.ended;
  if (end !== 'SIGKILL') return { crash: `BFF ended with ${end}: ${bff.errors()}` };
  return isInTime ? 'at its point' : 'elsewhere';
}

async function stopAll(children: readonly CampaignBff[]): Promise<void> {
  for (const bff of children) {
    bff.signal('SIGTERM');
    const end = await bff.ended;
    if (end !== '0') throw new Error(`BFF stopped with ${end}: ${bff.errors()}`);
  }
}

/**
 * Waits until no delivery is due and all events are sent. Returns when no row changed for `settleTimeoutMs`; the checker reports the
 * open rows.
 */
export async function waitUntilSettled(database: Database): Promise<void> {
  const store = createStore(database);
  let [states, since] = ['', performance.now()];
  while (performance.now() - since < settleTimeoutMs) {
    // The deliveries first: one that ends after the events were counted adds another event.
    const isDelivered = (await store.findNextDueMs(deliveryKinds)) === undefined;
    const events = await store.countEvents();
    if (isDelivered && events.every(({ pending }) => pending === 0)) return;
    const now = JSON.stringify([await store.countStates(), events]);
    if (now !== states) [states, since] = [now, performance.now()];
    await sleep(200);
  }
}

function choosePlan(random: () => number, faultShare: number): Plan {
  if (random() >= faultShare) return { kind: 'pass' };
  const plans: readonly Plan[] = [
    { kind: 'cut-request', share: 0.5 },
    { kind: 'cut-request', share: 1 },
    { kind: 'cut-answer', bytes: 40 },
    { kind: 'stall', isProcessed: true },
    { kind: 'answer', text: toHtml(504), isProcessed: true },
    { kind: 'answer', text: toHtml(502), isProcessed: false },
  ];
  return plans[Math.floor(random() * plans.length)] ?? { kind: 'pass' };
}

function toHtml(status: number): string {
  const page = '<html><body>The server is busy</body></html>';
  return `HTTP/1.1 ${status} Error\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`;
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
