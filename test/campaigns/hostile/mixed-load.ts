// Sends 200 requests per second of all kinds, including real documents, to a BFF process.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResidentBytes } from '../../../bench/memory.ts';
import type { CampaignContext, CampaignRow } from '../campaign.ts';
import { createSandboxView, type SandboxView } from '../../e2e/sandbox-view.ts';
import { pageOrigin } from '../../support/applicant.ts';
import type { Applicant } from '../faults/applicant.ts';
import { groupBy } from '../../support/group-by.ts';
import type { ClientCall } from '../faults/history.ts';
import { getLargePdf, getStatementPdf } from '../../support/files/realistic-files.ts';
import { startStack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import {
  createHonestApplicants,
  toPercentile,
  type HonestApplicants,
  type Timing,
  type Visitor,
} from './honest-applicants.ts';

export interface MixedLoadOptions {
  readonly seconds: number;
  /** Average. */
  readonly requestsPerSecond: number;
}

export interface MixedLoad {
  readonly requests: number;
  /** From the first request to the last response. */
  readonly seconds: number;
  readonly applications: number;
  readonly documents: number;
  readonly documentBytes: number;
  /** The 95th percentile of the duration, for each kind of request. */
  readonly p95Ms: Readonly<Record<string, number>>;
  /** Resident memory of the BFF: after the warm-up, peak, and at the end. */
  readonly warmBytes: number;
  readonly peakBytes: number;
  readonly endBytes: number;
  /** Failed requests, and items that the funding service received never or twice. */
  readonly problems: readonly string[];
}

const mebibyte = 1024 * 1024;
/** A process that retains memory of every request grows by more than this in a minute of 12,000 requests. */
const maxGrowthBytes = 96 * mebibyte;
const maxBytes = 512 * mebibyte;
/** Average of `visit`. */
const requestsPerVisit = 18;
/** Status requests after each step. */
const pollsPerStep = 4;
/** Every tenth visitor sends a large document. */
const largeEvery = 10;
const largeMebibytes = [1, 3, 5, 10] as const;
const memoryEveryMs = 250;
/** Share of the memory samples that is ignored at the start, and that is averaged after the warm-up and at the end. */
const sampleShare = 0.25;
const idleTimeoutMs = 60_000;

export async function runMixedLoad(options: MixedLoadOptions): Promise<MixedLoad> {
  const documents = await readDocuments();
  const stack = await startStack({
    settings: { limits: unlimited, documents: { undoSeconds: 0 } },
    bff: { TRUSTED_PROXIES: '127.0.0.1 ::1', ALLOWED_ORIGINS: pageOrigin },
    sandbox: { SANDBOX_OFFER_DELAY_MS: '0' },
  });
  const applicants = createHonestApplicants(stack.bffUrl);
  const memory: number[] = [];
  const sampler = setInterval(() => {
    memory.push(readResidentBytes(stack.bffProcessId));
  }, memoryEveryMs);
  try {
    const startedAt = performance.now();
    const problems = await sendAll(options, applicants, documents);
    const seconds = (performance.now() - startedAt) / 1000;
    problems.push(...(await checkDeliveries(applicants, createSandboxView(stack.sandboxUrl))));
    const uploads = listAccepted(applicants, 'upload');
    return {
      requests: applicants.timings.length,
      seconds,
      applications: listAccepted(applicants, 'submit').length,
      documents: uploads.length,
      documentBytes: documents.sentBytes(),
      p95Ms: toPercentiles(applicants.timings),
      ...describeMemory(memory),
      problems,
    };
  } finally {
    clearInterval(sampler);
    await applicants.close();
    await stack.stop();
  }
}

/** The campaign: one minute, with response times and the memory of the BFF. */
export async function runLoad({ share }: CampaignContext): Promise<CampaignRow> {
  const seconds = Math.max(10, Math.round(60 * share));
  const result = await runMixedLoad({ seconds, requestsPerSecond: 200 });
  const isGrowing = result.endBytes - result.warmBytes > maxGrowthBytes;
  const times = Object.entries(result.p95Ms).map(([request, ms]) => `${request} ${ms}`);
  const [warm, peak, end] = [result.warmBytes, result.peakBytes, result.endBytes].map(toMebibytes);
  return {
    engine: 'SQLite',
    runs: `${result.requests} requests`,
    acknowledged: result.applications,
    notes: [
      `${Math.round(result.requests / result.seconds)} per second`,
      `${result.documents} documents, ${toMebibytes(result.documentBytes)} MiB`,
      `p95 in ms: ${times.join(', ')}`,
      `memory ${warm} MiB after the warm-up, ${peak} MiB peak, ${end} MiB at the end`,
    ].join('; '),
    problems: [
      ...new Set(result.problems),
      ...(isGrowing ? ['the memory grows'] : []),
      ...(result.peakBytes > maxBytes ? [`${toMebibytes(result.peakBytes)} MiB of memory`] : []),
    ],
  };
}

interface Documents {
  /** Returns the document of the visitor with this number. */
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

/** Starts visits at a constant rate, regardless of response times. */
async function sendAll(
  { seconds, requestsPerSecond }: MixedLoadOptions,
  applicants: HonestApplicants,
  documents: Documents,
): Promise<string[]> {
  const problems: string[] = [];
  const perSecond = requestsPerSecond / requestsPerVisit;
  const visits: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < seconds * perSecond; number += 1) {
    const dueMs = startedAt + (number * 1_000) / perSecond - performance.now();
    if (dueMs > 0) await sleep(dueMs);
    visits.push(visit(applicants.open(`Load ${number} LLC`), number, documents, problems));
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
  const wait = Array.from({ length: pollsPerStep }, () => applicant.poll);
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
  await requestOffers(applicant, problems);
}

/** Requests offers once the application is accepted, as the element does. */
async function requestOffers(applicant: Applicant, problems: string[]): Promise<void> {
  const { responseStatus } = await applicant.poll();
  const status = responseStatus === 'accepted' ? await applicant.offers() : 200;
  if (status !== 200) problems.push(`offers: ${status ?? 'no answer'}`);
}

/** Waits for pending deliveries, and checks that the funding service received each accepted item once. */
async function checkDeliveries(
  applicants: HonestApplicants,
  sandbox: SandboxView,
): Promise<string[]> {
  const accepted = listAccepted(applicants, 'submit').map(({ reference = '' }) => reference);
  const uploads = listAccepted(applicants, 'upload').length;
  const reports = listAccepted(applicants, 'report').length;
  const deadline = Date.now() + idleTimeoutMs;
  for (;;) {
    const received = (await sandbox.leads()).map(({ lead }) => String(lead['ID']));
    const counts = [
      ['applications', accepted.length, received.length],
      ['documents', uploads, (await sandbox.documents()).length],
      ['reports', reports, (await sandbox.assetReports()).length],
    ] as const;
    const isComplete = counts.every(([, sent, arrived]) => arrived >= sent);
    if (!isComplete && Date.now() < deadline) {
      await sleep(memoryEveryMs);
      continue;
    }
    const found = new Set(received);
    const missing = accepted.filter((reference) => !found.has(reference));
    return [
      ...counts
        .filter(([, sent, arrived]) => arrived !== sent)
        .map(([items, sent, arrived]) => `${sent} ${items} accepted, ${arrived} delivered`),
      ...(missing.length > 0 ? [`${missing.length} applications were not delivered`] : []),
    ];
  }
}

function listAccepted(
  { history }: HonestApplicants,
  action: ClientCall['action'],
): readonly ClientCall[] {
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
): Pick<MixedLoad, 'warmBytes' | 'peakBytes' | 'endBytes'> {
  const part = Math.max(1, Math.floor(samples.length * sampleShare));
  return {
    warmBytes: toMedian(samples.slice(part, 2 * part)),
    peakBytes: Math.max(...samples),
    endBytes: toMedian(samples.slice(-part)),
  };
}

function toMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}
