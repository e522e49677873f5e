// `/livez` and `/readyz`: whether the process runs, and whether it can take applications.

import { Hono } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import type { Journal } from '../journal/journal.ts';
import { createShortCache } from './short-cache.ts';

const cacheMs = 1_000;

export interface HealthOptions {
  readonly journal: Journal;
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
  const cache = createShortCache<boolean>(cacheMs, clock);

  async function canCommit(): Promise<boolean> {
    try {
      await journal.check();
      return true;
    } catch {
      // Full disk, lost volume, broken file, no database: for this answer they are one.
      return false;
    }
  }

  return new Hono<BffEnv>()
    .get('/livez', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = !isStopping() && (await cache.ask('journal', canCommit));
      return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'not-ready' }, 503);
    });
}
