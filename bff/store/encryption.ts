// Encrypts personal data with AES-256-GCM. Each application has its own key, which a key of DATA_KEYS wraps.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto';
import * as z from 'zod/mini';
import type { Config } from '../config/config.ts';
import type { KeyList } from '../config/environment-reader.ts';
import type { AttachmentRow, WrappedKey } from './store.ts';

const algorithm = 'aes-256-gcm';
/** First byte of every encrypted value. A later format gets another number. */
const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** The table and the column of each encrypted value. Stored values depend on these texts, so a released one never changes. */
const encryptedColumns = {
  key: ['application', 'wrapped_key'],
  lead: ['application', 'encrypted_lead'],
  trackingUrl: ['application', 'encrypted_tracking_url'],
  /** Masked. */
  businessName: ['application', 'encrypted_business_name'],
  name: ['attachment', 'encrypted_name'],
  chunk: ['chunk', 'encrypted'],
  /** Also in the column `encrypted`. Its own name keeps it apart from a chunk. */
  contentKey: ['chunk', 'content_key'],
  /** IP address that a consent was given from. */
  address: ['consent', 'encrypted_address'],
} as const;
type EncryptedValue = keyof typeof encryptedColumns;

/** Encrypts and decrypts with the key of one application. */
export interface ApplicationCipher {
  /** @param id Id of the row; for a chunk, the id of the attachment and the number of the chunk, as in `id/0`. */
  encrypt(value: EncryptedValue, id: string, plaintext: Uint8Array | string): Uint8Array;
  /** Throws when the value was changed, was encrypted with another key, or belongs to another row or column. */
  decrypt(value: EncryptedValue, id: string, encrypted: Uint8Array): Buffer;
  /** HMAC of the text. Equal texts of one application have equal fingerprints; nobody can guess a text from one. */
  fingerprint(text: string): string;
  /**
   * Returns a function that computes a tag of a chunk of content. Within one application, equal chunks have equal tags, and nobody
   * can find two chunks with the same tag. Reveal no tag: it belongs into a fingerprint.
   */
  createTagger(): (chunk: Uint8Array) => string;
}

export interface Encryption {
  /** Id of the data key that wraps new keys. */
  readonly wrappingKeyId: string;
  createCipher(applicationId: string): {
    readonly key: WrappedKey;
    readonly cipher: ApplicationCipher;
  };
  /** Throws a `MissingDataKeyError` when DATA_KEYS lacks the data key that wrapped the key. */
  unwrapKey(applicationId: string, key: WrappedKey): ApplicationCipher;
  /** Wraps the same key with the current data key. Values encrypted with the key stay valid. Throws like `unwrapKey`. */
  rewrapKey(applicationId: string, key: WrappedKey): WrappedKey;
}

export class MissingDataKeyError extends Error {
  constructor() {
    super('DATA_KEYS lacks the data key of an application.');
    this.name = 'MissingDataKeyError';
  }
}

/**
 * @param dataKeys Each of them unwraps keys. The current one wraps new keys.
 * @throws RangeError when there is no current data key.
 */
export function createEncryption(dataKeys: KeyList): Encryption {
  const { currentId: wrappingKeyId } = dataKeys;
  const keys = new Map(
    Object.entries(dataKeys.keys).map(([id, key]) => [id, createSecretKey(key, 'base64')] as const),
  );
  const wrappingKey = keys.get(wrappingKeyId);
  if (!wrappingKey) throw new RangeError('There is no data key to wrap new keys.');

  const wrap = (applicationId: string, key: Uint8Array): WrappedKey => ({
    keyId: wrappingKeyId,
    bytes: encrypt(wrappingKey, toAad('key', applicationId), key),
  });

  function unwrap(applicationId: string, { keyId, bytes }: WrappedKey): Buffer {
    const dataKey = keys.get(keyId);
    if (!dataKey) throw new MissingDataKeyError();
    return decrypt(dataKey, toAad('key', applicationId), bytes);
  }

  return {
    wrappingKeyId,
    createCipher(applicationId) {
      const key = randomBytes(keyBytes);
      return { key: wrap(applicationId, key), cipher: toCipher(createSecretKey(key)) };
    },
    unwrapKey: (applicationId, key) => toCipher(createSecretKey(unwrap(applicationId, key))),
    rewrapKey: (applicationId, key) => wrap(applicationId, unwrap(applicationId, key)),
  };
}

function toCipher(key: KeyObject): ApplicationCipher {
  // Derived only where it is needed, because a delivery asks for no fingerprint.
  const toHashKey = () => derive(key, 'fingerprint');
  return {
    encrypt: (value, id, plaintext) => encrypt(key, toAad(value, id), plaintext),
    decrypt: (value, id, encrypted) => decrypt(key, toAad(value, id), encrypted),
    fingerprint: (text) => createHmac('sha256', toHashKey()).update(text).digest('base64url'),
    createTagger: () => createTagger(derive(key, 'content')),
  };
}

/**
 * Tags are GMACs (NIST SP 800-38D), which take a fourteenth of the time of SHA-256. GMAC needs a new nonce for each tag that anybody
 * sees, because two tags with one nonce give the key away. These tags never leave the process, so equal chunks can have equal tags.
 */
function createTagger(key: KeyObject): (chunk: Uint8Array) => string {
  const nonce = Buffer.alloc(nonceBytes);
  return (chunk) => {
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(chunk);
    cipher.final();
    return cipher.getAuthTag().toString('base64url');
  };
}

/**
 * The additional authenticated data (AAD) of a value. A value that is copied to another row or column cannot be decrypted.
 * Exported for a test.
 */
export function toAad(value: EncryptedValue, id: string): string {
  const [table, column] = encryptedColumns[value];
  return `${table}|${id}|${column}`;
}

/** Keys are `KeyObject`s: a cipher or an HMAC with the bytes of a key costs several times as much in Node. */
function encrypt(key: KeyObject, aad: string, plaintext: Uint8Array | string): Uint8Array {
  const nonce = takeNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(aad));
  const body =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  const parts = [Uint8Array.of(formatVersion), nonce, body, cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts);
}

/** Random bytes for the next nonces, because a call of the generator takes as long for one nonce as for all of them. */
const nonces = Buffer.alloc(256 * nonceBytes);
let usedBytes = nonces.byteLength;

/** Valid until the next call. */
function takeNonce(): Uint8Array {
  if (usedBytes === nonces.byteLength) {
    randomFillSync(nonces);
    usedBytes = 0;
  }
  usedBytes += nonceBytes;
  return nonces.subarray(usedBytes - nonceBytes, usedBytes);
}

function decrypt(key: KeyObject, aad: string, encrypted: Uint8Array): Buffer {
  if (encrypted[0] !== formatVersion || encrypted.length < 1 + nonceBytes + tagBytes) {
    throw new RangeError('An encrypted value has an unknown format.');
  }
  const nonce = encrypted.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(encrypted.subarray(-tagBytes));
  const plaintext = decipher.update(encrypted.subarray(1 + nonceBytes, -tagBytes));
  // `final` returns no more bytes in GCM, but it verifies the tag.
  decipher.final();
  return plaintext;
}

const nameSchema = z.object({
  name: z.string(),
  extension: z.string(),
});

/** File name of a document: `name` without extension, `extension` without dot. */
export type StoredName = z.infer<typeof nameSchema>;

export function encryptName(
  cipher: ApplicationCipher,
  attachmentId: string,
  { name, extension }: StoredName,
): Uint8Array {
  return cipher.encrypt('name', attachmentId, JSON.stringify({ name, extension }));
}

/** Throws when the attachment has no name, because it is incomplete or not a document. */
export function decryptName(
  cipher: ApplicationCipher,
  { id, encryptedName }: AttachmentRow,
): StoredName {
  if (encryptedName === undefined) throw new RangeError('The attachment has no name.');
  return nameSchema.parse(JSON.parse(cipher.decrypt('name', id, encryptedName).toString()));
}

/**
 * Derives 32 bytes for one purpose (HKDF, RFC 5869) from the data key with the lowest id. All processes derive the same key
 * while DATA_KEYS is rotated in two steps, because its order does not matter. The derived key changes when the lowest data
 * key is removed.
 */
export function deriveKey({ dataKeys }: Pick<Config, 'dataKeys'>, purpose: string): KeyObject {
  const lowest = Math.min(...Object.keys(dataKeys.keys).map(Number));
  return derive(createSecretKey(dataKeys.keys[lowest] ?? '', 'base64'), purpose);
}

function derive(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, keyBytes)));
}
