// Twenty concurrent submissions of one applicant create one lead, for each way in which they can be the same submission.

import { createKey } from '../../support/applicant.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createApplicant, type Applicant } from './applicant.ts';
import { judge } from './invariants.ts';
import { awaitReady, type Rig, startRig } from './rig.ts';

/**
 * - `one key`: repeated clicks on the button. `many keys`: several tabs, each with its own key. Both use one session.
 * - `many sessions`: the same key and answers, submitted from new sessions.
 */
const ways = ['one key', 'many keys', 'many sessions'] as const;

export async function runSameSubmit(
  processes: number,
  context: CampaignContext,
): Promise<CampaignRow> {
  const rig = await startRig(context, { processes });
  // Nobody uploads.
  const bffs = rig.ports.map((port) => rig.start(port, { inspects: false }));
  for (const bff of bffs) await awaitReady(bff);
  const problems: string[] = [];
  const rounds = scale(30, context.share);
  for (let round = 1; round <= rounds; round += 1) {
    for (const way of ways) {
      const responses = await submitAtOnce(way, `Applicant ${way} ${round} LLC`, rig);
      if (responses.size !== 1) problems.push(`${way}: ${[...responses].join(', ')}`);
    }
  }
  const evidence = await rig.finish(bffs);
  const verdict = judge(evidence);
  const leads = evidence.ledger.leads.length;
  const runs = rounds * ways.length;
  if (leads !== runs) problems.push(`${leads} leads of ${runs} applicants`);
  return { runs, unit: '× 20', ...verdict, problems: [...verdict.problems, ...problems] };
}

/** Returns the distinct responses: one reference when the test passes. */
async function submitAtOnce(
  way: (typeof ways)[number],
  name: string,
  { send, history }: Rig,
): Promise<ReadonlySet<string>> {
  const startSession = async (): Promise<Applicant> => {
    const applicant = createApplicant({ name, send, history });
    await applicant.begin();
    return applicant;
  };
  const first = await startSession();
  const key = createKey();
  const clicks = Array.from({ length: 20 }, async () => {
    const applicant = way === 'many sessions' ? await startSession() : first;
    return applicant.submit(way === 'many keys' ? createKey() : key);
  });
  const calls = await Promise.all(clicks);
  return new Set(calls.map((call) => call.reference ?? `${call.status} ${call.responseStatus}`));
}
