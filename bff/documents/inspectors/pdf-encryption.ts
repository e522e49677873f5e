// Opens the encryption of a PDF as a reader does that is given no password: what such a document holds is seen by everybody, so it is looked at.

import { applyRc4, decryptAes, findOpenKey, toObjectKey } from './pdf-keys.ts';
import { unknownNumber, type PdfFacts } from './pdf-facts.ts';
import type { PdfStarts } from './pdf-starts.ts';
import { readValues, type PdfValues } from './pdf-values.ts';

export interface EncryptedObject {
  readonly number: number;
  readonly generation: number;
}

/**
 * - `open`: encrypted, and opens without a password, as statements do that may be read and not changed.
 * - `locked`: nobody reads it without the password, or the certificate.
 */
export type PdfEncryption =
  | { readonly kind: 'none' | 'locked' }
  | {
      readonly kind: 'open';
      /** The empty password is not the user's, which is the only one that many readers try before they ask. */
      readonly needsPassword: boolean;
      decrypt(object: EncryptedObject, data: Buffer): Buffer | undefined;
    };

type Cipher = 'rc4' | 'aes' | 'none';

/** The first one stays what it was (14.4), and each costs time to try. */
const maxIdentities = 2;

/** `undefined` when it cannot be told what every reader makes of it. */
export function openEncryption(
  bytes: Buffer,
  facts: Pick<PdfFacts, 'catalogs' | 'encryptions' | 'passwordChecks'>,
  starts: PdfStarts,
): PdfEncryption | undefined {
  const dictionaries = new Map<number, PdfValues>();
  const identities = new Map<string, Buffer>();
  for (const place of facts.encryptions) {
    const positions = findDictionaries(bytes, place.encryption, starts);
    const ids = place.id === undefined ? new Map() : readValues(bytes, place.id);
    if (!positions || !ids) return undefined;
    const identity = toBytes(ids, '0');
    identities.set(identity.toString('hex'), identity);
    for (const position of positions) {
      const values = readValues(bytes, position);
      if (!values) return undefined;
      dictionaries.set(position, values);
    }
  }
  const [first, ...others] = dictionaries.values();
  if (!first) return { kind: 'none' };
  // Every trailer of a document names the same one, and no other stands where only some readers find it.
  if (facts.catalogs.some(({ encryption }) => encryption === undefined)) return undefined;
  const isSame = others.every((other) => toComparable(other) === toComparable(first));
  const expectedChecks = first.has('O') && first.has('U') ? dictionaries.size : 0;
  if (!isSame || identities.size > maxIdentities || facts.passwordChecks !== expectedChecks)
    return undefined;
  return openDictionary(first, [...identities.values()]);
}

function toComparable(values: PdfValues): string {
  return JSON.stringify([...values]);
}

/** None for `null`. */
function findDictionaries(
  bytes: Buffer,
  position: number | undefined,
  starts: PdfStarts,
): readonly number[] | undefined {
  if (position === undefined) return [];
  const value = readValues(bytes, position)?.get('');
  if (!value) return [position];
  if (value.text === 'null') return [];
  const found = starts.positions.flatMap((_, index) =>
    starts.getNumbers(index).number === Number(value.text) ? [starts.getContent(index)] : [],
  );
  return found.length === 0 ? undefined : found;
}

function openDictionary(values: PdfValues, ids: readonly Buffer[]): PdfEncryption | undefined {
  const text = (path: string): string => values.get(path)?.text ?? '';
  // Others need a certificate.
  if (text('Filter') !== 'Standard') return { kind: 'locked' };
  const [version, revision] = [Number(text('V')), Number(text('R'))];
  const cipher = findCipher(version, text);
  const isKnown = version === 5 ? [5, 6].includes(revision) : [2, 3, 4].includes(revision);
  if (!cipher || !isKnown) return undefined;
  const [owner, user] = [toBytes(values, 'O'), toBytes(values, 'U')];
  const found = findOpenKey({
    revision,
    owner,
    user,
    ownerKey: toBytes(values, 'OE'),
    userKey: toBytes(values, 'UE'),
    permissions: Number(text('P')),
    ids,
  });
  const needsPassword = found?.isOwners ?? true;
  if (cipher === 'none') return { kind: 'open', needsPassword, decrypt: (_, data) => data };
  const checkLength = version === 5 ? 48 : 32;
  if (owner.length < checkLength || user.length < checkLength) return undefined;
  if (!found) return { kind: 'locked' };
  const { key } = found;
  return {
    kind: 'open',
    needsPassword,
    decrypt(object, data) {
      if (version === 5) return decryptAes(key, data.subarray(0, 16), data.subarray(16));
      if (object.number === unknownNumber) return undefined;
      const own = toObjectKey(key, object, cipher === 'aes');
      if (cipher === 'rc4') return applyRc4(own, data);
      return decryptAes(own, data.subarray(0, 16), data.subarray(16));
    },
  };
}

/** 7.6.2 and 7.6.6. */
function findCipher(version: number, text: (path: string) => string): Cipher | undefined {
  if (version === 1 || version === 2) return 'rc4';
  if (version !== 4 && version !== 5) return undefined;
  const filter = text('StmF');
  if (filter === '' || filter === 'Identity') return 'none';
  switch (text(`CF/${filter}/CFM`)) {
    case 'V2':
      return 'rc4';
    case 'AESV2':
    case 'AESV3':
      return 'aes';
    case 'None':
      return 'none';
    default:
      return undefined;
  }
}

function toBytes(values: PdfValues, path: string): Buffer {
  const value = values.get(path);
  return Buffer.from(value?.kind === 'string' ? value.text : '', 'latin1');
}
