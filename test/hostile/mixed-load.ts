// Two hundred requests a second of all kinds, real documents among them, before a BFF that runs as a process.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResidentBytes } from '../../bench/memory.ts';
import { createSandboxView, type SandboxView } from '../e2e/sandbox-view.ts';
import { pageOrigin, type Applicant } from '../faults/applicant.ts';
import { groupBy } from '../faults/group-by.ts';
import type { ClientCall } from '../faults/history.ts';
import { getLargePdf, getStatementPdf } from '../support/files.ts';
import { startStack } from '../support/stack.ts';
import { unlimited } from '../support/unlimited.ts';
import {
  createGoodCrowd,
  toPercentile,
  type GoodCrowd,
  type Timing,
  type Visitor,
} from './good-crowd.ts';

export interface MixedLoadOptions {
  readonly seconds: number;
  /** On average. */
  readonly requestsPerSecond: number;
}

export interface MixedLoad {
  readonly requests: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly applications: number;
  readonly documents: number;
  readonly documentBytes: number;
  /** By request, in milliseconds. */
  readonly p95Ms: Readonly<Record<string, number>>;
  /** Resident memory of the BFF: once it is warm, at most, and at the end. */
  readonly warmBytes: number;
  readonly mostBytes: number;
  readonly endBytes: number;
  /** What was not answered as it should be, and what the service does not have, or has twice. */
  readonly problems: readonly string[];
}

const mebibyte = 1024 * 1024;
/** On average, as `visit` goes. */
const requestsPerVisit = 18;
/** How often a page asks where things stand, after each step. */
const polls = 4;
/** One in so many visitors brings a large document. */
const largeEvery = 10;
const largeMebibytes = [1, 3, 5, 10] as const;
const memoryEveryMs = 250;
/** Of all samples of the memory: those at the beginning that are not counted, and those at the end. */
const warmShare = 0.25;
const idleTimeoutMs = 60_000;

export async function runMixedLoad(options: MixedLoadOptions): Promise<MixedLoad> {
  const documents = await readDocuments();
  const stack = await startStack({
    settings: { limits: unlimited },
    bff: { TRUSTED_PROXIES: '127.0.0.1 ::1', ALLOWED_ORIGINS: pageOrigin },
    sandbox: { SANDBOX_OFFER_DELAY_MS: '0' },
  });
  const crowd = createGoodCrowd(stack.bffUrl);
  const memory: number[] = [];
  const sampler = setInterval(() => {
    memory.push(readResidentBytes(stack.bffProcessId));
  }, memoryEveryMs);
  try {
    const startedAt = performance.now();
    const problems = await sendAll(options, crowd, documents);
    const seconds = (performance.now() - startedAt) / 1000;
    problems.push(...(await compare(crowd, createSandboxView(stack.sandboxUrl))));
    const uploads = listTaken(crowd, 'upload');
    return {
      requests: crowd.timings.length,
      seconds,
      applications: listTaken(crowd, 'submit').length,
      documents: uploads.length,
      documentBytes: documents.sentBytes(),
      p95Ms: toPercentiles(crowd.timings),
      ...describeMemory(memory),
      problems,
    };
  } finally {
    clearInterval(sampler);
    await crowd.close();
    await stack.stop();
  }
}

interface Documents {
  /** The next one for a visitor with this number. */
  take(number: number): Uint8Array<ArrayBuffer>;
  sentBytes(): number;
}

async function readDocuments(): Promise<Documents> {
  const read = async (path: string) => new Uint8Array(await readFile(path));
  const small = await read((await getStatementPdf()).path);
  const large: Uint8Array<ArrayBuffer>[] = [];
  for (const size of largeMebibytes)
    large.push(await read((await getLargePdf(size * mebibyte)).path));
  let bytes = 0;
  return {
    take(number) {
      const isLarge = number % largeEvery === 0;
      const file = (isLarge ? large[(number / largeEvery) % large.length] : undefined) ?? small;
      bytes += file.byteLength;
      return file;
    },
    sentBytes: () => bytes,
  };
}

/** Visitors come at their pace, however long the answers take. */
async function sendAll(
  { seconds, requestsPerSecond }: MixedLoadOptions,
  crowd: GoodCrowd,
  documents: Documents,
): Promise<string[]> {
  const problems: string[] = [];
  const perSecond = requestsPerSecond / requestsPerVisit;
  const visits: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < seconds * perSecond; number += 1) {
    const dueMs = startedAt + (number * 1_000) / perSecond - performance.now();
    if (dueMs > 0) await sleep(dueMs);
    visits.push(visit(crowd.open(`Load ${number} LLC`), number, documents, problems));
  }
  await Promise.all(visits);
  return problems;
}

async function visit(
  { applicant, configure }: Visitor,
  number: number,
  documents: Documents,
  problems: string[],
): Promise<void> {
  if (!(await configure())) problems.push('no configuration');
  if (!(await applicant.begin())) problems.push('no session');
  const wait = Array.from({ length: polls }, () => applicant.poll);
  const steps: (() => Promise<ClientCall>)[] = [
    () => applicant.submit(randomUUID()),
    ...wait,
    ...(number % 2 === 0 ? [() => applicant.upload(1, documents.take(number))] : []),
    ...wait,
    ...(number % 3 === 0 ? [() => applicant.report(1)] : []),
    ...(number % 3 === 1 ? [applicant.contact] : []),
    ...wait,
  ];
  for (const step of steps) {
    const { action, outcome, status, responseStatus } = await step();
    if (outcome !== 'ok')
      problems.push(`${action}: ${status ?? 'no answer'} ${responseStatus ?? ''}`);
  }
  await askForOffers(applicant, problems);
}

/** Once its application is accepted, as the page does. */
async function askForOffers(applicant: Applicant, problems: string[]): Promise<void> {
  const { responseStatus } = await applicant.poll();
  const status = responseStatus === 'accepted' ? await applicant.offers() : 200;
  if (status !== 200) problems.push(`offers: ${status ?? 'no answer'}`);
}

/** Everything that was taken is at the service, once; what is on its way is waited for. */
async function compare(crowd: GoodCrowd, sandbox: SandboxView): Promise<string[]> {
  const taken = listTaken(crowd, 'submit').map(({ reference = '' }) => reference);
  const uploads = listTaken(crowd, 'upload').length;
  const reports = listTaken(crowd, 'report').length;
  const givesUpAt = Date.now() + idleTimeoutMs;
  for (;;) {
    const there = (await sandbox.leads()).map(({ lead }) => String(lead['ID']));
    const counts = [
      ['applications', taken.length, there.length],
      ['documents', uploads, (await sandbox.documents()).length],
      ['reports', reports, (await sandbox.assetReports()).length],
    ] as const;
    const isAll = counts.every(([, given, kept]) => kept >= given);
    if (!isAll && Date.now() < givesUpAt) {
      await sleep(memoryEveryMs);
      continue;
    }
    const found = new Set(there);
    const missing = taken.filter((reference) => !found.has(reference));
    return [
      ...counts
        .filter(([, given, kept]) => kept !== given)
        .map(([what, given, kept]) => `${given} ${what} taken, ${kept} at the service`),
      ...(missing.length > 0 ? [`${missing.length} applications are not at the service`] : []),
    ];
  }
}

function listTaken({ history }: GoodCrowd, action: ClientCall['action']): readonly ClientCall[] {
  return history.calls.filter((call) => call.action === action && call.outcome === 'ok');
}

function toPercentiles(timings: readonly Timing[]): Readonly<Record<string, number>> {
  const requests = groupBy(timings, ({ request }) => request);
  return Object.fromEntries(
    [...requests].map(([request, own]) => [request, toPercentile(own, 0.95) ?? 0]),
  );
}

function describeMemory(
  samples: readonly number[],
): Pick<MixedLoad, 'warmBytes' | 'mostBytes' | 'endBytes'> {
  const part = Math.max(1, Math.floor(samples.length * warmShare));
  return {
    warmBytes: toMedian(samples.slice(part, 2 * part)),
    mostBytes: Math.max(...samples),
    endBytes: toMedian(samples.slice(-part)),
  };
}

function toMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
