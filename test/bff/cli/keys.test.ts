// `keys`, and the key problems that `check` reports too.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { strongKey } from '../config/config-source.ts';
import { createCliRig, first, second, unknown, type CliRig } from './cli-rig.ts';

const oldKey = `1:${strongKey(1)}`;
const newKey = `2:${strongKey(2)}`;
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
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
  });

  afterEach(() => rig.store.close());

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

  it('rotate rewraps all applications', async () => {
    const { code, out } = await rig.run('keys', 'rotate');
    expect(code).toBe(0);
    expect(out).toContain('Moved 2 applications to data key 2.');
    expect(out).toContain('You can remove from DATA_KEYS: 1.');
    rig.variables['DATA_KEYS'] = newKey;
    expect((await rig.run('check')).code).toBe(0);
    const row = await rig.store.findApplication(second);
    const cipher = createEncryption({ keys: { 2: strongKey(2) }, currentId: '2' }).unwrapKey(
      second,
      row!.key,
    );
    expect(cipher.decrypt('lead', second, row!.encryptedLead!).toString()).toContain('"owner"');
    expect((await rig.run('keys', 'rotate', '--json')).json).toMatchObject({ rewrapped: 0 });
  });

  it('rotate continues after an interruption', async () => {
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

  it('rotate keeps changes of a running BFF', async () => {
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

  it('rotate ends if another process keeps changing a row', async () => {
    const replaceKey = async () => false;
    const openStore = async () => ({ ...rig.store, replaceKey, close: async () => undefined });
    const { json } = await rig.runWith({ openStore }, 'keys', 'rotate', '--json');
    expect(json).toMatchObject({ rewrapped: 0, removable: [] });
  });

  it('rotate reports a missing key after moving the rest', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${newKey}`;
    const { code, err, json } = await rig.run('keys', 'rotate', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('not-all-rotated');
    expect(err).toBe(`Moved 1 application to data key 3.\n${missing}\n`);
    expect((await rig.store.findApplication(unknown))?.key.keyId).toBe('3');
  });

  it('rotate reports a wrong key after moving the rest', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${newKey},${wrongKey}`;
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(`Moved 1 application to data key 3.\n${wrong}\n`);
  });

  it('rotate moves nothing to a wrong key', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `${wrongKey},${newKey}`;
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(`${wrong}\n`);
    expect((await rig.store.findApplication(unknown))?.key.keyId).toBe('2');
  });

  it('rotate moves all if it runs once with each of two keys of the same id', async () => {
    rig.variables['DATA_KEYS'] = wrongKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
    const { code, err } = await rig.run('check');
    expect(code).toBe(1);
    expect(err).toContain(`unwraps only some of its 3 applications, and not ${unknown}.`);
    expect((await rig.run('keys', 'rotate')).err).toContain('Moved 2 applications');
    rig.variables['DATA_KEYS'] = `${newKey},${wrongKey}`;
    expect((await rig.run('keys', 'rotate')).out).toContain('Moved 1 application');
    rig.variables['DATA_KEYS'] = newKey;
    expect((await rig.run('check')).code).toBe(0);
  });

  it('rotate reports a damaged application', async () => {
    await damage(second);
    await addUnderOldKey(unknown);
    const { code, err } = await rig.run('keys', 'rotate');
    expect(code).toBe(1);
    expect(err).toBe(
      `Moved 2 applications to data key 2.\n1 application could not be decrypted, for example ${second}. Restore the store from a backup, or erase what is damaged.\n`,
    );
  });

  it('shows that the first key encrypts new applications', async () => {
    rig.variables['DATA_KEYS'] = `${oldKey},${newKey}`;
    await rig.add(unknown);
    const { out } = await rig.run('keys');
    expect(out).toBe(
      'data key  applications\n' +
        '1                    3  encrypts new applications\n' +
        '2                    0\n',
    );
    expect((await rig.run('keys', 'rotate', '--json')).json.rewrapped).toBe(0);
    expect((await rig.run('check', '--json')).json.dataKeyIds).toEqual(['1', '2']);
  });

  describe.each([['check'], ['keys']])('%s', (name) => {
    it('reports a missing key', async () => {
      rig.variables['DATA_KEYS'] = newKey;
      const { code, err, json } = await rig.run(name, '--json');
      expect(code).toBe(1);
      expect(json.error).toBe('data-key-missing');
      expect(err).toBe(`${missing}\n`);
      await rig.store.erase(first);
      await rig.store.erase(second);
      expect((await rig.run(name)).code).toBe(0);
    });

    it('reports a wrong key', async () => {
      rig.variables['DATA_KEYS'] = wrongKey;
      const { code, err, json } = await rig.run(name, '--json');
      expect(code).toBe(1);
      expect(json.error).toBe('data-key-wrong');
      expect(err).toBe(`${wrong}\n`);
    });

    it('reports all problems at once', async () => {
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
