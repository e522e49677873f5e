// Whether the configuration's data keys open what the journal holds, tried on the oldest and the newest under each of them.

import type { Journal } from './journal.ts';
import type { KeptKey } from './records.ts';
import { createSealing, type Sealing } from './sealing.ts';

export interface DataKeys {
  /** As `createSealing` takes them. */
  readonly dataKeys: Readonly<Record<string, string>>;
  /** Of the one that wraps new applications. */
  readonly dataKeyId: string;
}

/** A data key that is configured, in use, or both; the key itself is shown nowhere. */
export interface DataKey {
  readonly id: string;
  /** How many it wraps; those that were erased have no key any more. */
  readonly applications: number;
  readonly wrapsNew: boolean;
  /**
   * `fits`: opens what was tried, or wraps nothing. `missing`: not configured. `wrong`: opens nothing of what was tried, so it
   * is another key under the same id. `mixed`: opens one and not the other.
   */
  readonly state: 'fits' | 'missing' | 'wrong' | 'mixed';
  /** Of the applications that were tried, those that do not open. */
  readonly unopened: readonly string[];
}

/** The one that wraps new applications comes first, then the highest id. */
export async function examineDataKeys(
  journal: Pick<Journal, 'listKeyUse'>,
  { dataKeys, dataKeyId }: DataKeys,
): Promise<readonly DataKey[]> {
  const sealing = createSealing(dataKeys, { wrapWith: dataKeyId });
  const uses = new Map((await journal.listKeyUse()).map((use) => [use.keyId, use] as const));
  const rest = new Set([...Object.keys(dataKeys), ...uses.keys()]);
  rest.delete(dataKeyId);
  const ids = [dataKeyId, ...[...rest].sort((a, b) => Number(b) - Number(a))];
  return ids.map((id) => {
    const { count = 0, samples = [] } = uses.get(id) ?? {};
    const unopened = samples.filter((sample) => !isOpened(sealing, sample));
    return {
      id,
      applications: count,
      wrapsNew: id === dataKeyId,
      state: dataKeys[id] === undefined ? 'missing' : toState(samples.length, unopened.length),
      unopened: unopened.map(({ applicationId }) => applicationId),
    };
  });
}

function toState(tried: number, unopened: number): DataKey['state'] {
  if (unopened === 0) return 'fits';
  return unopened === tried ? 'wrong' : 'mixed';
}

function isOpened(sealing: Sealing, { applicationId, key }: KeptKey): boolean {
  try {
    sealing.open(applicationId, key);
    return true;
  } catch {
    // Node has no class for a tag that does not fit.
    return false;
  }
}
