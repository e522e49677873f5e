// Runs the campaigns and prints a table of the results.
//   npm run test:campaigns                        all of them, about an hour
//   npm run test:campaigns -- --minutes=2         at most about two minutes for each
//   npm run test:campaigns -- --only=kills,files  some groups
//   npm run test:campaigns -- --list              the names of the groups

import { parseArgs } from 'node:util';
import { browserCampaigns } from '../browsers/campaigns.ts';
import { realFilesCampaign } from './corpus/campaign.ts';
import { composeCampaign } from '../deployment/compose-campaign.ts';
import { buildBff } from './faults/bff-bundle.ts';
import { faultCampaigns } from './faults/campaigns.ts';
import { hostileCampaigns } from './hostile/campaigns.ts';
import { startPostgres } from '../support/postgres-server.ts';
import type { Campaign, CampaignContext } from './campaign.ts';
import { describeMachine, toTable, toTableLine, type TableRow } from './table.ts';

const campaigns: readonly Campaign[] = [
  ...faultCampaigns,
  ...hostileCampaigns,
  ...browserCampaigns,
  realFilesCampaign,
  composeCampaign,
];
const groups = [...new Set(campaigns.map(({ group }) => group))];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const only = values.only?.split(',');
const maxSeconds = values.minutes === undefined ? Infinity : Number(values.minutes) * 60;
const unknown = only?.filter((group) => !groups.includes(group)) ?? [];

// An exit ends the processes that a campaign has started. A signal alone would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (values.list) write(`${groups.join('\n')}\n`);
else if (unknown.length > 0) fail(`--only: unknown ${unknown}. Use some of ${groups.join(', ')}.`);
else if (!(maxSeconds > 0)) fail('--minutes is not a positive number.');
else process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const chosen = campaigns.filter(({ group, isOptIn }) => only?.includes(group) ?? !isOptIn);
  const stops: (() => unknown)[] = [];
  const services = {
    getProgram: once(async () => {
      const { path, remove } = await buildBff();
      process.once('exit', remove);
      return path;
    }),
    getPostgres: once(async () => {
      const server = await startPostgres();
      stops.push(server.stop);
      return server;
    }),
  };
  const rows: TableRow[] = [];
  try {
    for (const campaign of chosen) {
      const share = Math.min(1, maxSeconds / campaign.seconds);
      rows.push(await runOne(campaign, { share, ...services }));
    }
  } finally {
    for (const stop of stops) await stop();
  }
  write(`\n${describeMachine(new Date())}\n\n${toTable(rows)}\n`);
  return rows.every(({ violations }) => violations === 0) ? 0 : 1;
}

async function runOne({ name, run }: Campaign, context: CampaignContext): Promise<TableRow> {
  write(`${name} …\n`);
  const startedAt = performance.now();
  const { problems, ...row } = await run(context);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const problem of problems) write(`   ${problem}\n`);
  const line = { campaign: name, violations: problems.length, seconds, ...row };
  write(`${toTableLine(line)}\n`);
  return line;
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= create());
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function write(text: string): void {
  process.stdout.write(text);
}
