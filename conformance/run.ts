// Runs the table of probes, row by row, and collects the report.

import type { Environment } from '../shared/api/configuration.ts';
import { Interrupted, NotTestable, type Probe, type Row, Stop } from './probe.ts';
import { probes as allProbes } from './probes.ts';
import { createFacts, createSession, type Facts, type SessionOptions } from './session.ts';
import { createFragment, type Fragment } from './settings-fragment.ts';

export interface Report {
  /** Changes with the form of the file. */
  readonly format: 1;
  readonly environment: Environment;
  readonly authHost: string;
  readonly baseHost: string;
  readonly partnerId: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** `stopped`: `reason` says why, and rows are missing. */
  readonly state: 'complete' | 'stopped' | 'interrupted';
  readonly reason?: string;
  readonly calls: number;
  readonly rows: readonly Row[];
  readonly follows: Fragment;
  readonly facts: Facts;
}

export interface RunOptions extends SessionOptions {
  readonly probes?: readonly Probe[];
  /** Beginnings of ids. */
  readonly skipped?: readonly string[];
  /** An earlier report of the same service. Its rows are kept, except those that were not testable. */
  readonly earlier?: Report | undefined;
  /** Called after each row, so that nothing is lost if the process ends. */
  readonly onRow?: (row: Row, report: Report) => void;
}

export async function runProbes(options: RunOptions): Promise<Report> {
  const { probes = allProbes, skipped = [], earlier, clock, service, settings } = options;
  const facts = earlier?.facts ?? createFacts();
  const session = createSession({ ...options, facts });
  const startedAt = earlier?.startedAt ?? new Date(clock()).toISOString();
  const rows = new Map<string, Row>();
  for (const row of earlier?.rows ?? []) if (row.verdict !== 'not-testable') rows.set(row.id, row);

  const toReport = (state: Report['state'], reason?: string): Report => {
    const ordered = probes.flatMap(({ id }) => rows.get(id) ?? []);
    return {
      format: 1,
      environment: options.environment,
      authHost: new URL(service.authUrl).host,
      baseHost: new URL(service.baseUrl).host,
      partnerId: service.partnerId,
      startedAt,
      endedAt: new Date(clock()).toISOString(),
      state,
      ...(reason === undefined ? {} : { reason: session.mask.secrets(reason) }),
      calls: facts.calls.length,
      rows: ordered,
      follows: createFragment(ordered, settings),
      facts,
    };
  };

  try {
    for (const probe of probes) {
      // These summarize all rows, so they are repeated after a resumption.
      if (rows.has(probe.id) && !probe.id.startsWith('general/')) continue;
      session.beginProbe(probe.id);
      const { id, title, section, says, run } = probe;
      const isSkipped = skipped.some((beginning) => id.startsWith(beginning));
      let finding;
      try {
        if (isSkipped) throw new NotTestable('Skipped.');
        finding = await run(session);
      } catch (error) {
        if (!(error instanceof NotTestable)) throw error;
        finding = { verdict: 'not-testable', did: session.mask.secrets(error.message) } as const;
      }
      const row: Row = { id, title, section, says, ...finding };
      rows.set(id, row);
      options.onRow?.(row, toReport('interrupted'));
    }
    return toReport('complete');
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return toReport(error instanceof Interrupted ? 'interrupted' : 'stopped', error.message);
  }
}
