// Runs hundreds of slow or hostile clients against a BFF process, together with honest applicants, each from its own address.

import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../../bench/goals.ts';
import { readResidentBytes } from '../../../bench/memory.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createBrowser, createHttpSender, createKey, pageOrigin } from '../../support/applicant.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import { above, type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createApplicant } from '../faults/applicant.ts';
import { type ClientCall, createHistory } from '../faults/history.ts';
import type { SlowOrder, SlowTally } from './slow-clients-child.ts';

const slowKinds = [
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

const slowSessions = 20;
const applicantsPerSecond = 5;
const slowAddress = '203.0.113.66';
const mebibyte = 2 ** 20;
const memoryEveryMs = 250;

/** Without limits by address, as from many addresses: 1,000 connections of each kind, one kind after another, after a wave without slow clients. */
export function runSlowKinds(context: CampaignContext): Promise<CampaignRow> {
  const { requestsAtOnce: _default, ...limits } = unlimited;
  const connections = scale(1_000, context.share, 25);
  return runWaves(context, limits, [[], ...slowKinds.map((kind) => [{ kind, connections }])]);
}

/** With default limits: 1,000 connections of all kinds together, from one address. The applicants submit faster than people. */
export function runSlowAddress(context: CampaignContext): Promise<CampaignRow> {
  const connections = Math.ceil(scale(1_000, context.share) / slowKinds.length);
  const crowds = slowKinds.map((kind) => ({ kind, connections }));
  return runWaves(context, { minimumFillSeconds: 0 }, [[], crowds]);
}

async function runWaves(
  { share }: CampaignContext,
  limits: object,
  orders: readonly SlowOrder['crowds'][],
): Promise<CampaignRow> {
  const stack = await startStack({
    settings: { limits },
    bff: { TRUSTED_PROXIES: '127.0.0.1 ::1', ALLOWED_ORIGINS: pageOrigin },
    sandbox: { SANDBOX_OFFER_DELAY_MS: '0' },
  });
  try {
    const target = await prepareTarget(stack);
    const before = readMebibytes(stack);
    const waves: Wave[] = [];
    const seconds = scale(20, share, 5);
    for (const crowds of orders) waves.push(await runWave({ target, crowds }, seconds, stack));
    const after = readMebibytes(stack);
    const isReady = (await fetch(`${stack.bffUrl}/readyz`)).ok;
    return {
      runs: waves.reduce((sum, { journeys }) => sum + journeys, 0),
      unit: 'honest applicants',
      notes: [...waves.map(describeWave), `memory ${before} MiB before, ${after} after`].join('; '),
      problems: [
        ...waves.flatMap((wave) => findProblems(wave, share === 1)),
        ...(isReady ? [] : ['the BFF is not ready any more']),
      ],
    };
  } finally {
    await stack.stop();
  }
}

async function prepareTarget({ bffUrl }: Stack): Promise<SlowTarget> {
  const visitors = createVisitors(bffUrl);
  const cookies: string[] = [];
  for (let number = 0; number < slowSessions; number += 1) {
    const visitor = visitors.open(slowAddress);
    await visitor.applicant.begin();
    const { outcome, responseStatus } = await visitor.applicant.submit(randomUUID());
    if (outcome !== 'ok') throw new Error(`A slow client could not submit: ${responseStatus}`);
    cookies.push(visitor.cookie());
  }
  await visitors.close();
  return {
    port: Number(new URL(bffUrl).port),
    headers: {
      origin: pageOrigin,
      'sec-fetch-site': 'same-site',
      'x-forwarded-for': slowAddress,
      [apiHeaders.request]: '1',
    },
    cookies,
    longAnswer: '/widget/funding-application.js',
  };
}

type Wave = Awaited<ReturnType<typeof runWave>>;

async function runWave(order: SlowOrder, seconds: number, stack: Stack) {
  const program = join(import.meta.dirname, 'slow-clients-child.ts');
  const child = fork(program, [JSON.stringify(order)], { execArgv: [] });
  let peakMebibytes = 0;
  const sampler = setInterval(() => {
    peakMebibytes = Math.max(peakMebibytes, readMebibytes(stack));
  }, memoryEveryMs);
  const visitors = createVisitors(stack.bffUrl);
  try {
    await untilConnected(child, order);
    const journeys: Promise<string | undefined>[] = [];
    for (let number = 0; number < seconds * applicantsPerSecond; number += 1) {
      journeys.push(completeApplication(visitors.open()));
      await sleep(1_000 / applicantsPerSecond);
    }
    const ends = await Promise.all(journeys);
    const [kind = 'nobody', ...others] = order.crowds.map((crowd) => crowd.kind);
    return {
      name: others.length > 0 ? 'all kinds' : kind,
      tallies: await ask(child),
      journeys: ends.length,
      /** The failed step of each incomplete journey. */
      broken: ends.filter((end) => end !== undefined),
      /** Of the duration of honest requests. */
      p95Ms: Math.round(
        quantile(
          visitors.times.toSorted((a, b) => a - b),
          0.95,
        ),
      ),
      /** Peak memory of the BFF during the wave. */
      peakMebibytes,
    };
  } finally {
    clearInterval(sampler);
    await visitors.close();
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

function describeWave({ name, journeys, broken, p95Ms, peakMebibytes }: Wave): string {
  return `${name}: ${journeys - broken.length} of ${journeys} honest, p95 ${p95Ms} ms, ${peakMebibytes} MiB`;
}

/** @param isMeasured of the times: a sample has other work beside it. */
function findProblems({ name, ...wave }: Wave, isMeasured: boolean): string[] {
  const { broken, journeys, tallies, p95Ms, peakMebibytes } = wave;
  const flood = tallies.find(({ kind }) => kind === 'flood after a refusal');
  const problems = [
    ...(broken.length > journeys / 100
      ? [`${broken.length} failed (${[...new Set(broken)].join()})`]
      : []),
    ...(tallies.some(({ connected, failed }) => connected === 0 || failed > connected)
      ? ['the slow clients could not connect']
      : []),
    // The server does not wait for refused bodies.
    ...(flood && !(flood.answers['413'] && flood.ended) ? ['the flood was not ended'] : []),
    // About 1,000 on an idle machine.
    ...(isMeasured ? above(p95Ms, 2_000, 'ms (p95)') : []),
    ...above(peakMebibytes, 768, 'MiB'),
  ];
  return problems.map((problem) => `${name}: ${problem}`);
}

function readMebibytes({ bffProcessId }: Stack): number {
  return Math.round(readResidentBytes(bffProcessId) / mebibyte);
}

/** Resolves when every connection was opened or refused once. */
async function untilConnected(child: ChildProcess, { crowds }: SlowOrder): Promise<void> {
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

type Visitors = ReturnType<typeof createVisitors>;
type Visitor = ReturnType<Visitors['open']>;

/** Each has its own address, and the BFF trusts `X-Forwarded-For` from the loopback address. */
function createVisitors(bffUrl: string) {
  const sender = createHttpSender([bffUrl]);
  const times: number[] = [];
  let count = 0;
  return {
    /** The duration of every request, in milliseconds. */
    times,
    open(address = `198.18.${count >> 8}.${count & 255}`) {
      count += 1;
      let cookie = '';
      const send: typeof sender.send = async (request) => {
        const startedAt = performance.now();
        cookie = request.headers['cookie'] ?? cookie;
        const headers = { ...request.headers, 'x-forwarded-for': address };
        try {
          return await sender.send({ ...request, headers });
        } finally {
          times.push(performance.now() - startedAt);
        }
      };
      const name = `Visitor ${randomUUID()} LLC`;
      const applicant = createApplicant({ name, send, history: createHistory() });
      return { applicant, browser: createBrowser({ send }), cookie: () => cookie };
    },
    close: sender.close,
  };
}

/** Runs all steps from the configuration to the first status. Resolves to the failed step, or undefined on success. */
async function completeApplication({ applicant, browser }: Visitor): Promise<string | undefined> {
  const key = createKey();
  const configure = async () => {
    const answer = await browser.send('GET', apiPaths.configuration).catch(() => undefined);
    return answer?.status === 200;
  };
  if (!(await retryWhile((isLoaded) => !isLoaded, configure))) return 'configuration';
  if (!(await retryWhile((hasBegun) => !hasBegun, applicant.begin))) return 'session';
  const steps = [() => applicant.submit(key), () => applicant.upload(1), () => applicant.poll()];
  for (const step of steps) {
    const { outcome, action, status, responseStatus } = await retryWhile(isTemporary, step);
    if (outcome !== 'ok') return `${action}: ${status ?? 'no answer'} ${responseStatus ?? ''}`;
  }
  return undefined;
}

const retryDelayMs = 2_000;
const maxRetries = 6;

/** Repeats a step as the element or its user does while the BFF has no capacity. */
async function retryWhile<Answer>(
  shouldRetry: (answer: Answer) => boolean,
  act: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await act();
  for (let tries = 0; tries < maxRetries && shouldRetry(answer); tries += 1) {
    await sleep(retryDelayMs);
    answer = await act();
  }
  return answer;
}

/** A request without a response can be repeated with the same idempotency key, but an upload has no key. */
function isTemporary({ responseStatus, outcome, action }: ClientCall): boolean {
  const isLost = outcome === 'info' && responseStatus === undefined && action !== 'upload';
  return isLost || responseStatus === 'too-busy' || responseStatus === 'too-many-requests';
}
