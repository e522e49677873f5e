// Twenty concurrent submissions of one applicant create one lead, for each way in which they can be the same submission.

import { createHttpSender, createKey, type Send } from '../../support/applicant.ts';
import { createApplicant, type Applicant } from './applicant.ts';
import { startCampaignBff } from './bff-child.ts';
import { type CampaignResult, type Evidence, findViolations, toResult } from './invariants.ts';
import { createHistory, type History } from './history.ts';
import { waitUntilSettled } from './kill-campaign.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { startServiceHost } from './recorded-service.ts';
import { createStorage, readEnd, type StorageOptions } from './storage.ts';

/**
 * - `one key`: repeated clicks on the button. `many keys`: several tabs, each with its own key. Both use one session.
 * - `many sessions`: the same key and answers, submitted from new sessions.
 */
export const sameSubmitWays = ['one key', 'many keys', 'many sessions'] as const;
type SameSubmitWay = (typeof sameSubmitWays)[number];

export interface SameSubmitOptions extends StorageOptions {
  /** Path of the bundled BFF process. */
  readonly program: string;
  /** Number of BFFs, called in turn. */
  readonly processes: number;
  /** Rounds for each of the three ways. */
  readonly rounds: number;
}

export interface SameSubmitResult extends CampaignResult {
  readonly leads: number;
  /** Applicants who got different responses. */
  readonly problems: readonly string[];
}

const times = 20;

export async function runSameSubmit(options: SameSubmitOptions): Promise<SameSubmitResult> {
  const storage = await createStorage(options);
  const service = await startServiceHost();
  const ports = await findFreePorts(options.processes);
  const children = ports.map((port) =>
    startCampaignBff({
      program: options.program,
      port,
      // Nobody uploads.
      inspects: false,
      databaseUrl: storage.url,
      serviceUrl: service.proxy.url,
    }),
  );
  await Promise.all(children.map(({ ready }) => ready));
  const sender = createHttpSender(children.map(({ url }) => url));
  const history = createHistory();
  const problems: string[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const way of sameSubmitWays) {
      const responses = await submitAtOnce(
        way,
        `Applicant ${way} ${round} LLC`,
        sender.send,
        history,
      );
      if (responses.size !== 1)
        problems.push(`${way}: responses were ${[...responses].join(', ')}`);
    }
  }
  await storage.inspect(waitUntilSettled);
  for (const child of children) child.signal('SIGTERM');
  await Promise.all(children.map(({ ended }) => ended));
  await sender.close();

  const ledger = service.readLedger();
  const evidence: Evidence = { ...(await storage.inspect(readEnd)), history, ledger };
  await service.close();
  await storage.remove();
  const result = toResult(evidence, findViolations(evidence));
  const runs = options.rounds * sameSubmitWays.length;
  return { ...result, runs, leads: ledger.leads.length, problems };
}

/** Returns the distinct responses: one reference when the test passes. */
async function submitAtOnce(
  way: SameSubmitWay,
  name: string,
  send: Send,
  history: History,
): Promise<ReadonlySet<string>> {
  const startSession = async (): Promise<Applicant> => {
    const applicant = createApplicant({ name, send, history });
    await applicant.begin();
    return applicant;
  };
  const first = await startSession();
  const key = createKey();
  const clicks = await Promise.all(
    Array.from({ length: times }, async () => {
      const applicant = way === 'many sessions' ? await startSession() : first;
      return applicant.submit(way === 'many keys' ? createKey() : key);
    }),
  );
  return new Set(
    clicks.map(
      ({ reference, responseStatus, status }) => reference ?? `${status} ${responseStatus}`,
    ),
  );
}
