// Rows for tests of the store. Arbitrary bytes stand for encrypted values.

import type {
  ConsentRow,
  NewApplication,
  NewAttachment,
  NewHandoff,
  NewSession,
} from '../../../../bff/store/store.ts';

export const day = 24 * 3_600_000;

export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

export function createSession(id: string, origin = 'https://a'): NewSession {
  return { id, origin, createdAt: 100 };
}

/** An application in a session of its own: `a1` in `s1` with the key `k1`. */
export function createNewApplication(changes: Partial<NewApplication> = {}): NewApplication {
  const { id = 'a1' } = changes;
  return {
    id,
    session: createSession(`s${id.slice(1)}`),
    idempotencyKey: `k${id.slice(1)}`,
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
  const text = { consentId: 'terms', version: '1', text: 'I agree.', textHash: 'ab', locale: 'en' };
  return { id, applicationId, ...text, givenAt: 100, encryptedAddress: bytes(8) };
}

/** @param at the time from which its session lasts for a day. */
export function createHandoff(id: string, at = 100): NewHandoff {
  const secrets = { tokenHash: `t-${id}`, codeHash: `c-${id}` };
  const numbers = { number: '42', choices: ['17', '42', '90'] };
  return { id, applicationId: 'a1', sessionId: 's1', ...secrets, ...numbers, endsAt: at + day };
}
