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

const [firstKey, secondKey] = [strongKey(1), strongKey(2)];
const bothKeys = { 1: firstKey, 2: secondKey };
/** The messages of Node for a wrong tag, and ours for a value that was not encrypted. */
const failure = /unable to authenticate|unknown format/;
const lead = ['lead', 'a1'] as const;

describe('createEncryption', () => {
  const encryption = createEncryption({ keys: { 1: firstKey }, currentId: '1' });
  const second = createEncryption({ keys: { 2: secondKey }, currentId: '2' });
  const { key, cipher } = encryption.createCipher('a1');
  const other = encryption.createCipher('a1').cipher;
  const encrypted = cipher.encrypt(...lead, 'x');

  it.each(['an SSN: 123456780', ''])('decrypts what it encrypted: "%s"', (text) => {
    const value = cipher.encrypt(...lead, text);
    const unwrapped = encryption.unwrapKey('a1', key);
    expect(unwrapped.decrypt(...lead, value).toString()).toBe(text);
  });

  it('hides the plaintext', () => {
    const value = Buffer.concat([cipher.encrypt(...lead, '123456780'), key.bytes]);
    expect(value.includes('123456780')).toBe(false);
  });

  it('uses each nonce once', () => {
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
    expect(() => cipher.decrypt(value, id, encrypted)).toThrow(failure);
  });

  it('decrypts no value with a changed or a missing byte', () => {
    for (const index of encrypted.keys()) {
      const changed = Uint8Array.from(encrypted);
      changed[index]! ^= 1;
      expect(() => cipher.decrypt(...lead, changed)).toThrow(failure);
      expect(() => cipher.decrypt(...lead, encrypted.subarray(0, index))).toThrow(failure);
    }
  });

  it('decrypts no value, and rewraps no key, of another application', () => {
    expect(() => other.decrypt(...lead, encrypted)).toThrow(failure);
    expect(() => encryption.unwrapKey('a2', key)).toThrow(failure);
    expect(() => encryption.rewrapKey('a2', key)).toThrow(failure);
    expect(() => encryption.unwrapKey('a2', encryption.rewrapKey('a1', key))).toThrow(failure);
  });

  it('fingerprints equal texts of one application equally', () => {
    expect(cipher.fingerprint('x')).toBe(encryption.unwrapKey('a1', key).fingerprint('x'));
    expect(cipher.fingerprint('x')).not.toBe(cipher.fingerprint('y'));
    expect(cipher.fingerprint('x')).not.toBe(other.fingerprint('x'));
  });

  it('tags equal chunks of one application equally', () => {
    const chunk = Buffer.alloc(262_143, 'x');
    const changed = Buffer.from(chunk).fill('y', 262_142);
    const toTag = cipher.createTagger();
    expect(toTag(chunk)).toBe(toTag(Buffer.from(chunk)));
    expect(toTag(chunk)).toBe(encryption.unwrapKey('a1', key).createTagger()(chunk));
    for (const tag of [toTag(changed), toTag(chunk.subarray(1)), other.createTagger()(chunk)]) {
      expect(toTag(chunk)).not.toBe(tag);
    }
  });

  it('keeps everything valid when it rewraps a key', () => {
    const rewrapped = createEncryption({ keys: bothKeys, currentId: '2' }).rewrapKey('a1', key);
    expect(rewrapped.keyId).toBe('2');
    const unwrapped = second.unwrapKey('a1', rewrapped);
    expect(unwrapped.decrypt(...lead, encrypted).toString()).toBe('x');
    expect(unwrapped.fingerprint('body')).toBe(cipher.fingerprint('body'));
    const chunk = Buffer.from('body');
    expect(unwrapped.createTagger()(chunk)).toBe(cipher.createTagger()(chunk));
  });

  it('reports a missing data key', () => {
    expect(() => second.unwrapKey('a1', key)).toThrow(MissingDataKeyError);
    expect(() => second.rewrapKey('a1', key)).toThrow(MissingDataKeyError);
  });

  it.each(['1', '2'])('wraps with data key %s while it unwraps with each', (id) => {
    const both = createEncryption({ keys: bothKeys, currentId: id });
    expect([both.wrappingKeyId, both.createCipher('a2').key.keyId]).toEqual([id, id]);
    expect(both.unwrapKey('a1', key).fingerprint('x')).toBe(cipher.fingerprint('x'));
  });

  it.each([
    [bothKeys, '3'],
    [{}, ''],
  ])('throws unless there is a current data key', (keys, currentId) => {
    expect(() => createEncryption({ keys, currentId })).toThrow(RangeError);
  });

  it('binds values to texts that stored values depend on', () => {
    const values = ['key', 'lead', 'trackingUrl', 'businessName', 'name', 'chunk', 'contentKey'];
    const texts = [...values, 'address'].map((value) => toAad(value as 'lead', 'id'));
    expect(texts).toEqual([
      'application|id|wrapped_key',
      'application|id|encrypted_lead',
      'application|id|encrypted_tracking_url',
      'application|id|encrypted_business_name',
      'attachment|id|encrypted_name',
      'chunk|id|encrypted',
      'chunk|id|content_key',
      'consent|id|encrypted_address',
    ]);
  });

  it('binds the name of a document to the document', () => {
    const march = { name: 'march', extension: 'pdf' };
    const encryptedName = encryptName(cipher, 'd1', march);
    const decrypt = (id: string) => decryptName(cipher, { id, encryptedName } as AttachmentRow);
    expect(decrypt('d1')).toEqual(march);
    expect(() => decrypt('d2')).toThrow(failure);
  });
});

describe('deriveKey', () => {
  const first = strongKey(3);
  const second = strongKey(2);

  function derive(dataKeys: string, purpose = 'a purpose'): string {
    const config = readValid({ ...production, DATA_KEYS: dataKeys });
    return deriveKey(config, purpose).export().toString('base64');
  }

  it.each([
    ['the second key is added', `9:${first},10:${second}`],
    ['the second key becomes the first', `10:${second},9:${first}`],
  ])('returns the same key in all processes while %s', (_step, after) => {
    expect(derive(after)).toBe(derive(`9:${first}`));
  });

  it.each([
    ['once the first data key is removed', `10:${second}`, 'a purpose'],
    ['for another purpose', `9:${first}`, 'another purpose'],
  ])('returns another key %s', (_when, dataKeys, purpose) => {
    expect(derive(dataKeys, purpose)).not.toBe(derive(`9:${first}`));
  });

  it('returns 32 bytes that differ from the data key', () => {
    expect(derive(`9:${first}`)).toMatch(/^[\w+/]{43}=$/);
    expect(derive(`9:${first}`)).not.toBe(first);
  });
});
