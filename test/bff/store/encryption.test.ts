// Sealing: what opens, and all that must not.

import { describe, expect, it } from 'vitest';
import { createSealing, MissingDataKeyError, type Place } from '../../../bff/store/encryption.ts';

const firstKey = Buffer.alloc(32, 1).toString('base64');
const secondKey = Buffer.alloc(32, 2).toString('base64');
const bothKeys = { 1: firstKey, 2: secondKey };
/** Node's own words for a tag that does not fit, and ours for what is no sealed value at all. */
const refusal = /unable to authenticate|unknown layout/;
const place: Place = { table: 'application', id: 'a1', column: 'sealed_lead' };

describe('sealing', () => {
  const sealing = createSealing({ 1: firstKey });

  it('opens what it sealed', () => {
    const { key, seal } = sealing.create('a1');
    const sealed = seal.seal(place, 'an SSN: 123456780');
    expect(sealing.open('a1', key).open(place, sealed).toString()).toBe('an SSN: 123456780');
  });

  it('opens an empty value', () => {
    const { seal } = sealing.create('a1');
    expect(seal.open(place, seal.seal(place, ''))).toHaveLength(0);
  });

  it('shows nothing of the text', () => {
    const { key, seal } = sealing.create('a1');
    const sealed = Buffer.concat([seal.seal(place, '123456780'), key.bytes]);
    expect(sealed.includes('123456780')).toBe(false);
  });

  it('seals the same text differently each time', () => {
    const { seal } = sealing.create('a1');
    expect(seal.seal(place, 'x')).not.toEqual(seal.seal(place, 'x'));
  });

  it('puts a key under the data key that wraps, and what it sealed opens as before', () => {
    const { key, seal } = sealing.create('a1');
    const sealed = seal.seal(place, 'x');
    const rewrapped = createSealing(bothKeys, { wrapWith: '2' }).rewrap('a1', key);
    expect(rewrapped.keyId).toBe('2');
    const opened = createSealing({ 2: secondKey }).open('a1', rewrapped);
    expect(opened.open(place, sealed).toString()).toBe('x');
    expect(opened.fingerprint('body')).toBe(seal.fingerprint('body'));
  });

  it('puts no key of another application under a data key', () => {
    const { key } = sealing.create('a1');
    expect(() => sealing.rewrap('a2', key)).toThrow(refusal);
    expect(() => sealing.open('a2', sealing.rewrap('a1', key))).toThrow(refusal);
  });

  it('cannot put a key under another data key once its own is gone', () => {
    const { key } = sealing.create('a1');
    expect(() => createSealing({ 2: secondKey }).rewrap('a1', key)).toThrow(MissingDataKeyError);
  });

  it.each<[string, Place]>([
    ['table', { ...place, table: 'child' }],
    ['row', { ...place, id: 'a2' }],
    ['column', { ...place, column: 'sealed_tracking_url' }],
  ])('opens nothing that was moved to another %s', (_what, other) => {
    const { seal } = sealing.create('a1');
    expect(() => seal.open(other, seal.seal(place, 'x'))).toThrow(refusal);
  });

  it('opens nothing that was changed in any byte', () => {
    const { seal } = sealing.create('a1');
    const sealed = seal.seal(place, 'x');
    for (const index of sealed.keys()) {
      const changed = Uint8Array.from(sealed);
      changed[index]! ^= 1;
      expect(() => seal.open(place, changed)).toThrow(refusal);
    }
  });

  it('opens nothing that was cut', () => {
    const { seal } = sealing.create('a1');
    const sealed = seal.seal(place, 'text');
    for (const length of sealed.keys()) {
      expect(() => seal.open(place, sealed.subarray(0, length))).toThrow(refusal);
    }
  });

  it('opens nothing of another application', () => {
    const one = sealing.create('a1');
    const sealed = one.seal.seal(place, 'x');
    expect(() => sealing.create('a1').seal.open(place, sealed)).toThrow(refusal);
    expect(() => sealing.open('a2', one.key)).toThrow(refusal);
  });

  it.each(['1', '2'])('wraps with the key it is told, %s, and unwraps with all of them', (id) => {
    const before = sealing.create('a1');
    const sealed = before.seal.seal(place, 'x');
    const both = createSealing(bothKeys, { wrapWith: id });
    expect(both.wrappingKeyId).toBe(id);
    expect(both.create('a2').key.keyId).toBe(id);
    expect(both.open('a1', before.key).open(place, sealed).toString()).toBe('x');
  });

  it('wraps with the only key there is', () => {
    expect(createSealing({ 2: secondKey }).create('a').key.keyId).toBe('2');
  });

  it.each([
    ['of several keys none is told', bothKeys, {}],
    ['the one it is told is not there', bothKeys, { wrapWith: '3' }],
    ['there is none', {}, {}],
  ])('does not guess what wraps: %s', (_what, keys, options) => {
    expect(() => createSealing(keys, options)).toThrow(RangeError);
  });

  it('says that a data key is missing', () => {
    const { key } = createSealing({ 2: secondKey }).create('a1');
    expect(() => sealing.open('a1', key)).toThrow('data key');
  });

  it('has equal fingerprints for equal texts of one application only', () => {
    const { key, seal } = sealing.create('a1');
    expect(seal.fingerprint('x')).toBe(sealing.open('a1', key).fingerprint('x'));
    expect(seal.fingerprint('x')).not.toBe(seal.fingerprint('y'));
    expect(seal.fingerprint('x')).not.toBe(sealing.create('a1').seal.fingerprint('x'));
  });
});
