// Sealing: what opens, and all that must not.

import { describe, expect, it } from 'vitest';
import {
  createEncryption,
  MissingDataKeyError,
  type Place,
} from '../../../bff/store/encryption.ts';

const firstKey = Buffer.alloc(32, 1).toString('base64');
const secondKey = Buffer.alloc(32, 2).toString('base64');
const bothKeys = { 1: firstKey, 2: secondKey };
/** Node's own words for a tag that does not fit, and ours for what is no sealed value at all. */
const refusal = /unable to authenticate|unknown layout/;
const place: Place = { table: 'application', id: 'a1', column: 'sealed_lead' };

describe('sealing', () => {
  const encryption = createEncryption({ 1: firstKey });

  it('opens what it sealed', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(place, 'an SSN: 123456780');
    expect(encryption.openCipher('a1', key).decrypt(place, encrypted).toString()).toBe(
      'an SSN: 123456780',
    );
  });

  it('opens an empty value', () => {
    const { cipher } = encryption.createCipher('a1');
    expect(cipher.decrypt(place, cipher.encrypt(place, ''))).toHaveLength(0);
  });

  it('shows nothing of the text', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = Buffer.concat([cipher.encrypt(place, '123456780'), key.bytes]);
    expect(encrypted.includes('123456780')).toBe(false);
  });

  it('seals the same text differently each time', () => {
    const { cipher } = encryption.createCipher('a1');
    expect(cipher.encrypt(place, 'x')).not.toEqual(cipher.encrypt(place, 'x'));
  });

  it('puts a key under the data key that wraps, and what it sealed opens as before', () => {
    const { key, cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(place, 'x');
    const rewrapped = createEncryption(bothKeys, { wrapWith: '2' }).rewrap('a1', key);
    expect(rewrapped.keyId).toBe('2');
    const opened = createEncryption({ 2: secondKey }).openCipher('a1', rewrapped);
    expect(opened.decrypt(place, encrypted).toString()).toBe('x');
    expect(opened.fingerprint('body')).toBe(cipher.fingerprint('body'));
  });

  it('puts no key of another application under a data key', () => {
    const { key } = encryption.createCipher('a1');
    expect(() => encryption.rewrap('a2', key)).toThrow(refusal);
    expect(() => encryption.openCipher('a2', encryption.rewrap('a1', key))).toThrow(refusal);
  });

  it('cannot put a key under another data key once its own is gone', () => {
    const { key } = encryption.createCipher('a1');
    expect(() => createEncryption({ 2: secondKey }).rewrap('a1', key)).toThrow(MissingDataKeyError);
  });

  it.each<[string, Place]>([
    ['table', { ...place, table: 'child' }],
    ['row', { ...place, id: 'a2' }],
    ['column', { ...place, column: 'sealed_tracking_url' }],
  ])('opens nothing that was moved to another %s', (_what, other) => {
    const { cipher } = encryption.createCipher('a1');
    expect(() => cipher.decrypt(other, cipher.encrypt(place, 'x'))).toThrow(refusal);
  });

  it('opens nothing that was changed in any byte', () => {
    const { cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(place, 'x');
    for (const index of encrypted.keys()) {
      const changed = Uint8Array.from(encrypted);
      changed[index]! ^= 1;
      expect(() => cipher.decrypt(place, changed)).toThrow(refusal);
    }
  });

  it('opens nothing that was cut', () => {
    const { cipher } = encryption.createCipher('a1');
    const encrypted = cipher.encrypt(place, 'text');
    for (const length of encrypted.keys()) {
      expect(() => cipher.decrypt(place, encrypted.subarray(0, length))).toThrow(refusal);
    }
  });

  it('opens nothing of another application', () => {
    const one = encryption.createCipher('a1');
    const encrypted = one.cipher.encrypt(place, 'x');
    expect(() => encryption.createCipher('a1').cipher.decrypt(place, encrypted)).toThrow(refusal);
    expect(() => encryption.openCipher('a2', one.key)).toThrow(refusal);
  });

  it.each(['1', '2'])('wraps with the key it is told, %s, and unwraps with all of them', (id) => {
    const before = encryption.createCipher('a1');
    const encrypted = before.cipher.encrypt(place, 'x');
    const both = createEncryption(bothKeys, { wrapWith: id });
    expect(both.wrappingKeyId).toBe(id);
    expect(both.createCipher('a2').key.keyId).toBe(id);
    expect(both.openCipher('a1', before.key).decrypt(place, encrypted).toString()).toBe('x');
  });

  it('wraps with the only key there is', () => {
    expect(createEncryption({ 2: secondKey }).createCipher('a').key.keyId).toBe('2');
  });

  it.each([
    ['of several keys none is told', bothKeys, {}],
    ['the one it is told is not there', bothKeys, { wrapWith: '3' }],
    ['there is none', {}, {}],
  ])('does not guess what wraps: %s', (_what, keys, options) => {
    expect(() => createEncryption(keys, options)).toThrow(RangeError);
  });

  it('says that a data key is missing', () => {
    const { key } = createEncryption({ 2: secondKey }).createCipher('a1');
    expect(() => encryption.openCipher('a1', key)).toThrow('data key');
  });

  it('has equal fingerprints for equal texts of one application only', () => {
    const { key, cipher } = encryption.createCipher('a1');
    expect(cipher.fingerprint('x')).toBe(encryption.openCipher('a1', key).fingerprint('x'));
    expect(cipher.fingerprint('x')).not.toBe(cipher.fingerprint('y'));
    expect(cipher.fingerprint('x')).not.toBe(encryption.createCipher('a1').cipher.fingerprint('x'));
  });
});
