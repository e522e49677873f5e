// One scenario that uses every feature of the store. With a seeded bug, the checker must report a violation.

import type { TransportResult } from '../../bff/funding-service/transport.ts';
import { createKey, type Applicant } from './applicant.ts';
import type { Decoration, World } from './world.ts';

const lost: TransportResult = { kind: 'interrupted', failure: 'ECONNRESET' };
const refused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const createPath = '/creditapp';
const uploadPath = '/UploadFileApiV1';
const reportPath = '/asset-report/';
const maxSendsInDoubt = 3;
/** Longer than any lease. */
const longPauseMs = 10 * 60_000;

export async function runScenario(world: World): Promise<void> {
  await applyNormally(world);
  await applyTwice(world);
  await loseAnswerOfLead(world);
  await loseAnswersOfUpload(world);
  await loseEveryAnswerOfReport(world);
  await eraseWhileWaiting(world);
  await takeOverWhilePaused(world);
  await world.settle();
}

/** An applicant sends an application with all attachments. */
async function applyNormally(world: World): Promise<void> {
  const applicant = await startSession(world, 'Peaceful Bakery LLC');
  await applicant.submit(createKey());
  await applicant.upload(1);
  await applicant.report(1);
  await applicant.contact();
  await world.settle();
  await applicant.poll();
}

/** A double click, a repeat of the same request, and different answers under the same key. */
async function applyTwice(world: World): Promise<void> {
  const applicant = await startSession(world, 'Twofold Books LLC');
  const key = createKey();
  await Promise.all([applicant.submit(key), applicant.submit(createKey())]);
  await world.settle();
  await applicant.submit(key);
  await applicant.submit(key, { employees: 12 });
  await applicant.upload(1);
  await applicant.upload(1);
  await world.settle();
}

/** The funding service creates the lead, and its response is lost. */
async function loseAnswerOfLead(world: World): Promise<void> {
  const applicant = await startSession(world, 'Lost Answer Garage LLC');
  void world.interrupt(createPath, async (_request, pass) => {
    await pass();
    return lost;
  });
  await applicant.submit(createKey());
  await world.settle();
  await applicant.poll();
}

async function loseAnswersOfUpload(world: World): Promise<void> {
  const applicant = await startSession(world, 'Unlucky Florist LLC');
  await applicant.submit(createKey());
  await world.settle();
  for (let times = 0; times < 2; times += 1) {
    void world.interrupt(uploadPath, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
  await applicant.upload(1);
  await world.settle();
}

/** Delivery repeats until the row is held, and once more after the operator's `retry`. */
async function loseEveryAnswerOfReport(world: World): Promise<void> {
  const applicant = await startSession(world, 'Unluckier Tailor LLC');
  await applicant.submit(createKey());
  await world.settle();
  for (let times = 0; times < maxSendsInDoubt; times += 1) {
    void world.interrupt(reportPath, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
  await applicant.report(1);
  await world.settle();
  await world.store.retryHeld();
  await world.settle();
}

/** The operator erases the application during an outage, then the funding service recovers. */
async function eraseWhileWaiting(world: World): Promise<void> {
  const applicant = await startSession(world, 'Second Thoughts Cafe LLC');
  void world.interrupt(createPath, async () => refused);
  const { reference = '' } = await applicant.submit(createKey());
  for (const bff of world.bffs) await bff.delivery.runDue();
  if ((await world.store.erase(reference)) === 'erased') {
    world.history.erasures.push({ reference, at: performance.now() });
  }
  await world.settle();
}

/** A process stops during a call for longer than its lease, another process takes over, then the first continues. */
async function takeOverWhilePaused(world: World): Promise<void> {
  const paused: Decoration = {
    ...world.decoration,
    store: (store, context) => ({
      ...(world.decoration.store?.(store, context) ?? store),
      extendLease: async () => undefined,
    }),
  };
  const applicant = await startSession(world, 'Long Pause Studio LLC');
  let resume: () => void = () => undefined;
  const isUnderWay = world.interrupt(createPath, async () => {
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
    return lost;
  });
  await applicant.submit(createKey());
  const first = world.addBff(paused).delivery.runDue();
  await isUnderWay;
  world.time.advance(longPauseMs);
  await world.addBff().delivery.runDue();
  resume();
  await first;
}

async function startSession(world: World, name: string): Promise<Applicant> {
  const applicant = world.createApplicant(name);
  await applicant.begin();
  return applicant;
}
