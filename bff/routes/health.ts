// `/livez` and `/readyz`: whether the process runs, and whether it can take applications.

import { Hono } from 'hono';
import type { BffEnv } from '../middleware/context.ts';
import type { Store } from '../store/store.ts';
import { createShortCache } from './offers.ts';

export interface HealthOptions {
  readonly store: Pick<Store, 'check'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** True once the process has been asked to stop. */
  readonly isStopping: () => boolean;
}

/**
 * Ready: not asked to stop, and the store commits, with room left on its disk. A funding service that does not answer leaves
 * us ready, since applications are kept until it does; for the same reason no number of waiting ones makes us unready: sent
 * away, their applicants would be served by nobody, and the room on the disk is a limit already.
 */
export function healthRoutes({ store, clock, isStopping }: HealthOptions): Hono<BffEnv> {
  const isStoreReady = createStoreReadiness({ store, clock });

  return new Hono<BffEnv>()
    .get('/livez', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = !isStopping() && (await isStoreReady());
      return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'not-ready' }, 503);
    });
}

const cacheMs = 1_000;

export interface StoreReadinessOptions {
  readonly store: Pick<Store, 'check'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** True while the store commits, with room left on its disk; asks it once a second at most, and never throws. */
export function createStoreReadiness({
  store,
  clock,
}: StoreReadinessOptions): () => Promise<boolean> {
  const cache = createShortCache<boolean>(cacheMs, clock);

  async function canCommit(): Promise<boolean> {
    try {
      await store.check();
      return true;
    } catch {
      // Full disk, lost volume, broken file, no database: for this answer they are one.
      return false;
    }
  }

  return () => cache.ask('store', canCommit);
}
