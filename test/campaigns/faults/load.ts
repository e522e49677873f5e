// Applicants who arrive at a steady rate, independent of the state of the BFF. Each applicant repeats a request that got no
// response.

import { setTimeout as sleep } from 'node:timers/promises';
import { createKey, type Send } from '../../support/applicant.ts';
import { createApplicant, type Applicant } from './applicant.ts';
import type { ClientCall, History } from './history.ts';

export interface LoadOptions {
  readonly send: Send;
  readonly history: History;
  /** New applicants per second. Each makes about six requests. */
  readonly applicantsPerSecond: number;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** The document of the applicant with this number. Default: a small one. */
  readonly chooseDocument?: (number: number) => Uint8Array;
}

const maxTries = 80;
/** The delay grows with each repeat, as in the element. Without it, hundreds of applicants would retry at once. */
const retryDelaysMs = [100, 200, 400, 800, 1_000] as const;

export function startLoad(options: LoadOptions) {
  const journeys = new Set<Promise<void>>();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const applicant = createApplicant({ ...options, name: `Applicant ${count} LLC` });
    const journey = travel(applicant, options.random, options.chooseDocument?.(count)).finally(() =>
      journeys.delete(journey),
    );
    journeys.add(journey);
  }, 1_000 / options.applicantsPerSecond);
  return {
    /** Number of applicants so far. */
    count: () => count,
    /** Stops new applicants. Resolves when all applicants are finished. */
    async stop() {
      clearInterval(timer);
      await Promise.all(journeys);
    },
  };
}

async function travel(
  applicant: Applicant,
  random: () => number,
  document?: Uint8Array,
): Promise<void> {
  const key = createKey();
  if (!(await begin(applicant))) return;
  if (random() < 0.3) {
    // Clicks twice, or in two tabs.
    const otherKey = random() < 0.5 ? key : createKey();
    await Promise.all([applicant.submit(otherKey), applicant.submit(key)]);
  }
  const submitted = await repeatUntilResponse(
    () => applicant.submit(key),
    () => begin(applicant),
  );
  if (submitted.outcome !== 'ok') return;
  const others = [
    () => applicant.upload(1, document),
    () => applicant.report(1),
    ...(random() < 0.3 ? [() => applicant.upload(2)] : []),
    ...(random() < 0.5 ? [() => applicant.contact()] : []),
    // Submits again with the same key, as after a reload.
    ...(random() < 0.2 ? [() => applicant.submit(key)] : []),
    ...(random() < 0.2 ? [() => applicant.upload(1, document)] : []),
  ];
  for (const act of others) await repeatUntilResponse(act);
  if (random() < 0.3) await applicant.offers();
  await repeatUntilResponse(() => applicant.poll());
}

async function begin(applicant: Applicant): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await applicant.begin()) return true;
    await pause(tries);
  }
  return false;
}

/** Repeats until there is a response. Starts a new session when the session expired. */
async function repeatUntilResponse(
  act: () => Promise<ClientCall>,
  beginAgain: () => Promise<boolean> = async () => true,
): Promise<ClientCall> {
  let call = await act();
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (call.responseStatus === 'session-missing') await beginAgain();
    else if (call.outcome !== 'info' && call.status !== 429) return call;
    await pause(tries);
    call = await act();
  }
  return call;
}

function pause(tries: number): Promise<void> {
  return sleep(retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)]);
}
