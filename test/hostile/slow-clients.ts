// Slow and rude clients by the hundreds before a BFF that runs as a process, and beside them applicants who want to be served.

import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { readResidentBytes } from '../../bench/memory.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import { pageOrigin } from '../faults/applicant.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { unlimited } from '../support/unlimited.ts';
import { createGoodCrowd, toPercentile, travel, type GoodCrowd } from './good-crowd.ts';
import type { SlowOrder, SlowTally } from './slow-clients-child.ts';
import type { SlowTarget } from './slow-kinds.ts';

export interface SlowClientsOptions {
  /** One after the other. */
  readonly waves: readonly SlowOrder['crowds'][];
  /** How long each of them is there before, and while, good applicants come. */
  readonly seconds: number;
  /** Good applicants a second. */
  readonly applicantsPerSecond: number;
  /** Sessions of the slow, each with an application on file. */
  readonly slowSessions: number;
  /** `default`: those of an operator who sets none. `none by address`: the slow come from everywhere. */
  readonly limits: 'default' | 'none by address';
}

export interface Wave {
  readonly tallies: readonly SlowTally[];
  readonly journeys: number;
  /** Where each journey ended that did not come to its end. */
  readonly broken: readonly string[];
  /** Good requests that were turned away for a while, or got no answer: they were sent again. */
  readonly turnedAway: number;
  /** Of a good request, in milliseconds. */
  readonly p95Ms: number;
  /** Of the BFF, while they were there. */
  readonly mostBytes: number;
}

export interface SlowClients {
  readonly waves: readonly Wave[];
  /** Of the BFF, before and after all of it. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Whether the BFF is still the process it was, and ready. */
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
  const crowd = createGoodCrowd(stack.bffUrl);
  try {
    const target = await prepareTarget(stack, crowd, options.slowSessions);
    const bytesBefore = readResidentBytes(stack.bffProcessId);
    const waves: Wave[] = [];
    for (const crowds of options.waves) {
      waves.push(await runWave({ target, crowds }, options, stack));
    }
    const bytesAfter = readResidentBytes(stack.bffProcessId);
    const isReady = (await fetch(`${stack.bffUrl}/readyz`)).ok;
    return { waves, bytesBefore, bytesAfter, isReady };
  } finally {
    await crowd.close();
    await stack.stop();
  }
}

/** Nobody here takes four seconds to fill the form in. */
function toLimits(limits: SlowClientsOptions['limits']): object {
  if (limits === 'default') return { minimumFillSeconds: 0 };
  const { requestsAtOnce: _default, ...others } = unlimited;
  return others;
}

async function prepareTarget(
  stack: Stack,
  crowd: GoodCrowd,
  sessions: number,
): Promise<SlowTarget> {
  const cookies: string[] = [];
  for (let number = 0; number < sessions; number += 1) {
    const { applicant, cookie } = crowd.open(`Slow ${number} LLC`, slowAddress);
    await applicant.begin();
    const { outcome, told } = await applicant.submit(randomUUID());
    if (outcome !== 'ok') throw new Error(`The slow have no application: ${told}`);
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
  let mostBytes = 0;
  const memory = setInterval(() => {
    mostBytes = Math.max(mostBytes, readResidentBytes(bffProcessId));
  }, memoryEveryMs);
  const crowd = createGoodCrowd(bffUrl);
  try {
    await untilThere(child, order);
    const journeys: Promise<string | undefined>[] = [];
    for (let number = 0; number < seconds * applicantsPerSecond; number += 1) {
      journeys.push(travel(crowd.open(`Good ${randomUUID()} LLC`)));
      await sleep(1_000 / applicantsPerSecond);
    }
    const ends = await Promise.all(journeys);
    return {
      tallies: await ask(child),
      journeys: ends.length,
      broken: ends.filter((end) => end !== undefined),
      turnedAway: crowd.timings.filter(({ status = 503 }) => status === 429 || status === 503)
        .length,
      p95Ms: toPercentile(crowd.timings, 0.95) ?? Number.NaN,
      mostBytes,
    };
  } finally {
    clearInterval(memory);
    await crowd.close();
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

/** Until every connection was made once, or was refused. */
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
