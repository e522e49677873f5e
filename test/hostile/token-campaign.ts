// Campaign row for the token cache: many calls over simulated days.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { runTokenCalls } from './token-calls.ts';

export async function runManyCalls({ share }: CampaignContext): Promise<CampaignRow> {
  const { calls, days, logins, mostLoginsAnHour, revocations, problems } = await runTokenCalls(
    Math.max(10_000, Math.round(100_000 * share)),
  );
  return {
    engine: 'none',
    runs: `${calls} calls`,
    notes: `${days} days, ${revocations} revocations, ${logins} logins, at most ${mostLoginsAnHour} an hour`,
    problems,
  };
}
