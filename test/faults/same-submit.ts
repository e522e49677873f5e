// Twenty submissions of one applicant at the same moment, in every way in which they can be one: they make one lead.

import { createApplicant, createKey, type Applicant, type Send } from './applicant.ts';
import { startBff } from './bff-child.ts';
import { findViolations, type Evidence } from './checker.ts';
import { createHistory, type History } from './history.ts';
import { waitUntilQuiet } from './kill-campaign.ts';
import { findFreePorts } from '../support/free-port.ts';
import { toResult, type CampaignResult } from './result.ts';
import { createHttpSender } from './send-over-http.ts';
import { startServiceHost } from './service-host.ts';
import { createStorage, readEnd, type StorageOptions } from './storage.ts';

/**
 * - `one key`: a button that was pressed again and again. `many keys`: pages that each made their own. Both in one session.
 * - `many sessions`: the key and the answers, filed again from sessions begun anew.
 */
export const sameSubmitWays = ['one key', 'many keys', 'many sessions'] as const;
type SameSubmitWay = (typeof sameSubmitWays)[number];

export interface SameSubmitOptions extends StorageOptions {
  /** The bundled BFF process. */
  readonly program: string;
  /** BFFs, asked in turn. */
  readonly processes: number;
  /** Of all ways. */
  readonly rounds: number;
}

export interface SameSubmitResult extends CampaignResult {
  readonly leads: number;
  /** Applicants who were told several things. */
  readonly problems: readonly string[];
}

const times = 20;

export async function runSameSubmit(options: SameSubmitOptions): Promise<SameSubmitResult> {
  const storage = await createStorage(options);
  const service = await startServiceHost();
  const ports = await findFreePorts(options.processes);
  const children = ports.map((port) =>
    startBff({
      program: options.program,
      port,
      databaseUrl: storage.url,
      serviceUrl: service.proxy.url,
    }),
  );
  await Promise.all(children.map(({ ready }) => ready));
  const sender = createHttpSender(() => children.map(({ url }) => url));
  const history = createHistory();
  const problems: string[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const way of sameSubmitWays) {
      const told = await submitAtOnce(way, `Impatient ${way} ${round} LLC`, sender.send, history);
      if (told.size !== 1) problems.push(`${way}: told ${[...told].join(', ')}`);
    }
  }
  await storage.inspect(waitUntilQuiet);
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

/** What the applicant was told: one reference, if all is well. */
async function submitAtOnce(
  way: SameSubmitWay,
  name: string,
  send: Send,
  history: History,
): Promise<ReadonlySet<string>> {
  const arrive = async (): Promise<Applicant> => {
    const applicant = createApplicant({ name, send, history });
    await applicant.begin();
    return applicant;
  };
  const first = await arrive();
  const key = createKey();
  const clicks = await Promise.all(
    Array.from({ length: times }, async () => {
      const applicant = way === 'many sessions' ? await arrive() : first;
      return applicant.submit(way === 'many keys' ? createKey() : key);
    }),
  );
  return new Set(clicks.map(({ reference, told, status }) => reference ?? `${status} ${told}`));
}
