// `keys`, and the key problems that `check` reports too.

import { beforeEach, describe, expect, it } from 'vitest';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';
import { createCliRig, first, second, unknown, type CliRig } from './cli-rig.ts';

const oldKey = `1:${strongKey(1)}`;
const newKey = `2:${strongKey(2)}`;
const nextKey = `3:${strongKey(3)}`;
/** Another key under the id of the old one. */
const wrongKey = `1:${strongKey(9)}`;
const missing =
  'DATA_KEYS lacks data key 1, which wraps 2 applications in the store. Put data key 1 back.';
const wrong = `DATA_KEYS contains another data key 1 than the one that wraps 2 applications in the store, such as ${first}. Put the earlier data key 1 back.`;

describe('keys', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add(first);
    await rig.add(second);
    setKeys(newKey, oldKey);
  });

  function setKeys(...keys: readonly string[]): void {
    rig.variables['DATA_KEYS'] = keys.join(',');
  }

  async function addUnder(key: string, reference = unknown): Promise<void> {
    const keys = rig.variables['DATA_KEYS']!;
    setKeys(key);
    await rig.add(reference);
    setKeys(keys);
  }

  const readKeyId = async (reference: string) =>
    (await rig.store.findApplication(reference))?.key.keyId;

  it('counts the applications of each key', async () => {
    await rig.add(unknown);
    const { code, out } = await rig.run('keys');
    expect(code).toBe(0);
    expect(out).toBe(
      'data key  applications\n' +
        '2                    1  encrypts new applications\n' +
        '1                    2\n',
    );
    expect((await rig.run('keys', '--json')).json).toEqual({
      dataKeys: [
        { id: '2', applications: 1, wrapsNew: true },
        { id: '1', applications: 2, wrapsNew: false },
      ],
      removable: [],
    });
  });

  it('has nothing to rotate if the first key wraps all', async () => {
    setKeys(oldKey, newKey);
    expect((await rig.run('keys', '--json')).json.dataKeys).toEqual([
      { id: '1', applications: 2, wrapsNew: true },
      { id: '2', applications: 0, wrapsNew: false },
    ]);
    expect((await rig.run('keys', 'rotate', '--json')).json.rewrapped).toBe(0);
  });

  describe('rotate', () => {
    it('rewraps all applications', async () => {
      const { code, out } = await rig.run('keys', 'rotate');
      expect(code).toBe(0);
      expect(out).toContain('Moved 2 applications to data key 2.');
      expect(out).toContain('You can remove from DATA_KEYS: 1.');
      setKeys(newKey);
      expect((await rig.run('check')).code).toBe(0);
      const { key, encryptedLead } = (await rig.store.findApplication(second))!;
      const encryption = createEncryption({ keys: { 2: strongKey(2) }, currentId: '2' });
      const lead = encryption.unwrapKey(second, key).decrypt('lead', second, encryptedLead!);
      expect(lead.toString()).toContain('"owner"');
    });

    it('continues after an interruption', async () => {
      for (let index = 100; index < 550; index += 1) {
        await addUnder(oldKey, `0199c0de-0000-7000-8000-000000000${index}`);
      }
      let replaced = 0;
      const replaceKey: typeof rig.store.replaceKey = async (...call) => {
        replaced += 1;
        if (replaced > 300) throw new Error('cut off');
        return rig.store.replaceKey(...call);
      };
      expect((await rig.runOn({ replaceKey }, 'keys', 'rotate')).code).toBe(1);
      const { json } = await rig.run('keys', 'rotate', '--json');
      expect(json).toMatchObject({ rewrapped: 152, removable: ['1'] });
    });

    it('keeps changes of a running BFF', async () => {
      const replaceKey: typeof rig.store.replaceKey = async (id, from, to) => {
        if (id === first) await rig.store.erase(first);
        return rig.store.replaceKey(id, from, to);
      };
      const { code, json } = await rig.runOn({ replaceKey }, 'keys', 'rotate', '--json');
      expect([code, json.rewrapped]).toEqual([0, 1]);
      expect((await rig.store.findApplication(first))?.key.bytes).toHaveLength(0);
    });

    it('ends if another process keeps changing a row', async () => {
      const replaceKey = async () => false;
      const { json } = await rig.runOn({ replaceKey }, 'keys', 'rotate', '--json');
      expect(json).toMatchObject({ rewrapped: 0, removable: [] });
    });

    it.each([
      ['missing', [nextKey, newKey], `Moved 1 application to data key 3.\n${missing}\n`, '3'],
      ['wrong', [nextKey, newKey, wrongKey], `Moved 1 application to data key 3.\n${wrong}\n`, '3'],
      ['first and wrong', [wrongKey, newKey], `${wrong}\n`, '2'],
    ])('reports a key that is %s, and moves the rest', async (_how, keys, text, keyId) => {
      await addUnder(newKey);
      setKeys(...keys);
      const { code, err, json } = await rig.run('keys', 'rotate', '--json');
      expect([code, err]).toEqual([1, text]);
      expect(json.error).toBe(keyId === '3' ? 'not-all-rotated' : 'data-key-wrong');
      expect(await readKeyId(unknown)).toBe(keyId);
    });

    it('moves all if it runs once with each of two keys of the same id', async () => {
      await addUnder(wrongKey);
      const { err } = await rig.run('check');
      expect(err).toContain(`unwraps only some of its 3 applications, and not ${unknown}.`);
      expect((await rig.run('keys', 'rotate')).err).toContain('Moved 2 applications');
      setKeys(newKey, wrongKey);
      expect((await rig.run('keys', 'rotate')).out).toContain('Moved 1 application');
      setKeys(newKey);
      expect((await rig.run('check')).code).toBe(0);
    });

    it('reports a damaged application', async () => {
      const { key } = (await rig.store.findApplication(second))!;
      const bytes = Uint8Array.from(key.bytes);
      bytes[20]! ^= 1;
      await rig.store.replaceKey(second, key, { ...key, bytes });
      await addUnder(oldKey);
      const { code, err } = await rig.run('keys', 'rotate');
      expect(code).toBe(1);
      expect(err).toBe(
        `Moved 2 applications to data key 2.\n1 application could not be decrypted, for example ${second}. Restore the store from a backup, or erase what is damaged.\n`,
      );
    });
  });

  const missingTwo =
    'DATA_KEYS lacks data key 2, which wraps 1 application in the store. Put data key 2 back.';
  it.each([
    ['check', [newKey], `${missing}\n`, 'data-key-missing'],
    ['keys', [newKey], `${missing}\n`, 'data-key-missing'],
    ['check', [wrongKey], `${wrong}\n`, 'data-key-wrong'],
    ['keys', [wrongKey], `${wrong}\n`, 'data-key-wrong'],
    ['keys', [nextKey, wrongKey], `${missingTwo}\n${wrong}\n`, expect.any(String)],
  ])('%s reports all problems of the keys (%#)', async (name, keys, text, error) => {
    if (keys.length > 1) await addUnder(newKey);
    setKeys(...keys);
    const { code, err, json } = await rig.run(name, '--json');
    expect([code, err, json.error]).toEqual([1, text, error]);
    for (const reference of [first, second, unknown]) await rig.store.erase(reference);
    expect((await rig.run(name)).code).toBe(0);
  });
});
