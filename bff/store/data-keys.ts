// Checks that DATA_KEYS can unwrap the keys of the stored applications: the oldest and the newest under each data key.

import type { Config } from '../config/config.ts';
import { createEncryption } from './encryption.ts';
import type { Store } from './store.ts';

/** A data key that is configured, in use, or both. */
export interface DataKey {
  readonly id: string;
  /** Applications that it wraps. Erased applications have no key. */
  readonly applications: number;
  readonly wrapsNew: boolean;
  /**
   * - `valid`: unwraps both samples, or wraps nothing.
   * - `missing`: not configured.
   * - `wrong`: unwraps no sample. Another key is configured under this id.
   * - `mixed`: unwraps one sample and not the other.
   */
  readonly state: 'valid' | 'missing' | 'wrong' | 'mixed';
  /** References of the samples that it cannot unwrap. */
  readonly failed: readonly string[];
}

/** Returns the data key that wraps new applications first, then the highest id. */
export async function checkDataKeys(
  store: Pick<Store, 'listDataKeySamples'>,
  { dataKeys }: Pick<Config, 'dataKeys'>,
): Promise<readonly DataKey[]> {
  const { keys, currentId } = dataKeys;
  const encryption = createEncryption(dataKeys);
  const allSamples = await store.listDataKeySamples();
  const others = new Set([...Object.keys(keys), ...allSamples.map(({ key }) => key.keyId)]);
  others.delete(currentId);
  const ids = [currentId, ...[...others].sort((a, b) => Number(b) - Number(a))];
  return ids.map((id) => {
    const samples = allSamples.filter(({ key }) => key.keyId === id);
    const failed = samples.filter(({ applicationId, key }) => {
      try {
        encryption.unwrapKey(applicationId, key);
        return false;
      } catch {
        // Node has no error class for a wrong authentication tag.
        return true;
      }
    });
    return {
      id,
      applications: samples[0]?.count ?? 0,
      wrapsNew: id === currentId,
      state: keys[id] === undefined ? 'missing' : toState(samples.length, failed.length),
      failed: failed.map(({ applicationId }) => applicationId),
    };
  });
}

function toState(samples: number, failed: number): DataKey['state'] {
  if (failed === 0) return 'valid';
  return failed === samples ? 'wrong' : 'mixed';
}

export interface DataKeyProblem {
  readonly code: `data-key-${Exclude<DataKey['state'], 'valid'>}`;
  readonly message: string;
  /** True when no application under the data key can be sent or shown. Otherwise one row may be damaged. */
  readonly isFatal: boolean;
}

export function listDataKeyProblems(dataKeys: readonly DataKey[]): readonly DataKeyProblem[] {
  return dataKeys.flatMap(({ id, applications, state, failed: [example] }) => {
    if (state === 'valid') return [];
    const count = applications === 1 ? '1 application' : `${applications} applications`;
    const messages = {
      missing: `DATA_KEYS lacks data key ${id}, which wraps ${count} in the store. Put data key ${id} back.`,
      wrong: `DATA_KEYS contains another data key ${id} than the one that wraps ${count} in the store, such as ${example}. Put the earlier data key ${id} back.`,
      mixed: `DATA_KEYS contains a data key ${id} that unwraps only some of its ${count}, and not ${example}. Either two different keys were used as data key ${id}, or a row is damaged. Run "keys rotate" once with each key ${id}, to wrap them with a new data key.`,
    };
    return [
      { code: `data-key-${state}`, message: messages[state], isFatal: state !== 'mixed' } as const,
    ];
  });
}
