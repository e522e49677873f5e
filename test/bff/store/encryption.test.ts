// Encryption of personal data, and the keys derived from the data keys.

import { describe, expect, it } from 'vitest';
import {
  createEncryption,
  decryptName,
  deriveKey,
  encryptName,
  MissingDataKeyError,
  toAad,
} from '../../../bff/store/encryption.ts';
import type { AttachmentRow } from '../../../bff/store/store.ts';
import { production, readValid, strongKey } from '../config/config-source.ts';

const firstKey = strongKey(1);
const secondKey = strongKey(2);
const first = { keys: { 1: firstKey }, currentId: '1' };
const second = { keys: { 2: secondKey }, currentId: '2' };
const bothKeys = { 1: firstKey, 2: secondKey };
/** The messages of Node for a wrong tag, and ours for a value that was not encrypted. */
const failure = /unable to authenticate|unknown format/;
const lead = ['lead', 'a1'] as const;

describe('createEncryption', () => {
  const encryption = createEncryption(first);

  it.each(['an SSN: 123456780', ''])('decrypts what it encrypted: "%s"', (text) => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(...lead, text);
    expect(
      encryption
        .unwrapKey('a1', key)
        .decrypt(...lead, encrypted)
        .toString(),
    ).toBe(text);
  });

  it('hides the plaintext', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = Buffer.concat([cipher.encrypt(...lead, '123456780'), key.bytes]);
    expect(encrypted.includes('123456780')).toBe(false);
  });

  it('encrypts the same text differently each time', () => {
    const { cipher } = encryption.createCipher('a1');
    expect(cipher.encrypt(...lead, 'x')).not.toEqual(cipher.encrypt(...lead, 'x'));
  });

  it('uses each nonce once', () => {
    const { cipher } = encryption.createCipher('a1');
    const nonces = Array.from({ length: 2_000 }, () =>
      Buffer.from(cipher.encrypt(...lead, 'x').subarray(1, 13)).toString('hex'),
    );
    expect(new Set(nonces)).toHaveProperty('size', nonces.length);
  });

  it.each([
    ['row', 'lead', 'a2'],
    ['column', 'trackingUrl', 'a1'],
    ['table', 'name', 'a1'],
  ] as const)('decrypts no value that was moved to another %s', (_place, value, id) => {
    const { cipher } = encryption.createCipher('a1');
    expect(() => cipher.decrypt(value, id, cipher.encrypt(...lead, 'x'))).toThrow(failure);
  });

  it('decrypts no value with a changed byte', () => {
    const { cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(...lead, 'x');
    for (const index of encrypted.keys()) {
      const changed = Uint8Array.from(encrypted);
      changed[index]! ^= 1;
      expect(() => cipher.decrypt(...lead, changed)).toThrow(failure);
    }
  });

  it('decrypts no truncated value', () => {
    const { cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(...lead, 'text');
    for (const length of encrypted.keys()) {
      expect(() => cipher.decrypt(...lead, encrypted.subarray(0, length))).toThrow(failure);
    }
  });

  it('decrypts no value of another application', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(...lead, 'x');
    expect(() => encryption.createCipher('a1').cipher.decrypt(...lead, encrypted)).toThrow(failure);
    expect(() => encryption.unwrapKey('a2', key)).toThrow(failure);
  });

  it('fingerprints equal texts of one application equally', () => {
    const { key, cipher } = encryption.createCipher('a1');
    expect(cipher.fingerprint('x')).toBe(encryption.unwrapKey('a1', key).fingerprint('x'));
    expect(cipher.fingerprint('x')).not.toBe(cipher.fingerprint('y'));
    expect(cipher.fingerprint('x')).not.toBe(encryption.createCipher('a1').cipher.fingerprint('x'));
  });

  it('tags equal chunks of one application equally', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const chunk = Buffer.alloc(262_143, 'x');
    const changed = Buffer.from(chunk).fill('y', 262_142);
    const toTag = cipher.createTagger();
    expect(toTag(chunk)).toBe(toTag(Buffer.from(chunk)));
    expect(toTag(chunk)).toBe(encryption.unwrapKey('a1', key).createTagger()(chunk));
    expect(toTag(chunk)).not.toBe(toTag(changed));
    expect(toTag(chunk)).not.toBe(toTag(chunk.subarray(1)));
    expect(toTag(chunk)).not.toBe(encryption.createCipher('a1').cipher.createTagger()(chunk));
  });

  it('decrypts a value after its key was rewrapped', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(...lead, 'x');
    const rewrapped = createEncryption({ keys: bothKeys, currentId: '2' }).rewrapKey('a1', key);
    expect(rewrapped.keyId).toBe('2');
    const unwrapped = createEncryption(second).unwrapKey('a1', rewrapped);
    expect(unwrapped.decrypt(...lead, encrypted).toString()).toBe('x');
    expect(unwrapped.fingerprint('body')).toBe(cipher.fingerprint('body'));
    const chunk = Buffer.from('body');
    expect(unwrapped.createTagger()(chunk)).toBe(cipher.createTagger()(chunk));
  });

  it('rewraps no key of another application', () => {
    const { key } = encryption.createCipher('a1');
    expect(() => encryption.rewrapKey('a2', key)).toThrow(failure);
    expect(() => encryption.unwrapKey('a2', encryption.rewrapKey('a1', key))).toThrow(failure);
  });

  it('reports a missing data key', () => {
    const { key } = encryption.createCipher('a1');
    const other = createEncryption(second);
    expect(() => other.unwrapKey('a1', key)).toThrow(MissingDataKeyError);
    expect(() => other.rewrapKey('a1', key)).toThrow(MissingDataKeyError);
  });

  it.each(['1', '2'])('wraps with data key %s while it unwraps with each', (id) => {
    const before = encryption.createCipher('a1');
    const encrypted = before.cipher.encrypt(...lead, 'x');
    const both = createEncryption({ keys: bothKeys, currentId: id });
    expect(both.wrappingKeyId).toBe(id);
    expect(both.createCipher('a2').key.keyId).toBe(id);
    expect(
      both
        .unwrapKey('a1', before.key)
        .decrypt(...lead, encrypted)
        .toString(),
    ).toBe('x');
  });

  it('throws unless there is a current data key', () => {
    expect(() => createEncryption({ keys: bothKeys, currentId: '3' })).toThrow(RangeError);
    expect(() => createEncryption({ keys: {}, currentId: '' })).toThrow(RangeError);
  });

  it('keeps the AAD of values that earlier versions stored', () => {
    expect([
      toAad('key', 'a1'),
      toAad('lead', 'a1'),
      toAad('trackingUrl', 'a1'),
      toAad('name', 'd1'),
      toAad('chunk', 'd1/2'),
      toAad('address', 'c1'),
    ]).toEqual([
      'application|a1|wrapped_key',
      'application|a1|sealed_lead',
      'application|a1|sealed_tracking_url',
      'child|d1|sealed_name',
      'chunk|d1/2|sealed',
      'consent|c1|sealed_address',
    ]);
  });
});

describe('encryptName', () => {
  const { cipher } = createEncryption(first).createCipher('a1');
  const march = { name: 'march', extension: 'pdf' };

  it('encrypts a name that decryptName returns', () => {
    expect(decrypt(encryptName(cipher, 'd1', march))).toEqual(march);
  });

  it('returns a name that an earlier version stored with more properties', () => {
    const old = cipher.encrypt('name', 'd1', JSON.stringify({ ...march, needsPassword: true }));
    expect(decrypt(old)).toEqual(march);
  });

  it('binds a name to its document', () => {
    expect(() => decrypt(encryptName(cipher, 'd2', march))).toThrow(failure);
  });

  function decrypt(encryptedName: Uint8Array) {
    return decryptName(cipher, { id: 'd1', encryptedName } as AttachmentRow);
  }
});

describe('deriveKey', () => {
  const first = strongKey(3);
  const second = strongKey(2);

  it.each([
    ['the second key is added', `9:${first}`, `9:${first},10:${second}`],
    ['the second key becomes the first', `9:${first},10:${second}`, `10:${second},9:${first}`],
    ['a single BFF does both at once', `9:${first}`, `10:${second},9:${first}`],
  ])('returns the same key in all processes while %s', (_step, before, after) => {
    expect(derive(after)).toBe(derive(before));
  });

  it('returns another key once the first data key is removed', () => {
    expect(derive(`10:${second}`)).not.toBe(derive(`10:${second},9:${first}`));
  });

  it('returns another key for another purpose', () => {
    expect(derive(`9:${first}`, 'another purpose')).not.toBe(derive(`9:${first}`));
  });

  it('returns 32 bytes that differ from the data key', () => {
    expect(derive(`9:${first}`)).toMatch(/^[\w+/]{43}=$/);
    expect(derive(`9:${first}`)).not.toBe(first);
  });

  function derive(dataKeys: string, purpose = 'a purpose'): string {
    const config = readValid({ ...production, DATA_KEYS: dataKeys });
    return deriveKey(config, purpose).export().toString('base64');
  }
});
