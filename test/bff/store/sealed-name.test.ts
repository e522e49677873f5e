import { describe, expect, it } from 'vitest';
import {
  createEncryption,
  namePlace,
  decryptName,
  encryptName,
} from '../../../bff/store/encryption.ts';
import type { AttachmentRow } from '../../../bff/store/store.ts';

describe('a sealed name', () => {
  const encryption = createEncryption({ 1: Buffer.alloc(32, 1).toString('base64') });
  const { cipher } = encryption.createCipher('a1');
  const march = { name: 'march', extension: 'pdf' };

  it('opens as it was sealed', () => {
    const encrypted = encryptName(cipher, 'd1', march);
    expect(open(encrypted)).toEqual(march);
  });

  it('opens when an older version wrote more about the document', () => {
    const old = cipher.encrypt(namePlace('d1'), JSON.stringify({ ...march, needsPassword: true }));
    expect(open(old)).toEqual(march);
  });

  it('opens for its own document only', () => {
    const encrypted = encryptName(cipher, 'd2', march);
    expect(() => open(encrypted)).toThrow('unable to authenticate');
  });

  function open(encryptedName: Uint8Array) {
    return decryptName(cipher, { id: 'd1', encryptedName } as AttachmentRow);
  }
});
