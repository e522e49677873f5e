// Rows of the table for the token: many calls, and a day with a wrong password on both engines.

import { openDatabase } from '../../bff/journal/open-journal.ts';
import { createLoginStore } from '../../bff/journal/logins.ts';
import type { CampaignContext, CampaignRow } from '../faults/campaigns.ts';
import { createStorage, type Engine } from '../faults/storage.ts';
import { createManualTime } from '../bff/manual-time.ts';
import { runTokenCalls } from './token-calls.ts';
import { runWrongPassword } from './wrong-password.ts';

const processes = 3;

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

export async function runWrongPasswordOn(
  engine: Engine,
  { postgres, share }: CampaignContext,
): Promise<CampaignRow> {
  const time = createManualTime();
  const storage = await createStorage({ engine, postgresUrl: postgres.url });
  const databases = await Promise.all(
    Array.from({ length: processes }, () => openDatabase(storage.url, { clock: time.clock })),
  );
  let opened = 0;
  const { refused, most, died, hours, problems } = await runWrongPassword({
    hours: Math.max(4, Math.round(24 * share)),
    processes,
    time,
    openStore: () => createLoginStore(databases[(opened += 1) % processes]!),
  });
  await Promise.all(databases.map((database) => database.close()));
  await storage.remove();
  return {
    engine,
    runs: `${hours} hours`,
    notes: `${refused} refused logins of ${processes} processes, at most ${most} in 15 minutes, ${died} processes died while they logged in`,
    problems,
  };
}
