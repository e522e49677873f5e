// `keys`, and `check` where it says the same: which data keys are in use, how applications move to a new one, and what is missing.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEncryption, toLeadAad } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';
import { createCliRig, first, second, unknown, type CliRig } from './cli-rig.ts';

const oldKey = `1:${strongKey(1)}`;
const newKey = `2:${strongKey(2)}`;
/** Another key under the number of the old one. */
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
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
  });

  afterEach(() => rig.store.close());

  it('counts how many applications each key wraps', async () => {
    await rig.add(unknown);
    const { code, out } = await rig.run('keys');
    expect(code).toBe(0);
    expect(out).toBe(
      'data key  applications\n' +
        '2                    1  wraps new ones\n' +
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

  it('rotate wraps all anew, and says which key can go', async () => {
    const { code, out } = await rig.run('keys', 'rotate');
    expect(code).toBe(0);
    expect(out).toContain('2 applications moved to data key 2.');
    expect(out).toContain('Can be taken out of DATA_KEYS: 1.');
    rig.variables['DATA_KEYS'] = newKey;
    expect((await rig.run('check')).code).toBe(0);
    const row = await rig.store.findApplication(second);
    const cipher = createEncryption({ 2: strongKey(2) }).unwrapKey(second, row!.key);
    expect(cipher.decrypt(toLeadAad(second), row!.encryptedLead!).toString()).toContain('"owner"');
    expect((await rig.run('keys', 'rotate', '--json')).json).toMatchObject({ rewrapped: 0 });
  });

  it('rotate goes on where it broke off, in many batches', async () => {
    for (let index = 100; index < 550; index += 1) {
      await addUnderOldKey(`0199c0de-0000-7000-8000-000000000${index}`);
    }
    let replaced = 0;
    const replaceKey: typeof rig.store.replaceKey = async (...call) => {
      replaced += 1;
      if (replaced > 300) throw new Error('cut off');
      return rig.store.replaceKey(...call);
    };
    const openStore = async () => ({ ...rig.store, replaceKey, close: async () => undefined });
    expect((await rig.runWith({ openStore }, 'keys', 'rotate')).code).toBe(1);
    const { json } = await rig.run('keys', 'rotate', '--json');
    expect(json).toMatchObject({ rewrapped: 152, removable: ['1'] });
  });

  it('rotate undoes nothing that a running BFF does meanwhile', async () => {
    const replaceKey: typeof rig.store.replaceKey = async (id, from, to) => {
      if (id === first) await rig.store.erase(first);
      return rig.store.replaceKey(id, from, to);
    };
    const openStore = async () => ({ ...rig.store, replaceKey, close: async () => undefined });
    const { code, json } = await rig.runWith({ openStore }, 'keys', 'rotate', '--json');
    expect(code).toBe(0);
    expect(json.rewrapped).toBe(1);
    expect((await rig.store.findApplication(first))?.key.bytes).toHaveLength(0);
  });

  it('ends when a row keeps being changed by somebody else', async () => {
    const replaceKey = async () => false;
    const openStore = async () => ({ ...rig.store, replaceKey, close: async () => undefined });
    const { json } = await rig.runWith({ openStore }, 'keys', 'rotate', '--json');
    expect(json).toMatchObject({ rewrapped: 0, removable: [] });
  });

  it('rotate moves what it can, and names a key that is gone', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${newKey}`;
    const { code, err, json } = await rig.run('keys', 'rotate', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('not-all-rotated');
    expect(err).toBe(`1 application moved to data key 3.\n${missing}\n`);
    expect((await rig.store.findApplication(unknown))?.key.keyId).toBe('3');
  });

  it('rotate moves what it can, and names a key that is another', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${newKey},${wrongKey}`;
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(`1 application moved to data key 3.\n${wrong}\n`);
  });

  it('rotate moves nothing under a key that is not the one of its number', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `${wrongKey},${newKey}`;
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(`${wrong}\n`);
    expect((await rig.store.findApplication(unknown))?.key.keyId).toBe('2');
  });

  it('rotate brings together what two keys of one number wrapped, once it ran with each', async () => {
    rig.variables['DATA_KEYS'] = wrongKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
    const { code, err } = await rig.run('check');
    expect(code).toBe(1);
    expect(err).toContain(`unwraps only some of its 3 applications, and not ${unknown}.`);
    expect((await rig.run('keys', 'rotate')).err).toContain('2 applications moved');
    rig.variables['DATA_KEYS'] = `${newKey},${wrongKey}`;
    expect((await rig.run('keys', 'rotate')).out).toContain('1 application moved');
    rig.variables['DATA_KEYS'] = newKey;
    expect((await rig.run('check')).code).toBe(0);
  });

  it('rotate names a damaged application that stands between two that open', async () => {
    await damage(second);
    await addUnderOldKey(unknown);
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(
      `2 applications moved to data key 2.\n1 application could not be opened and stayed, for example ${second}: take the store from a backup, or erase what is damaged.\n`,
    );
  });

  it('wraps with the key that stands first, so that one can be added before it wraps', async () => {
    rig.variables['DATA_KEYS'] = `${oldKey},${newKey}`;
    await rig.add(unknown);
    const { out } = await rig.run('keys');
    expect(out).toBe(
      'data key  applications\n' +
        '1                    3  wraps new ones\n' +
        '2                    0\n',
    );
    expect((await rig.run('keys', 'rotate', '--json')).json.rewrapped).toBe(0);
    expect((await rig.run('check', '--json')).json.dataKeyIds).toEqual(['1', '2']);
  });

  describe.each([['check'], ['keys']])('%s', (name) => {
    it('names a key that is gone', async () => {
      rig.variables['DATA_KEYS'] = newKey;
      const { code, err, json } = await rig.run(name, '--json');
      expect(code).toBe(1);
      expect(json.error).toBe('data-key-missing');
      expect(err).toBe(`${missing}\n`);
      await rig.store.erase(first);
      await rig.store.erase(second);
      expect((await rig.run(name)).code).toBe(0);
    });

    it('names a key that is another under the same number', async () => {
      rig.variables['DATA_KEYS'] = wrongKey;
      const { code, err, json } = await rig.run(name, '--json');
      expect(code).toBe(1);
      expect(json.error).toBe('data-key-wrong');
      expect(err).toBe(`${wrong}\n`);
    });

    it('names all of them at once', async () => {
      rig.variables['DATA_KEYS'] = newKey;
      await rig.add(unknown);
      rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${wrongKey}`;
      expect((await rig.run(name)).err).toBe(
        `DATA_KEYS lacks data key 2, which wraps 1 application in the store. Put data key 2 back.\n${wrong}\n`,
      );
    });
  });

  async function damage(reference: string): Promise<void> {
    const row = await rig.store.findApplication(reference);
    const bytes = Uint8Array.from(row!.key.bytes);
    bytes[20]! ^= 1;
    await rig.store.replaceKey(reference, row!.key, { keyId: row!.key.keyId, bytes });
  }

  async function addUnderOldKey(reference: string): Promise<void> {
    const keys = rig.variables['DATA_KEYS']!;
    rig.variables['DATA_KEYS'] = oldKey;
    await rig.add(reference);
    rig.variables['DATA_KEYS'] = keys;
  }
});
