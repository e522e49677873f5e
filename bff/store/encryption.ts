// Seals what is personal: AES-256-GCM with a key of its own for each application, which the data key wraps.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Config } from '../config/config.ts';
import type { AttachmentRow, WrappedKey } from './store.ts';

const algorithm = 'aes-256-gcm';
/** First byte of every sealed value, so that a later layout can be told apart. */
const layout = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Where a sealed value lives. It is bound to this place: copied to another row or column, it does not open. */
export interface Place {
  readonly table: 'application' | 'child' | 'chunk' | 'consent';
  /** Of the row; a chunk's is `<child id>/<number>`. */
  readonly id: string;
  readonly column: string;
}

/** One application's key at work. */
export interface ApplicationCipher {
  encrypt(place: Place, plain: Uint8Array | string): Uint8Array;
  /** Throws when the value was changed, belongs elsewhere, or was sealed with another key. */
  decrypt(place: Place, encrypted: Uint8Array): Buffer;
  /** Keyed hash: equal for equal texts of one application, and no help in guessing what stands in them. */
  fingerprint(text: string): string;
}

export interface Encryption {
  /** Of the data key that wraps new keys. */
  readonly wrappingKeyId: string;
  /** A new key for the application of that id. */
  createCipher(applicationId: string): {
    readonly key: WrappedKey;
    readonly cipher: ApplicationCipher;
  };
  /** Throws a `MissingDataKeyError` when the data key is not there any more. */
  openCipher(applicationId: string, key: WrappedKey): ApplicationCipher;
  /** The same key under the data key that wraps new ones; what it has sealed stays as it is. Throws as `open` does. */
  rewrap(applicationId: string, key: WrappedKey): WrappedKey;
}

/** An application was sealed under a data key that has since been taken out of the configuration. */
export class MissingDataKeyError extends Error {
  constructor() {
    super('The data key of an application is missing');
    this.name = 'MissingDataKeyError';
  }
}

export interface EncryptionOptions {
  /** Id of the data key that wraps new keys; default the only one. */
  readonly wrapWith?: string;
}

/**
 * Throws a `RangeError` when it is not clear which data key wraps new keys.
 *
 * @param dataKeys 32 bytes each in base64, by numeric id; all of them unwrap.
 */
export function createEncryption(
  dataKeys: Readonly<Record<string, string>>,
  { wrapWith }: EncryptionOptions = {},
): Encryption {
  const keys = new Map(
    Object.entries(dataKeys).map(([id, key]) => [id, Buffer.from(key, 'base64')] as const),
  );
  const wrappingKeyId = wrapWith ?? (keys.size === 1 ? Object.keys(dataKeys)[0] : undefined);
  const wrappingKey = wrappingKeyId === undefined ? undefined : keys.get(wrappingKeyId);
  if (wrappingKeyId === undefined || wrappingKey === undefined) {
    throw new RangeError('No data key is named that wraps new keys');
  }

  function toCipher(key: Uint8Array): ApplicationCipher {
    const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'fingerprint', keyBytes));
    return {
      encrypt: (place, plain) => encrypt(key, toAad(place), plain, randomBytes(nonceBytes)),
      decrypt: (place, encrypted) => decrypt(key, toAad(place), encrypted),
      fingerprint: (text) => createHmac('sha256', hashKey).update(text).digest('base64url'),
    };
  }

  const wrap = (applicationId: string, key: Uint8Array): WrappedKey => ({
    keyId: wrappingKeyId,
    bytes: encrypt(wrappingKey, toKeyAad(applicationId), key, randomBytes(nonceBytes)),
  });

  function unwrap(applicationId: string, { keyId, bytes }: WrappedKey): Buffer {
    const dataKey = keys.get(keyId);
    if (!dataKey) throw new MissingDataKeyError();
    return decrypt(dataKey, toKeyAad(applicationId), bytes);
  }

  return {
    wrappingKeyId,
    createCipher(applicationId) {
      const key = randomBytes(keyBytes);
      return { key: wrap(applicationId, key), cipher: toCipher(key) };
    },
    openCipher: (applicationId, key) => toCipher(unwrap(applicationId, key)),
    rewrap: (applicationId, key) => wrap(applicationId, unwrap(applicationId, key)),
  };
}

function encrypt(
  key: Uint8Array,
  aad: Uint8Array,
  plain: Uint8Array | string,
  nonce: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(aad);
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([Uint8Array.of(layout), nonce, body, cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, aad: Uint8Array, encrypted: Uint8Array): Buffer {
  if (encrypted[0] !== layout || encrypted.length < 1 + nonceBytes + tagBytes) {
    throw new RangeError('A sealed value has an unknown layout');
  }
  const nonce = encrypted.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(aad).setAuthTag(encrypted.subarray(-tagBytes));
  const plain = decipher.update(encrypted.subarray(1 + nonceBytes, -tagBytes));
  // GCM holds nothing back; what this checks is the tag.
  decipher.final();
  return plain;
}

function toAad({ table, id, column }: Place): Uint8Array {
  return Buffer.from(`${table}|${id}|${column}`);
}

function toKeyAad(applicationId: string): Uint8Array {
  return toAad({ table: 'application', id: applicationId, column: 'wrapped_key' });
}

export function leadPlace(applicationId: string): Place {
  return { table: 'application', id: applicationId, column: 'sealed_lead' };
}

export function trackingUrlPlace(applicationId: string): Place {
  return { table: 'application', id: applicationId, column: 'sealed_tracking_url' };
}

export function namePlace(attachmentId: string): Place {
  return { table: 'child', id: attachmentId, column: 'sealed_name' };
}

export function chunkPlace(attachmentId: string, number: number): Place {
  return { table: 'chunk', id: `${attachmentId}/${number}`, column: 'sealed' };
}

export function addressPlace(consentId: string): Place {
  return { table: 'consent', id: consentId, column: 'sealed_address' };
}

/** What else stands in it was written by another version, and means nothing to this one. */
const nameSchema = z.object({
  name: z.string(),
  extension: z.string(),
});

/** `name` without extension, `extension` without dot. */
export type StoredName = z.infer<typeof nameSchema>;

export function encryptName(
  cipher: ApplicationCipher,
  attachmentId: string,
  { name, extension }: StoredName,
): Uint8Array {
  return cipher.encrypt(namePlace(attachmentId), JSON.stringify({ name, extension }));
}

/** Throws when the child is no document, or is not complete. */
export function decryptName(
  cipher: ApplicationCipher,
  { id, encryptedName }: AttachmentRow,
): StoredName {
  if (encryptedName === undefined) throw new RangeError('This child has no name');
  return nameSchema.parse(
    JSON.parse(cipher.decrypt(namePlace(id), encryptedName).toString('utf8')),
  );
}

/**
 * 32 bytes for one purpose (HKDF, RFC 5869). Made of the data key with the lowest id: while data keys change in two steps all
 * processes have that one, whichever stands first. Only when it is taken out there is another, and what is marked begins anew.
 */
export function deriveKey({ dataKeys }: Pick<Config, 'dataKeys'>, purpose: string): Buffer {
  const lowest = Math.min(...Object.keys(dataKeys).map(Number));
  const dataKey = Buffer.from(dataKeys[lowest] ?? '', 'base64');
  return Buffer.from(hkdfSync('sha256', dataKey, '', purpose, 32));
}
