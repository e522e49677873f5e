// The keys of an encrypted PDF that opens without a password (ISO 32000-2, 7.6.4), and the ciphers they are for.

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** What the encryption dictionary says for the standard security handler. */
export interface StandardEncryption {
  /** `R`: 2 to 6. */
  readonly revision: number;
  /** `O`: checks the owner's password. */
  readonly owner: Buffer;
  /** `U`: checks the user's password. */
  readonly user: Buffer;
  /** `OE` and `UE`, of revision 5 and 6. */
  readonly ownerKey: Buffer;
  readonly userKey: Buffer;
  readonly permissions: number;
  /** What the trailers say is the first of the document's two. */
  readonly ids: readonly Buffer[];
}

/** 7.6.4.3.2: fills up a password, here the empty one. */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);

/** In bytes. Which one is meant, readers find in different places; only one fits. */
const keyLengths = [16, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** What the empty password opens a document with. */
export interface OpenKey {
  readonly key: Buffer;
  /** It is the owner's password, not the user's. */
  readonly isOwners: boolean;
}

/** `undefined` when the empty password is neither the user's nor the owner's. */
export function findOpenKey(encryption: StandardEncryption): OpenKey | undefined {
  if (encryption.revision >= 5) return findLongKey(encryption);
  for (const length of keyLengths) {
    for (const isOwners of [false, true]) {
      const password = isOwners ? findUserPassword(encryption, length) : padding;
      for (const id of encryption.ids) {
        for (const encryptsMetadata of [true, false]) {
          const key = computeKey(encryption, { length, password, id, encryptsMetadata });
          if (isUserKey(encryption, key, id)) return { key, isOwners };
        }
      }
    }
  }
  return undefined;
}

interface KeyInput {
  readonly length: number;
  /** Filled up to 32 bytes. */
  readonly password: Buffer;
  readonly id: Buffer;
  readonly encryptsMetadata: boolean;
}

/** Algorithm 2. */
function computeKey(
  { revision, owner, permissions }: StandardEncryption,
  { length, password, id, encryptsMetadata }: KeyInput,
): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions | 0);
  const parts = [password, owner.subarray(0, 32), bits, id];
  if (revision >= 4 && !encryptsMetadata) parts.push(Buffer.from('ffffffff', 'hex'));
  return hashPassword(revision, length, ...parts);
}

function hashPassword(revision: number, length: number, ...parts: Buffer[]): Buffer {
  let digest = hash('md5', ...parts);
  const rounds = revision >= 3 ? 50 : 0;
  for (let round = 0; round < rounds; round += 1) {
    digest = hash('md5', digest.subarray(0, length));
  }
  return digest.subarray(0, length);
}

/** Algorithms 4 to 6. */
function isUserKey({ revision, user }: StandardEncryption, key: Buffer, id: Buffer): boolean {
  if (revision === 2) return applyRc4(key, padding).equals(user.subarray(0, 32));
  let value = hash('md5', padding, id);
  for (let round = 0; round < 20; round += 1) value = applyRc4(flip(key, round), value);
  return value.equals(user.subarray(0, 16));
}

/** Algorithm 7, for the owner's empty password: the user's. */
function findUserPassword({ revision, owner }: StandardEncryption, length: number): Buffer {
  const key = hashPassword(revision, length, padding);
  let value = owner.subarray(0, 32);
  for (let round = revision >= 3 ? 19 : 0; round >= 0; round -= 1) {
    value = applyRc4(flip(key, round), value);
  }
  return value;
}

function flip(key: Buffer, round: number): Buffer {
  return Buffer.from(key.map((byte) => byte ^ round));
}

/** Algorithm 2.A: the check is a hash, the salt of the check, and the salt of the key. */
function findLongKey(encryption: StandardEncryption): OpenKey | undefined {
  const { revision, owner, ownerKey, user, userKey } = encryption;
  const nothing = Buffer.alloc(0);
  const ways = [
    { isOwners: false, check: user, sealed: userKey, more: nothing },
    { isOwners: true, check: owner, sealed: ownerKey, more: user.subarray(0, 48) },
  ];
  for (const { isOwners, check, sealed, more } of ways) {
    const digest = (salt: Buffer): Buffer =>
      revision === 5 ? hash('sha256', salt, more) : hashRepeatedly(salt, more);
    if (sealed.length >= 32 && digest(check.subarray(32, 40)).equals(check.subarray(0, 32))) {
      const wrapping = digest(check.subarray(40, 48));
      return { key: decryptAes(wrapping, Buffer.alloc(16), sealed.subarray(0, 32)), isOwners };
    }
  }
  return undefined;
}

/** Algorithm 2.B, for an empty password. */
function hashRepeatedly(salt: Buffer, more: Buffer): Buffer {
  let key = hash('sha256', salt, more);
  let last = 0;
  for (let round = 0; round < 64 || last > round - 32; round += 1) {
    const once = Buffer.concat([key, more]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => once));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(repeated);
    // 256 leaves 1 when divided by 3, so the sum of the digits tells the number's remainder.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = hash((['sha256', 'sha384', 'sha512'] as const)[sum % 3] ?? 'sha256', encrypted);
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

/** Algorithm 1: up to revision 4 every object has a key of its own. */
export function toObjectKey(
  key: Buffer,
  object: { readonly number: number; readonly generation: number },
  isAes: boolean,
): Buffer {
  const numbers = Buffer.alloc(5);
  numbers.writeUIntLE(object.number & 0xffffff, 0, 3);
  numbers.writeUIntLE(object.generation & 0xffff, 3, 2);
  const parts = isAes ? [key, numbers, Buffer.from('sAlT')] : [key, numbers];
  return hash('md5', ...parts).subarray(0, Math.min(key.length + 5, 16));
}

/** Whole blocks only; the padding of the last one stays. */
export function decryptAes(key: Buffer, vector: Buffer, data: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector);
  return decipher.setAutoPadding(false).update(data.subarray(0, data.length - (data.length % 16)));
}

/** OpenSSL 3 has RC4 only among what is out of date, and old statements have nothing else. */
export function applyRc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index] ?? 0;
  const swap = (one: number, other: number): void => {
    const kept = at(one);
    state[one] = at(other);
    state[other] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  const result = Buffer.alloc(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n += 1) {
    i = (i + 1) & 0xff;
    j = (j + at(i)) & 0xff;
    swap(i, j);
    result[n] = (data[n] ?? 0) ^ at((at(i) + at(j)) & 0xff);
  }
  return result;
}

function hash(algorithm: 'md5' | 'sha256' | 'sha384' | 'sha512', ...parts: Buffer[]): Buffer {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
}
