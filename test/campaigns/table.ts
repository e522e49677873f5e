// The table of a long run, in Markdown, with the day and the machine it was made on.

import { cpus, totalmem } from 'node:os';
import type { CampaignRow } from './campaign.ts';

export interface TableRow extends CampaignRow {
  readonly campaign: string;
  readonly engine: string | undefined;
  readonly seconds: number;
}

const columns: Readonly<Record<string, (row: TableRow) => string | number | undefined>> = {
  campaign: (row) => row.campaign,
  engine: (row) => row.engine,
  runs: (row) => `${row.runs.toLocaleString('en-US')} ${row.unit}`,
  acknowledged: (row) => row.acknowledged,
  lost: (row) => row.lost,
  twice: (row) => row.twice,
  'rejected but there': (row) => row.falselyRejected,
  violations: (row) => row.problems.length,
  'slowest start, ms': (row) => row.slowestStartMs,
  besides: (row) => row.notes,
  'took, s': (row) => row.seconds,
};

export function toTable(rows: readonly TableRow[]): string {
  const names = Object.keys(columns);
  return [toLine(names), toLine(names.map(() => '---')), ...rows.map(toTableLine)].join('\n');
}

export function toTableLine(row: TableRow): string {
  return toLine(Object.values(columns).map((read) => read(row)));
}

function toLine(cells: readonly (string | number | undefined)[]): string {
  return `| ${cells.map((cell) => cell?.toLocaleString('en-US') ?? '').join(' | ')} |`;
}

/** For example `2026-11-20, 2 cores (…), 24 GB, Node v24.21.0, linux`. */
export function describeMachine(now: Date): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const day = now.toISOString().slice(0, 10);
  return `${day}, ${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Node ${process.version}, ${process.platform}`;
}
