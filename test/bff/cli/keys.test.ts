// `keys` and `check`: which data keys are in use, how applications move to a new one, and what is missing.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leadPlace } from '../../../bff/journal/places.ts';
import { createSealing } from '../../../bff/journal/sealing.ts';
import { strongKey } from '../config-source.ts';
import { accepted, createCliRig, first, second, unknown, type CliRig } from './cli-rig.ts';

const oldKey = `1:${strongKey(1)}`;
const newKey = `2:${strongKey(2)}`;

describe('keys', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add(first);
    await rig.add(second);
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
  });

  afterEach(() => rig.journal.close());

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
        { id: '2', applications: 1, isNewest: true, isThere: true },
        { id: '1', applications: 2, isNewest: false, isThere: true },
      ],
      removable: [],
    });
  });

  it('rotate wraps all anew, and says which key can go', async () => {
    const { code, out } = await rig.run('keys', 'rotate');
    expect(code).toBe(0);
    expect(out).toContain('2 applications moved to the newest data key.');
    expect(out).toContain('Can be taken out of DATA_KEYS: 1.');
    rig.variables['DATA_KEYS'] = newKey;
    expect((await rig.run('check')).code).toBe(0);
    const row = await rig.journal.findApplication(second);
    const seal = createSealing({ 2: strongKey(2) }).open(second, row!.key);
    expect(seal.open(leadPlace(second), row!.sealedLead!).toString()).toContain('"owner"');
    expect((await rig.run('keys', 'rotate', '--json')).json).toMatchObject({ rewrapped: 0 });
  });

  it('rotate goes on where it broke off, in many batches', async () => {
    for (let index = 100; index < 550; index += 1) {
      await addUnderOldKey(`0199c0de-0000-7000-8000-000000000${index}`);
    }
    let replaced = 0;
    const replaceKey: typeof rig.journal.replaceKey = async (...call) => {
      replaced += 1;
      if (replaced > 300) throw new Error('cut off');
      return rig.journal.replaceKey(...call);
    };
    const openJournal = async () => ({ ...rig.journal, replaceKey, close: async () => undefined });
    expect((await rig.runWith({ openJournal }, 'keys', 'rotate')).code).toBe(1);
    const { json } = await rig.run('keys', 'rotate', '--json');
    expect(json).toMatchObject({ rewrapped: 152, removable: ['1'] });
  });

  it('rotate undoes nothing that a running BFF does meanwhile', async () => {
    const replaceKey: typeof rig.journal.replaceKey = async (id, from, to) => {
      if (id === first) await rig.journal.erase(first);
      return rig.journal.replaceKey(id, from, to);
    };
    const openJournal = async () => ({ ...rig.journal, replaceKey, close: async () => undefined });
    const { code, json } = await rig.runWith({ openJournal }, 'keys', 'rotate', '--json');
    expect(code).toBe(0);
    expect(json.rewrapped).toBe(1);
    expect((await rig.journal.findApplication(first))?.key.bytes).toHaveLength(0);
  });

  it('ends when a row keeps being changed by somebody else', async () => {
    const replaceKey = async () => false;
    const openJournal = async () => ({ ...rig.journal, replaceKey, close: async () => undefined });
    const { json } = await rig.runWith({ openJournal }, 'keys', 'rotate', '--json');
    expect(json).toMatchObject({ rewrapped: 0, removable: [] });
  });

  it('rotate moves what it can, and names a key that is gone', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    await rig.add(unknown);
    rig.variables['DATA_KEYS'] = `3:${strongKey(3)},${newKey}`;
    const { code, err, json } = await rig.run('keys', 'rotate', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('not-all-rotated');
    expect(err).toBe(
      '1 application moved to the newest data key. 2 applications cannot be opened without data key 1: put it back into DATA_KEYS.\n',
    );
    expect((await rig.journal.findApplication(unknown))?.key.keyId).toBe('3');
  });

  it('check names a key that is gone, too', async () => {
    rig.variables['DATA_KEYS'] = newKey;
    const { code, err, json } = await rig.run('check', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('data-key-missing');
    expect(err).toContain('2 applications cannot be opened without data key 1');
    await rig.journal.erase(first);
    await rig.journal.erase(second);
    expect((await rig.run('check')).code).toBe(0);
  });

  async function addUnderOldKey(reference: string): Promise<void> {
    const keys = rig.variables['DATA_KEYS']!;
    rig.variables['DATA_KEYS'] = oldKey;
    await rig.add(reference);
    rig.variables['DATA_KEYS'] = keys;
  }
});

describe('check', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    rig.variables['DATA_KEYS'] = `${newKey},${oldKey}`;
  });

  afterEach(() => rig.journal.close());

  it('says what it found', async () => {
    await rig.add();
    await rig.settle(accepted);
    const { code, out } = await rig.run('check');
    expect(code).toBe(0);
    expect(out).toContain('environment   sandbox\n');
    expect(out).toContain('journal       SQLite\n');
    expect(out).toContain('data keys     2, 1 (the first wraps new ones)\n');
    expect((await rig.run('check', '--json')).json).toEqual({
      environment: 'sandbox',
      engine: 'sqlite',
      applications: 1,
      dataKeyIds: ['2', '1'],
    });
  });

  it('fails when nothing can be committed', async () => {
    const error = Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR' });
    const check = () => Promise.reject(error);
    const openJournal = async () => ({ ...rig.journal, check, close: async () => undefined });
    const { code, err } = await rig.runWith({ openJournal }, 'check');
    expect(code).toBe(1);
    expect(err).toContain('It broke off (ERR_SQLITE_ERROR).');
  });

  it('knows the engine by the address', async () => {
    rig.variables['JOURNAL_URL'] = 'postgres://u:sandbox-password@localhost/j';
    expect((await rig.run('check')).out).toContain('journal       PostgreSQL\n');
  });
});
