// Session seals: keys, and changed seals.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { strongKey } from '../config/config-source.ts';
import { createSessionSeals, type SealContent } from '../../../bff/middleware/session.ts';

const [one, two] = [strongKey(1), strongKey(2)];

const content: SealContent = {
  v: 1,
  sid: 'c2Vzc2lvbi1vbmUtdHdvLXQ',
  iat: 1_795_600_000,
  exp: 1_795_603_600,
  o: 'https://www.partner.example',
  t: 'cookie',
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a seal', () => {
  it('returns its content when it is unsealed', async () => {
    const seal = await create({ '1': one }, '1').seal(content);
    expect(await create({ '1': one }, '1').unseal(seal)).toEqual(content);
  });

  it('is sealed with the current key, but every key unseals it', async () => {
    const before = create({ '1': one }, '1');
    const readable = create({ '1': one, '2': two }, '1');
    const sealing = create({ '2': two, '1': one }, '2');
    const after = create({ '2': two }, '2');

    const old = await readable.seal(content);
    expect(await before.unseal(old)).toEqual(content);
    expect(await sealing.unseal(old)).toEqual(content);
    const fresh = await sealing.seal(content);
    expect(await readable.unseal(fresh)).toEqual(content);
    expect(await after.unseal(fresh)).toEqual(content);
    expect(await after.unseal(old)).toEqual('unknown-password');
    expect(await before.unseal(fresh)).toEqual('unknown-password');
  });

  it('is refused if another key has its ID', async () => {
    const seal = await create({ '1': two }, '1').seal(content);
    expect(await create({ '1': one }, '1').unseal(seal)).toEqual('invalid');
  });

  it.each([
    ['an unknown field', { ...content, admin: true }],
    ['no transport', { ...content, t: undefined }],
  ])('is refused if its content has %s', async (_name, odd) => {
    const seal = await create({ '1': one }, '1').seal(odd as SealContent);
    expect(await create({ '1': one }, '1').unseal(seal)).toEqual('invalid');
  });

  it('is refused in a spelling that iron-session accepts', async () => {
    const seals = create({ '1': one }, '1');
    const seal = await seals.seal(content);
    const bare = seal.slice(0, -2);
    const last = bare.charCodeAt(bare.length - 1);
    const sameCode = `${bare.slice(0, -1)}${String.fromCharCode(last + 1)}~2`;
    for (const other of [
      bare,
      `${bare}~1`,
      `${seal}~2`,
      `${seal}a`,
      `${seal} `,
      ` ${seal}`,
      sameCode,
    ]) {
      expect(await seals.unseal(other)).toEqual('invalid');
    }
  });
});

describe('createSessionSeals', () => {
  it('unseals a seal of another process once a minute', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const seal = await create({ '1': one }, '1').seal(content);
    let now = 0;
    const seals = createSessionSeals({ keys: { '1': one }, currentId: '1' }, 86_400, () => now);
    for (now of [0, 1_000, 59_999, 60_000, 60_001]) {
      expect(await seals.unseal(seal)).toEqual(content);
    }
    expect(verify).toHaveBeenCalledTimes(2);
  });

  it('unseals no seal of its own within a minute', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const seals = create({ '1': one }, '1');
    expect(await seals.unseal(await seals.seal(content))).toEqual(content);
    expect(verify).not.toHaveBeenCalled();
  });

  it('forgets the oldest of more than 10,000 seals', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const seals = create({ '1': one }, '1');
    const oldest = await seals.seal(content);
    const newest = await seals.seal(content);
    for (let sealed = 2; sealed < 10_001; sealed += 1) await seals.seal(content);
    await seals.unseal(newest);
    expect(verify).not.toHaveBeenCalled();
    await seals.unseal(oldest);
    expect(verify).toHaveBeenCalledOnce();
  });

  it('requires the current key', () => {
    expect(() => create({ '1': one }, '2')).toThrow(RangeError);
  });
});

function create(keys: Readonly<Record<string, string>>, keyId: string) {
  return createSessionSeals({ keys, currentId: keyId }, 86_400, Date.now);
}
