// Submits applications as fast as the server accepts them over several connections, and records the response times.

import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { apiHeaders, apiPaths } from '../shared/api/paths.ts';
import { createFullApplication } from '../test/support/applications.ts';

export interface LoadResult {
  /** Number of responses by HTTP status, for example `{ 201: 950, 202: 3 }`. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Submits one application. Resolves with the status of the response. */
export type File = (pool: Pool) => Promise<number>;

export interface LoadOptions {
  readonly url: string;
  readonly file: File;
  readonly connections: number;
  /** Stops after this time, or after `count` applications. */
  readonly durationMs?: number;
  readonly count?: number;
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, file, connections, durationMs = Infinity, count = Infinity } = options;
  const pool = new Pool(url, { connections });
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const startedAt = performance.now();
  let begun = 0;

  async function work(): Promise<void> {
    while (begun < count && performance.now() - startedAt < durationMs) {
      begun += 1;
      const began = performance.now();
      const status = await file(pool);
      times.push(performance.now() - began);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }

  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    statuses,
    perSecond: times.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** @param sorted values in ascending order. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const application = JSON.stringify({
  ...createFullApplication(),
  campaignId: undefined,
  consents: ['credit-authorization', 'electronic-records', 'terms', 'contact'].map((id) => ({
    id,
    version: 'placeholder-1',
  })),
});

/** Starts a session, then submits the application, as a browser does. */
export async function fileAtBff(pool: Pool): Promise<number> {
  const headers = {
    origin: 'http://localhost:8080',
    'content-type': 'application/json',
    [apiHeaders.request]: '1',
  };
  const session = await pool.request({ method: 'POST', path: apiPaths.session, headers });
  await session.body.dump();
  const cookie = [session.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? '';
  const answer = await pool.request({
    method: 'POST',
    path: apiPaths.application,
    headers: { ...headers, cookie, [apiHeaders.idempotencyKey]: randomUUID() },
    body: application,
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** The proxy maps nothing, so this sends a lead. */
export async function fileAtProxy(pool: Pool): Promise<number> {
  const answer = await pool.request({
    method: 'POST',
    path: '/rest/creditapp',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ID: randomUUID(), application }),
  });
  await answer.body.dump();
  return answer.statusCode;
}
