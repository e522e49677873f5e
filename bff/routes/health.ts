// `/livez` and `/readyz`: whether the process runs, and whether it can accept applications.

import { Hono } from 'hono';
import type { BffEnv } from '../middleware/context.ts';
import type { Store } from '../store/store.ts';
import { createShortCache } from './short-cache.ts';

const cacheMs = 1_000;

/**
 * The process is ready unless it is stopping, or the store cannot commit or is short of disk space. It stays ready while the funding
 * service is unavailable and however many applications wait, because it can still store applications.
 *
 * @param isStopping true after the process has received a signal to stop.
 */
export function healthRoutes(
  isStoreReady: () => Promise<boolean>,
  isStopping: () => boolean,
): Hono<BffEnv> {
  return new Hono<BffEnv>()
    .get('/livez', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = !isStopping() && (await isStoreReady());
      return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'not-ready' }, 503);
    });
}

/** Checks the store at most once per second. Never throws. */
export function createStoreReadiness(
  store: Pick<Store, 'check'>,
  clock: () => number,
): () => Promise<boolean> {
  const getReadiness = createShortCache<boolean>(cacheMs, clock);
  const canCommit = () =>
    store.check().then(
      () => true,
      // A full disk, a lost volume, a damaged file, or no database connection.
      () => false,
    );
  return () => getReadiness('store', canCommit);
}
