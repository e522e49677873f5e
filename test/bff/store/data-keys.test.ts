// The check of DATA_KEYS against the stored applications.

import { describe, expect, it } from 'vitest';
import { checkDataKeys } from '../../../bff/store/data-keys.ts';
import { createEncryption } from '../../../bff/store/encryption.ts';
import type { DataKeySample } from '../../../bff/store/store.ts';
import { strongKey } from '../config/config-source.ts';

const keys = { 1: strongKey(1), 2: strongKey(2), 10: strongKey(10) };

describe('checkDataKeys', () => {
  it('returns the wrapping key first, then the highest id', async () => {
    expect(await check([], '2')).toEqual([
      { id: '2', applications: 0, wrapsNew: true, state: 'valid', failed: [] },
      { id: '10', applications: 0, wrapsNew: false, state: 'valid', failed: [] },
      { id: '1', applications: 0, wrapsNew: false, state: 'valid', failed: [] },
    ]);
  });

  it.each([
    ['valid', 'both samples', [strongKey(1), strongKey(1)], []],
    ['mixed', 'only the oldest', [strongKey(1), strongKey(9)], ['a1']],
    ['mixed', 'only the newest', [strongKey(9), strongKey(1)], ['a0']],
    ['wrong', 'neither sample', [strongKey(9), strongKey(9)], ['a0', 'a1']],
    ['valid', 'the only sample', [strongKey(1)], []],
    ['wrong', 'not the only sample', [strongKey(9)], ['a0']],
  ])(
    'returns the state %s for a key that unwraps %s',
    async (state, _samples, wrappedBy, failed) => {
      const found = await check(createSamples('1', wrappedBy), '2');
      expect(found.at(-1)).toMatchObject({ id: '1', applications: 7, state, failed });
    },
  );

  it('reports a key that is in use and not configured', async () => {
    const found = await check(createSamples('3', [strongKey(3)]), '2');
    expect(found).toContainEqual(
      expect.objectContaining({ id: '3', applications: 7, state: 'missing' }),
    );
  });

  it('reports an empty wrapped key as wrong', async () => {
    const sample = { applicationId: 'a0', key: { keyId: '1', bytes: new Uint8Array() } };
    const found = await check([{ ...sample, count: 7 }], '1');
    expect(found[0]?.state).toBe('wrong');
  });
});

function check(samples: readonly DataKeySample[], currentId: string) {
  const dataKeys = { keys, currentId };
  return checkDataKeys({ listDataKeySamples: async () => samples }, { dataKeys });
}

/** The samples of a data key with seven applications. The given keys wrap the samples. */
function createSamples(keyId: string, wrappedBy: readonly string[]): readonly DataKeySample[] {
  return wrappedBy.map((wrappingKey, index) => {
    const applicationId = `a${index}`;
    const dataKeys = { keys: { [keyId]: wrappingKey }, currentId: keyId };
    const { key } = createEncryption(dataKeys).createCipher(applicationId);
    return { applicationId, key, count: 7 };
  });
}
