// The long campaigns against hostile clients: what each sends, and the figures it puts into the table.

import type { Campaign, CampaignRow } from '../campaigns/campaign.ts';
import { filesCampaigns } from './files-campaign.ts';
import { runForwardedFor } from './forwarded-for.ts';
import { runLoad } from './load-campaign.ts';
import { sweepPaths } from './path-variants.ts';
import {
  runBodies,
  runBodiesThroughAll,
  runMassAssignment,
  runNaughtyStrings,
} from './input-campaign.ts';
import { inspectionCampaigns } from './inspection-campaign.ts';
import { proxyNames, startProxy } from './proxies.ts';
import { sweepRoutes, type RouteSweep } from './route-sweep.ts';
import { runSlowAddress, runSlowKinds } from './slow-campaign.ts';
import { sendShapes, startTarget } from './smuggling.ts';
import { runKeyRoll, runSealAttack, runSessionRaces, runStrangers } from './session-campaigns.ts';
import { runManyCalls } from './token-campaign.ts';

/** Each takes its share from the context; none needs the bundled process, and one needs PostgreSQL. */
export const hostileCampaigns: readonly Campaign[] = [
  {
    group: 'routes',
    name: 'route sweep',
    seconds: 500,
    run: ({ share }) => runSweep(sweepRoutes({ share })),
  },
  {
    group: 'routes',
    name: 'spellings of addresses',
    seconds: 10,
    run: ({ share }) => runSweep(sweepPaths({ share })),
  },
  { group: 'smuggling', name: 'doubtful ends', seconds: 60, run: runSmuggling },
  { group: 'sessions', name: 'changed seals', seconds: 60, run: runSealAttack },
  { group: 'sessions', name: 'requests in pairs', seconds: 30, run: runSessionRaces },
  { group: 'sessions', name: 'change of the session key', seconds: 120, run: runKeyRoll },
  { group: 'sessions', name: 'strangers', seconds: 120, run: runStrangers },
  { group: 'tokens', name: 'calls over days', seconds: 5, run: runManyCalls },
  { group: 'input', name: 'strings that break programs', seconds: 60, run: runNaughtyStrings },
  { group: 'input', name: 'generated bodies', seconds: 350, run: runBodies },
  { group: 'input', name: 'generated bodies', seconds: 250, run: runBodiesThroughAll },
  { group: 'input', name: 'names nobody asked for', seconds: 15, run: runMassAssignment },
  { group: 'forwarded-for', name: 'claimed addresses', seconds: 10, run: runClaimedAddresses },
  { group: 'slow', name: 'slow clients, kind by kind', seconds: 200, run: runSlowKinds },
  { group: 'slow', name: 'slow clients from one address', seconds: 60, run: runSlowAddress },
  { group: 'load', name: 'mixed load', seconds: 70, run: runLoad },
  ...filesCampaigns,
  ...inspectionCampaigns,
];

async function runClaimedAddresses(): Promise<CampaignRow> {
  const { cells, problems } = await runForwardedFor();
  return { engine: 'SQLite', runs: `${cells} cells`, problems };
}

async function runSweep(sweeping: Promise<RouteSweep>): Promise<CampaignRow> {
  const { requests, answered, problems } = await sweeping;
  return {
    engine: 'SQLite',
    runs: `${requests} requests`,
    notes: `${answered} answered`,
    problems,
  };
}

/** At the BFF itself, and through each proxy that is installed; one that is not is named in the row. */
async function runSmuggling(): Promise<CampaignRow> {
  const target = await startTarget();
  const direct = await sendShapes(target);
  const problems = [...direct.problems];
  const notes = [`direct: ${direct.refused} refused`];
  let { exchanges } = direct;
  for (const name of proxyNames) {
    const proxy = await startProxy(name, target.port);
    if (proxy === undefined) {
      notes.push(`${name}: not installed, not tried`);
      continue;
    }
    const result = await sendShapes(target, { port: proxy.port });
    await proxy.stop();
    exchanges += result.exchanges;
    problems.push(...result.problems.map((problem) => `${proxy.version}: ${problem}`));
    notes.push(`${proxy.version}: ${result.refused} refused`);
  }
  await target.close();
  return { engine: 'SQLite', runs: `${exchanges} exchanges`, notes: notes.join(', '), problems };
}
