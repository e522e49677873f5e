// The session campaigns of the full run, as rows of its table.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { rollKeys } from './session-key-roll.ts';
import { runRaces } from './session-races.ts';
import { attackSeals } from './session-seals.ts';
import { trySessionsOfOthers } from './session-strangers.ts';

const engine = 'SQLite';

export async function runSealAttack({ share }: CampaignContext): Promise<CampaignRow> {
  const sizes = {
    flips: Math.round(100_000 * share),
    inventions: Math.round(10_000 * share),
    replays: Math.round(1_000 * share),
  };
  const { sent, unsendable, problems } = await attackSeals(sizes);
  return {
    engine,
    runs: `${sent.toLocaleString('en-US')} seals`,
    notes: `${sizes.flips} flips, ${sizes.inventions} inventions, ${sizes.replays} revoked sessions; ${unsendable} more that no header can contain`,
    problems,
  };
}

export async function runSessionRaces({ share }: CampaignContext): Promise<CampaignRow> {
  const { pairs, requests, problems } = await runRaces(Math.round(1_000 * share));
  return { engine, runs: `${pairs} pairs`, notes: `${requests} requests`, problems };
}

export async function runKeyRoll({ share }: CampaignContext): Promise<CampaignRow> {
  const { requests, filed, loggedOut, over, problems } = await rollKeys({
    visitors: Math.round(1_000 * share),
  });
  return {
    engine,
    runs: `${requests.toLocaleString('en-US')} requests`,
    notes: `two processes over 44 simulated hours, ${filed} applications, ${over} requests after expiry`,
    problems: [...problems, ...(loggedOut > 0 ? [`${loggedOut} were logged out`] : [])],
  };
}

export async function runStrangers({ share }: CampaignContext): Promise<CampaignRow> {
  const { sessions, tries, problems } = await trySessionsOfOthers(Math.round(200 * share));
  return {
    engine,
    runs: `${tries.toLocaleString('en-US')} attempts`,
    notes: `${sessions} applicants`,
    problems,
  };
}
