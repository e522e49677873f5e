// Rows for tests of the store. Arbitrary bytes stand for encrypted values.

import type {
  ConsentRow,
  NewApplication,
  NewAttachment,
  NewSession,
} from '../../../../bff/store/store.ts';

export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

export function createSession(id: string, origin = 'https://a'): NewSession {
  return { id, origin, createdAt: 100 };
}

export function createNewApplication(changes: Partial<NewApplication> = {}): NewApplication {
  return {
    id: 'a1',
    session: createSession('s1'),
    idempotencyKey: 'k1',
    fingerprint: 'f1',
    key: { keyId: '1', bytes: bytes(1, 2, 3) },
    encryptedLead: bytes(4, 5, 6),
    receivedAt: 100,
    ...changes,
  };
}

export function createAttachment(
  id: string,
  kind: NewAttachment['kind'] = 'document',
): NewAttachment {
  return { id, applicationId: 'a1', kind, category: 'other', createdAt: 100 };
}

export function createConsent(id: string, applicationId = 'a1'): ConsentRow {
  return {
    id,
    applicationId,
    consentId: 'terms',
    version: '1',
    text: 'I agree.',
    textHash: 'ab',
    locale: 'en',
    givenAt: 100,
    encryptedAddress: bytes(8),
  };
}
