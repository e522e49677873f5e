// The campaigns with hostile clients, documents, and load.

import type { Campaign, CampaignRow } from '../campaigns/campaign.ts';
import { filesCampaigns } from './files-campaign.ts';
import { runForwardedFor } from './forwarded-for.ts';
import { runLoad } from './mixed-load.ts';
import { sweepPaths } from './path-variants.ts';
import {
  runBodies,
  runBodiesThroughBff,
  runMassAssignment,
  runNaughtyStrings,
} from './input-campaign.ts';
import { inspectionCampaigns } from './inspection-campaign.ts';
import { proxyNames, startProxy } from './proxies.ts';
import { sweepRoutes, type RouteSweep } from './route-sweep.ts';
import { runSlowAddress, runSlowKinds } from './slow-campaign.ts';
import { sendShapes, startTarget } from './smuggling.ts';
import { runKeyRoll, runSealAttack, runSessionRaces, runStrangers } from './session-campaigns.ts';
import { runManyCalls } from './token-calls.ts';

export const hostileCampaigns: readonly Campaign[] = [
  {
    group: 'routes',
    name: 'route sweep',
    seconds: 500,
    run: ({ share }) => runSweep(sweepRoutes({ share })),
  },
  {
    group: 'routes',
    name: 'path variants',
    seconds: 10,
    run: ({ share }) => runSweep(sweepPaths({ share })),
  },
  { group: 'smuggling', name: 'ambiguous message ends', seconds: 60, run: runSmuggling },
  { group: 'sessions', name: 'changed session seals', seconds: 60, run: runSealAttack },
  { group: 'sessions', name: 'concurrent requests', seconds: 30, run: runSessionRaces },
  { group: 'sessions', name: 'session key rotation', seconds: 120, run: runKeyRoll },
  { group: 'sessions', name: 'sessions of other browsers', seconds: 120, run: runStrangers },
  { group: 'tokens', name: 'calls over simulated days', seconds: 5, run: runManyCalls },
  { group: 'input', name: 'naughty strings', seconds: 60, run: runNaughtyStrings },
  { group: 'input', name: 'generated bodies', seconds: 350, run: runBodies },
  { group: 'input', name: 'generated bodies, whole BFF', seconds: 250, run: runBodiesThroughBff },
  { group: 'input', name: 'unknown names', seconds: 15, run: runMassAssignment },
  { group: 'forwarded-for', name: 'forged addresses', seconds: 10, run: runForgedAddresses },
  { group: 'slow', name: 'slow clients by kind', seconds: 200, run: runSlowKinds },
  { group: 'slow', name: 'slow clients from one address', seconds: 60, run: runSlowAddress },
  { group: 'load', name: 'mixed load', seconds: 70, run: runLoad },
  ...filesCampaigns,
  ...inspectionCampaigns,
];

async function runForgedAddresses(): Promise<CampaignRow> {
  const { cells, problems } = await runForwardedFor();
  return { engine: 'SQLite', runs: `${cells} cells`, problems };
}

async function runSweep(sweep: Promise<RouteSweep>): Promise<CampaignRow> {
  const { requests, answered, problems } = await sweep;
  return {
    engine: 'SQLite',
    runs: `${requests} requests`,
    notes: `${answered} answered`,
    problems,
  };
}

/** Sends the requests directly to the BFF, and through each installed proxy. The notes list missing proxies. */
async function runSmuggling(): Promise<CampaignRow> {
  const target = await startTarget();
  const direct = await sendShapes(target);
  const problems = [...direct.problems];
  const notes = [`direct: ${direct.refused} refused`];
  let { exchanges } = direct;
  for (const name of proxyNames) {
    const proxy = await startProxy(name, target.port);
    if (proxy === undefined) {
      notes.push(`${name}: not installed`);
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
