// Whether the configuration's data keys open what the store holds, tried on the oldest and the newest under each of them.

import { createEncryption, type Encryption } from './encryption.ts';
import type { Store, ApplicationKey } from './store.ts';

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
export async function checkDataKeys(
  store: Pick<Store, 'listDataKeyUse'>,
  { dataKeys, dataKeyId }: DataKeys,
): Promise<readonly DataKey[]> {
  const encryption = createEncryption(dataKeys, { wrapWith: dataKeyId });
  const uses = new Map((await store.listDataKeyUse()).map((use) => [use.keyId, use] as const));
  const rest = new Set([...Object.keys(dataKeys), ...uses.keys()]);
  rest.delete(dataKeyId);
  const ids = [dataKeyId, ...[...rest].sort((a, b) => Number(b) - Number(a))];
  return ids.map((id) => {
    const { count = 0, samples = [] } = uses.get(id) ?? {};
    const unopened = samples.filter((sample) => !isOpened(encryption, sample));
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

function isOpened(encryption: Encryption, { applicationId, key }: ApplicationKey): boolean {
  try {
    encryption.unwrapKey(applicationId, key);
    return true;
  } catch {
    // Node has no class for a tag that does not fit.
    return false;
  }
}

export interface DataKeyProblem {
  readonly code: 'data-key-missing' | 'data-key-wrong' | 'data-key-mixed';
  /** Names the variable, the data key's id, how many applications, and the mend. */
  readonly message: string;
  /** Nothing under that data key can be sent or shown; else it may be one damaged row that does not open. */
  readonly opensNone: boolean;
}

export function listDataKeyProblems(dataKeys: readonly DataKey[]): readonly DataKeyProblem[] {
  return dataKeys.flatMap((dataKey) => {
    const problem = toProblem(dataKey);
    return problem ? [problem] : [];
  });
}

function toProblem({
  id,
  applications,
  state,
  unopened: [example],
}: DataKey): DataKeyProblem | undefined {
  const count = applications === 1 ? '1 application' : `${applications} applications`;
  switch (state) {
    case 'fits':
      return undefined;
    case 'missing':
      return {
        code: 'data-key-missing',
        message: `DATA_KEYS has no data key ${id}, which wraps ${count} in the store: put it back.`,
        opensNone: true,
      };
    case 'wrong':
      return {
        code: 'data-key-wrong',
        message: `DATA_KEYS has another data key ${id} than the one that wraps ${count} in the store, for example ${example}: put the former back.`,
        opensNone: true,
      };
    case 'mixed':
      return {
        code: 'data-key-mixed',
        message: `DATA_KEYS has a data key ${id} that opens some of the ${count} under it and not others, for example ${example}: another key ${id} was in use for a time, or a row is damaged. Move them to a new data key by "keys rotate", once with each key ${id} there was.`,
        opensNone: false,
      };
  }
}
