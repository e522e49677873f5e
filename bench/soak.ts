// Runs one BFF on SQLite at half of its highest rate for a long time: memory, file handles, write-ahead log, and response times.

import { readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { toPath } from '../bff/store/sqlite.ts';
import { quantile, toMedian } from './goals.ts';
import { apply, type Client, createClient, runLoad } from './load.ts';
import { readResidentBytes } from './memory.ts';
import { buildBff, type Running, startBff, startStub, withSqliteUrl } from './processes.ts';

const connections = 16;
const upstreamDelayMs = 50;
const calibrationMs = 10_000;
const sampleMs = 10_000;
/** Share of the samples that are left out at the start, while code is compiled and caches fill. */
const warmUpShare = 0.1;
const megabyte = 1_000_000;

export interface Series {
  readonly name: string;
  readonly unit: string;
  /** In the order of time. */
  readonly values: readonly number[];
  /** A difference between the thirds that is never a rise. */
  readonly tolerance: number;
}

export interface Flatness {
  readonly first: number;
  readonly last: number;
  readonly slopePerHour: number;
  readonly isFlat: boolean;
}

/** A series may rise by this share from its first to its last third. */
const maxRise = 0.1;

/** Compares the medians of the first and the last third. The slope is that of a line between them. */
export function judgeSeries({ values, tolerance }: Series, hours: number): Flatness {
  const third = Math.max(1, Math.floor(values.length / 3));
  const [first, last] = [toMedian(values.slice(0, third)), toMedian(values.slice(-third))];
  const rise = last - first;
  return {
    first,
    last,
    slopePerHour: rise / (hours * (2 / 3)),
    isFlat: rise <= Math.max(tolerance, first * maxRise),
  };
}

export async function runSoak(
  minutes: number,
  report: (line: string) => void,
): Promise<{ readonly lines: readonly string[]; readonly isMissed: boolean }> {
  buildBff();
  const stub = await startStub(upstreamDelayMs);
  return withSqliteUrl(async (databaseUrl) => {
    const bff = await startBff({ stub, databaseUrl });
    const client = createClient(bff.url, connections);
    const perSecond = (await measureHighestRate(client)) / 2;
    report(`half load: ${perSecond.toFixed(0)} applications a second for ${minutes} minutes`);
    const samples = await sample(bff, client, databaseUrl, perSecond, minutes, report);
    const { leads, repeatedLeads } = await stub.ask();
    await client.close();
    await bff.stop();
    await stub.stop();
    const judged = toSeries(samples.slice(Math.ceil(samples.length * warmUpShare))).map(
      (series) => [series, judgeSeries(series, minutes / 60)] as const,
    );
    const summary = `${perSecond.toFixed(0)} applications a second for ${minutes} minutes: ${leads} delivered, ${repeatedLeads} twice`;
    return {
      lines: [summary, ...judged.map(([series, flatness]) => describe(series, flatness))],
      isMissed: judged.some(([, { isFlat }]) => !isFlat) || repeatedLeads > 0,
    };
  });
}

async function measureHighestRate(client: Client): Promise<number> {
  const { statuses, seconds } = await runLoad({
    connections,
    next: () => apply(client),
    warmUpMs: calibrationMs / 2,
    durationMs: calibrationMs,
    snapshot: () => Promise.resolve(),
  });
  return ((statuses.get(201) ?? 0) + (statuses.get(202) ?? 0)) / seconds;
}

interface Sample {
  readonly megabytes: number;
  readonly handles: number;
  readonly logMegabytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function sample(
  bff: Running,
  client: Client,
  databaseUrl: string,
  perSecond: number,
  minutes: number,
  report: (line: string) => void,
): Promise<readonly Sample[]> {
  const logPath = `${toPath(databaseUrl)}-wal`;
  const samples: Sample[] = [];
  let times: number[] = [];
  const startedAt = performance.now();
  let begun = 0;
  const takeSample = () => {
    const sorted = times.toSorted((a, b) => a - b);
    times = [];
    const taken = {
      megabytes: readResidentBytes(bff.processId) / megabyte,
      handles: readdirSync(`/proc/${bff.processId}/fd`).length,
      logMegabytes: (statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) / megabyte,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
    };
    samples.push(taken);
    report(
      `${taken.megabytes.toFixed(0)} MB, ${taken.handles} handles, log ${taken.logMegabytes.toFixed(1)} MB, p50 ${taken.p50Ms.toFixed(1)} ms, p99 ${taken.p99Ms.toFixed(1)} ms, ${sorted.length} applications`,
    );
  };
  const sampler = setInterval(takeSample, sampleMs);
  // Each worker takes the next slot of an even schedule, so that a slow response does not lower the load.
  const next = async () => {
    const slotMs = startedAt + (begun / perSecond) * 1000 - performance.now();
    begun += 1;
    if (slotMs > 0) await sleep(slotMs);
    const sentAt = performance.now();
    const response = await apply(client);
    times.push(performance.now() - sentAt);
    return response;
  };
  await runLoad({
    connections,
    next,
    warmUpMs: 0,
    durationMs: minutes * 60_000,
    snapshot: () => Promise.resolve(),
  });
  clearInterval(sampler);
  return samples;
}

function toSeries(samples: readonly Sample[]): readonly Series[] {
  const pick = (key: keyof Sample) => samples.map((one) => one[key]);
  return [
    { name: 'memory', unit: 'MB', values: pick('megabytes'), tolerance: 20 },
    { name: 'file handles', unit: '', values: pick('handles'), tolerance: 5 },
    { name: 'write-ahead log', unit: 'MB', values: pick('logMegabytes'), tolerance: 5 },
    { name: 'p50', unit: 'ms', values: pick('p50Ms'), tolerance: 1 },
    { name: 'p99', unit: 'ms', values: pick('p99Ms'), tolerance: 20 },
  ];
}

function describe({ name, unit }: Series, { first, last, slopePerHour, isFlat }: Flatness): string {
  const write = (value: number) => `${value.toFixed(1)} ${unit}`.trim();
  return [
    name.padEnd(18),
    `first third ${write(first)}, last third ${write(last)}, `,
    `${slopePerHour >= 0 ? '+' : ''}${write(slopePerHour)} an hour: ${isFlat ? 'flat' : 'RISES'}`,
  ].join('');
}
