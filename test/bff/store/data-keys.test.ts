// Examining the data keys: which are there, and which open what the store holds.

import { describe, expect, it } from 'vitest';
import { checkDataKeys } from '../../../bff/store/data-keys.ts';
import type { DataKeyUse } from '../../../bff/store/store.ts';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';

const dataKeys = { 1: strongKey(1), 2: strongKey(2), 10: strongKey(10) };

describe('examineDataKeys', () => {
  it('names the one that wraps first, then the highest number', async () => {
    const found = await examine([], '2');
    expect(found).toEqual([
      { id: '2', applications: 0, wrapsNew: true, state: 'fits', unopened: [] },
      { id: '10', applications: 0, wrapsNew: false, state: 'fits', unopened: [] },
      { id: '1', applications: 0, wrapsNew: false, state: 'fits', unopened: [] },
    ]);
  });

  it.each([
    ['fits', 'both samples open', [strongKey(1), strongKey(1)], []],
    ['mixed', 'the newest does not open', [strongKey(1), strongKey(9)], ['a1']],
    ['mixed', 'the oldest does not open', [strongKey(9), strongKey(1)], ['a0']],
    ['wrong', 'neither opens', [strongKey(9), strongKey(9)], ['a0', 'a1']],
    ['fits', 'the only sample opens', [strongKey(1)], []],
    ['wrong', 'the only sample does not open', [strongKey(9)], ['a0']],
  ])('says %s when %s', async (state, _when, wrappedBy, unopened) => {
    const found = await examine([createUse('1', wrappedBy)], '2');
    expect(found.at(-1)).toMatchObject({ id: '1', applications: 7, state, unopened });
  });

  it('says that one is missing', async () => {
    const found = await examine([createUse('3', [strongKey(3)])], '2');
    expect(found).toContainEqual(
      expect.objectContaining({ id: '3', applications: 7, state: 'missing' }),
    );
  });

  it('takes a key that was cut or emptied for one that does not open', async () => {
    const { samples, ...use } = createUse('1', [strongKey(1)]);
    const cut = samples.map(({ applicationId }) => ({
      applicationId,
      key: { keyId: '1', bytes: new Uint8Array() },
    }));
    expect((await examine([{ ...use, samples: cut }], '1'))[0]?.state).toBe('wrong');
  });
});

function examine(uses: readonly DataKeyUse[], dataKeyId: string) {
  return checkDataKeys({ listDataKeyUse: async () => uses }, { dataKeys, dataKeyId });
}

/** Seven applications under the id; the samples are wrapped by the keys given. */
function createUse(keyId: string, wrappedBy: readonly string[]): DataKeyUse {
  const samples = wrappedBy.map((key, index) => {
    const applicationId = `a${index}`;
    return {
      applicationId,
      key: createEncryption({ [keyId]: key }).createCipher(applicationId).key,
    };
  });
  return { keyId, count: 7, samples };
}
