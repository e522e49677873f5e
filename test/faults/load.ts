// Applicants who come one after the other, whatever happens to the BFF: each does what people do, and asks again when
// there was no answer.

import { setTimeout as sleep } from 'node:timers/promises';
import { createApplicant, createKey, type Applicant, type Send } from './applicant.ts';
import type { ClientCall, History } from './history.ts';

export interface LoadOptions {
  readonly send: Send;
  readonly history: History;
  /** New applicants a second; each makes about six requests. */
  readonly applicantsPerSecond: number;
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

export interface Load {
  /** How many applicants have come. */
  count(): number;
  /** Nobody comes any more; resolves when all are through. */
  stop(): Promise<void>;
}

const patience = 80;
/** Grows from one to the next, as the widget's do: hundreds who ask again at once would be another campaign. */
const pausesMs = [100, 200, 400, 800, 1_000] as const;

export function startLoad(options: LoadOptions): Load {
  const journeys = new Set<Promise<void>>();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const applicant = createApplicant({ ...options, name: `Applicant ${count} LLC` });
    const journey = travel(applicant, options.random).finally(() => journeys.delete(journey));
    journeys.add(journey);
  }, 1_000 / options.applicantsPerSecond);
  return {
    count: () => count,
    async stop() {
      clearInterval(timer);
      await Promise.all(journeys);
    },
  };
}

async function travel(applicant: Applicant, random: () => number): Promise<void> {
  const key = createKey();
  if (!(await begin(applicant))) return;
  if (random() < 0.3) await clickTwice(applicant, random() < 0.5 ? key : createKey(), key);
  const submitted = await insist(
    () => applicant.submit(key),
    () => begin(applicant),
  );
  if (submitted.outcome !== 'ok') return;
  const others = [
    () => applicant.upload(1),
    () => applicant.report(1),
    ...(random() < 0.3 ? [() => applicant.upload(2)] : []),
    ...(random() < 0.5 ? [() => applicant.contact()] : []),
    // The same once more, as after a reload.
    ...(random() < 0.2 ? [() => applicant.submit(key)] : []),
    ...(random() < 0.2 ? [() => applicant.upload(1)] : []),
  ];
  for (const act of others) await insist(act);
  if (random() < 0.3) await applicant.offers();
  await insist(() => applicant.poll());
}

async function clickTwice(applicant: Applicant, first: string, second: string): Promise<void> {
  await Promise.all([applicant.submit(first), applicant.submit(second)]);
}

async function begin(applicant: Applicant): Promise<boolean> {
  for (let tries = 0; tries < patience; tries += 1) {
    if (await applicant.begin()) return true;
    await pause(tries);
  }
  return false;
}

/** Until there is an answer; a session that is gone is begun anew. */
async function insist(
  act: () => Promise<ClientCall>,
  beginAgain: () => Promise<boolean> = async () => true,
): Promise<ClientCall> {
  let call = await act();
  for (let tries = 0; tries < patience; tries += 1) {
    if (call.told === 'session-missing') await beginAgain();
    else if (call.outcome !== 'info' && call.status !== 429) return call;
    await pause(tries);
    call = await act();
  }
  return call;
}

function pause(tries: number): Promise<void> {
  return sleep(pausesMs[Math.min(tries, pausesMs.length - 1)]);
}
