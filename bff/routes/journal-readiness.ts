// Whether the journal takes applications; the same for `/readyz` and for `/metrics`.

import type { Journal } from '../journal/journal.ts';
import { createShortCache } from './short-cache.ts';

const cacheMs = 1_000;

export interface JournalReadinessOptions {
  readonly journal: Pick<Journal, 'check'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** True while the journal commits, with room left on its disk; asks it once a second at most, and never throws. */
export function createJournalReadiness({
  journal,
  clock,
}: JournalReadinessOptions): () => Promise<boolean> {
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

  return () => cache.ask('journal', canCommit);
}
