// A scenario that uses every feature of the store: lost answers, an erasure, and a process that pauses.

import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createKey } from '../../support/applicant.ts';
import type { Applicant } from './applicant.ts';
import type { Simulation } from './simulation.ts';

const lost: TransportResult = { kind: 'interrupted', failure: 'ECONNRESET' };
const refused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const createPath = '/creditapp';
const maxSendsInDoubt = 3;
/** Longer than any lease. */
const longPauseMs = 10 * 60_000;

export async function runScenario(simulation: Simulation): Promise<void> {
  await applyNormally(simulation);
  await applyTwice(simulation);
  await loseAnswerOfLead(simulation);
  await loseAnswersOfUpload(simulation);
  await loseEveryAnswerOfReport(simulation);
  await eraseWhileWaiting(simulation);
  await takeOverWhilePaused(simulation);
  await simulation.settle();
}

/** An applicant sends an application with all attachments. */
async function applyNormally(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Peaceful Bakery LLC');
  await applicant.submit(createKey());
  await applicant.upload(1);
  await applicant.report(1);
  await applicant.contact();
  await simulation.settle();
  await applicant.poll();
}

/** A double click, a repeat of the same request, and different answers under the same key. */
async function applyTwice(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Twofold Books LLC');
  const key = createKey();
  await Promise.all([applicant.submit(key), applicant.submit(createKey())]);
  await simulation.settle();
  await applicant.submit(key);
  await applicant.submit(key, { employees: 12 });
  await applicant.upload(1);
  await applicant.upload(1);
  await simulation.settle();
}

/** The funding service processes the next calls, and their responses are lost. */
function loseAnswers(simulation: Simulation, path: string, times: number): void {
  for (let time = 0; time < times; time += 1) {
    void simulation.interrupt(path, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
}

async function loseAnswerOfLead(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Lost Answer Garage LLC');
  loseAnswers(simulation, createPath, 1);
  await applicant.submit(createKey());
  await simulation.settle();
  await applicant.poll();
}

async function loseAnswersOfUpload(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unlucky Florist LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  loseAnswers(simulation, '/UploadFileApiV1', 2);
  await applicant.upload(1);
  await simulation.settle();
}

/** Delivery repeats until the row is held, and once more after the operator's `retry`. */
async function loseEveryAnswerOfReport(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unluckier Tailor LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  loseAnswers(simulation, '/asset-report/', maxSendsInDoubt);
  await applicant.report(1);
  await simulation.settle();
  await simulation.store.retryHeld();
  await simulation.settle();
}

/** The operator erases the application during an outage, then the funding service recovers. */
async function eraseWhileWaiting(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Second Thoughts Cafe LLC');
  void simulation.interrupt(createPath, async () => refused);
  const { reference = '' } = await applicant.submit(createKey());
  await simulation.deliverOnce();
  if ((await simulation.store.erase(reference)) === 'erased') {
    simulation.history.erasures.push({ reference, at: performance.now() });
  }
  await simulation.settle();
}

/** A process stops during a call for longer than its lease, another process takes over, then the first continues. */
async function takeOverWhilePaused(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Long Pause Studio LLC');
  let resume: () => void = () => undefined;
  const isUnderWay = simulation.interrupt(createPath, async () => {
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
    return lost;
  });
  await applicant.submit(createKey());
  const first = (
    await simulation.addBff((store) => ({ ...store, extendLease: async () => true }))
  ).delivery.runDue();
  await isUnderWay;
  simulation.time.advance(longPauseMs);
  await (await simulation.addBff()).delivery.runDue();
  resume();
  await first;
}

async function startSession(simulation: Simulation, name: string): Promise<Applicant> {
  const applicant = simulation.createApplicant(name);
  await applicant.begin();
  return applicant;
}
