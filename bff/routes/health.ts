// `/livez` and `/readyz`: whether the process runs, and whether it can take applications.

import { Hono } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import type { Journal } from '../journal/journal.ts';
import { createJournalReadiness } from './journal-readiness.ts';

export interface HealthOptions {
  readonly journal: Pick<Journal, 'check'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** True once the process has been asked to stop. */
  readonly isStopping: () => boolean;
}

/**
 * Ready: not asked to stop, and the journal commits, with room left on its disk. A funding service that does not answer leaves
 * us ready, since applications are kept until it does; for the same reason no number of waiting ones makes us unready: sent
 * away, their applicants would be served by nobody, and the room on the disk is a limit already.
 */
export function healthRoutes({ journal, clock, isStopping }: HealthOptions): Hono<BffEnv> {
  const isJournalReady = createJournalReadiness({ journal, clock });

  return new Hono<BffEnv>()
    .get('/livez', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = !isStopping() && (await isJournalReady());
      return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'not-ready' }, 503);
    });
}
