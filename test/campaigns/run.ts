// Runs the campaigns and prints a table of the results.
//   npm run test:campaigns                        all of them, about an hour
//   npm run test:campaigns -- --minutes=2         at most about two minutes for each
//   npm run test:campaigns -- --only=kills,files  some groups
//   npm run test:campaigns -- --list              the names of the groups

import { parseArgs } from 'node:util';
import { browserCampaigns } from '../release/browsers/campaigns.ts';
import { composeCampaign } from '../release/deployment/compose-campaign.ts';
import { type Campaign, type CampaignContext, createServices } from './campaign.ts';
import { realFilesCampaign } from './corpus/campaign.ts';
import { faultCampaigns } from './faults/campaigns.ts';
import { hostileCampaigns } from './hostile/campaigns.ts';
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

if (values.list) write(groups.join('\n'));
else if (unknown.length > 0) fail(`--only: unknown ${unknown}. Use some of ${groups.join(', ')}.`);
else if (!(maxSeconds > 0)) fail('--minutes is not a positive number.');
else process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const services = createServices();
  const rows: TableRow[] = [];
  try {
    for (const campaign of campaigns) {
      if (!(only?.includes(campaign.group) ?? !campaign.isOptIn)) continue;
      const share = Math.min(1, maxSeconds / campaign.seconds);
      const { engine = 'SQLite' } = campaign;
      rows.push(await runOne(campaign, { engine, share, ...services }));
    }
  } finally {
    await services.stop();
  }
  write(`\n${describeMachine(new Date())}\n\n${toTable(rows)}`);
  return rows.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function runOne(
  { name, engine, run }: Campaign,
  context: CampaignContext,
): Promise<TableRow> {
  write(`${name} …`);
  const startedAt = performance.now();
  const result = await run(context);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const problem of result.problems) write(`   ${problem}`);
  const row = { campaign: name, engine, seconds, ...result };
  write(toTableLine(row));
  return row;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
