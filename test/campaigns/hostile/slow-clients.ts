// Runs hundreds of slow or hostile clients against a BFF process, together with honest applicants.

import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { readResidentBytes } from '../../../bench/memory.ts';
import { apiHeaders } from '../../../shared/api/paths.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import {
  createHonestApplicants,
  toPercentile,
  completeApplication,
  type HonestApplicants,
} from './honest-applicants.ts';
import type { SlowOrder, SlowTally } from './slow-clients-child.ts';

export const slowKinds = [
  'slow head',
  'slow form',
  'slow upload',
  'slow reader',
  'early close',
  'flood after a refusal',
  'idle',
  'half open',
] as const;

export type SlowKind = (typeof slowKinds)[number];

export interface SlowTarget {
  readonly port: number;
  /** Headers of the attackers' requests, without a cookie. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cookies of sessions with an application. */
  readonly cookies: readonly string[];
  /** The path with the longest response. */
  readonly longAnswer: string;
}

export interface SlowClientsOptions {
  /** Waves run one after another. */
  readonly waves: readonly SlowOrder['crowds'][];
  /** Duration of each wave. */
  readonly seconds: number;
  /** Honest applicants per second. */
  readonly applicantsPerSecond: number;
  /** Sessions of the slow clients, each with an application. */
  readonly slowSessions: number;
  /** `none by address` simulates slow clients from many addresses. */
  readonly limits: 'default' | 'none by address';
}

export interface Wave {
  readonly tallies: readonly SlowTally[];
  readonly journeys: number;
  /** The failed step of each incomplete journey. */
  readonly broken: readonly string[];
  /** Honest requests that were refused or unanswered, and sent again. */
  readonly retried: number;
  /** 95th percentile of honest requests. */
  readonly p95Ms: number;
  /** Peak memory of the BFF during the wave. */
  readonly peakBytes: number;
}

export interface SlowClients {
  readonly waves: readonly Wave[];
  /** Memory of the BFF before and after all waves. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** If true, the BFF is ready at the end. */
  readonly isReady: boolean;
}

const slowAddress = '203.0.113.66';
const memoryEveryMs = 250;
const longAnswer = '/widget/funding-application.js';

export async function runSlowClients(options: SlowClientsOptions): Promise<SlowClients> {
  const stack = await startStack({
    settings: { limits: toLimits(options.limits) },
    bff: { TRUSTED_PROXIES: '127.0.0.1 ::1', ALLOWED_ORIGINS: pageOrigin },
    sandbox: { SANDBOX_OFFER_DELAY_MS: '0' },
  });
  const applicants = createHonestApplicants(stack.bffUrl);
  try {
    const target = await prepareTarget(stack, applicants, options.slowSessions);
    const bytesBefore = readResidentBytes(stack.bffProcessId);
    const waves: Wave[] = [];
    for (const crowds of options.waves) {
      waves.push(await runWave({ target, crowds }, options, stack));
    }
    const bytesAfter = readResidentBytes(stack.bffProcessId);
    const isReady = (await fetch(`${stack.bffUrl}/readyz`)).ok;
    return { waves, bytesBefore, bytesAfter, isReady };
  } finally {
    await applicants.close();
    await stack.stop();
  }
}

/** The applicants submit faster than people. */
function toLimits(limits: SlowClientsOptions['limits']): object {
  if (limits === 'default') return { minimumFillSeconds: 0 };
  const { requestsAtOnce: _default, ...others } = unlimited;
  return others;
}

async function prepareTarget(
  stack: Stack,
  applicants: HonestApplicants,
  sessions: number,
): Promise<SlowTarget> {
  const cookies: string[] = [];
  for (let number = 0; number < sessions; number += 1) {
    const { applicant, cookie } = applicants.open(`Slow ${number} LLC`, slowAddress);
    await applicant.begin();
    const { outcome, responseStatus } = await applicant.submit(randomUUID());
    if (outcome !== 'ok') throw new Error(`A slow client could not submit: ${responseStatus}`);
    cookies.push(cookie());
  }
  return {
    port: Number(new URL(stack.bffUrl).port),
    headers: {
      origin: pageOrigin,
      'sec-fetch-site': 'same-site',
      'x-forwarded-for': slowAddress,
      [apiHeaders.request]: '1',
    },
    cookies,
    longAnswer,
  };
}

async function runWave(
  order: SlowOrder,
  { seconds, applicantsPerSecond }: SlowClientsOptions,
  { bffUrl, bffProcessId }: Stack,
): Promise<Wave> {
  const child = fork(join(import.meta.dirname, 'slow-clients-child.ts'), [JSON.stringify(order)], {
    execArgv: [],
  });
  let peakBytes = 0;
  const memory = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(bffProcessId));
  }, memoryEveryMs);
  const applicants = createHonestApplicants(bffUrl);
  try {
    await untilThere(child, order);
    const journeys: Promise<string | undefined>[] = [];
    for (let number = 0; number < seconds * applicantsPerSecond; number += 1) {
      journeys.push(completeApplication(applicants.open(`Good ${randomUUID()} LLC`)));
      await sleep(1_000 / applicantsPerSecond);
    }
    const ends = await Promise.all(journeys);
    return {
      tallies: await ask(child),
      journeys: ends.length,
      broken: ends.filter((end) => end !== undefined),
      retried: applicants.timings.filter(({ status = 503 }) => status === 429 || status === 503)
        .length,
      p95Ms: toPercentile(applicants.timings, 0.95) ?? Number.NaN,
      peakBytes,
    };
  } finally {
    clearInterval(memory);
    await applicants.close();
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

/** Resolves when every connection was opened or refused once. */
async function untilThere(child: ChildProcess, { crowds }: SlowOrder): Promise<void> {
  const wanted = crowds.reduce((sum, { connections }) => sum + connections, 0);
  for (;;) {
    const tallies = await ask(child);
    const tried = tallies.reduce((sum, { connected, failed }) => sum + connected + failed, 0);
    if (tried >= wanted) return;
    await sleep(50);
  }
}

async function ask(child: ChildProcess): Promise<readonly SlowTally[]> {
  const answer = once(child, 'message');
  child.send('count');
  const [tallies] = await answer;
  return tallies as readonly SlowTally[];
}
