// The full run of the load: a minute of it, with the times by request and the BFF's memory.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { runMixedLoad } from './mixed-load.ts';

const mebibyte = 1024 * 1024;
/** A process that keeps something of every request grows by more than this in a minute of twelve thousand. */
const mostGrowthBytes = 96 * mebibyte;
const mostBytes = 512 * mebibyte;

export async function runLoad({ share }: CampaignContext): Promise<CampaignRow> {
  const seconds = Math.max(10, Math.round(60 * share));
  const result = await runMixedLoad({ seconds, requestsPerSecond: 200 });
  const isGrowing = result.endBytes - result.warmBytes > mostGrowthBytes;
  const times = Object.entries(result.p95Ms).map(([request, ms]) => `${request} ${ms}`);
  const [warm, most, end] = [result.warmBytes, result.mostBytes, result.endBytes].map(toMebibytes);
  return {
    engine: 'SQLite',
    runs: `${result.requests} requests`,
    acknowledged: result.applications,
    notes: [
      `${Math.round(result.requests / result.seconds)} a second`,
      `${result.documents} documents, ${toMebibytes(result.documentBytes)} MiB`,
      `p95 in ms: ${times.join(', ')}`,
      `memory ${warm} MiB when warm, ${most} at most, ${end} at the end`,
    ].join('; '),
    problems: [
      ...new Set(result.problems),
      ...(isGrowing ? ['the memory grows'] : []),
      ...(result.mostBytes > mostBytes ? [`${toMebibytes(result.mostBytes)} MiB`] : []),
    ],
  };
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}
