// `npm run test:faults`: the long campaigns, and their table.
//   npm run test:faults                       all of them, about half an hour
//   npm run test:faults -- --only=kills       some, by their groups in the two lists of campaigns
//   npm run test:faults -- --share=0.1        a tenth of each
//   npm run test:faults -- --only=real-files  the corpus of real files: see test/corpus/README.md

import { parseArgs } from 'node:util';
import { realFilesCampaign } from '../corpus/campaign.ts';
import { hostileCampaigns } from '../hostile/campaigns.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { buildBff } from './bff-bundle.ts';
import {
  campaigns,
  type Campaign,
  type CampaignContext,
  type CampaignRow,
  type StandaloneCampaign,
} from './campaigns.ts';
import { describeMachine, toTable, toTableLine, type TableRow } from './table.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, share: { type: 'string', default: '1' } },
});
const only = values.only?.split(',');
const all: readonly (Campaign | StandaloneCampaign)[] = [
  ...campaigns,
  ...hostileCampaigns,
  realFilesCampaign,
];
const chosen = all.filter((campaign) => only?.includes(campaign.group) ?? !('optIn' in campaign));
const share = Number(values.share);

// An exit ends the BFFs of a campaign; a signal by itself would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const rows: TableRow[] = [];
  const standalone = chosen.filter((campaign) => 'standalone' in campaign);
  for (const campaign of standalone) {
    rows.push(await runOne(campaign.name, async () => await campaign.run({ share })));
  }
  const others = chosen.filter((campaign) => !('standalone' in campaign));
  if (others.length > 0) rows.push(...(await runWithServices(others)));
  write(`\n${describeMachine(new Date())}\n\n${toTable(rows)}\n`);
  return rows.every(({ violations }) => violations === 0) ? 0 : 1;
}

async function runWithServices(chosen: readonly Campaign[]): Promise<TableRow[]> {
  const bundle = await buildBff();
  process.once('exit', bundle.remove);
  const postgres = await startPostgres();
  const context: CampaignContext = { program: bundle.path, postgres, share };
  const rows: TableRow[] = [];
  try {
    for (const campaign of chosen) {
      rows.push(await runOne(campaign.name, async () => await campaign.run(context)));
    }
  } finally {
    await postgres.stop();
  }
  return rows;
}

async function runOne(name: string, run: () => Promise<CampaignRow>): Promise<TableRow> {
  write(`${name} …\n`);
  const startedAt = performance.now();
  const { problems, ...row } = await run();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const problem of problems) write(`   ${problem}\n`);
  const line = { campaign: name, violations: problems.length, seconds, ...row };
  write(`${toTableLine(line)}\n`);
  return line;
}

function write(text: string): void {
  process.stdout.write(text);
}
