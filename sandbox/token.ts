// Get access token (spec, operation 1 and "Authentication").

import { createHash, createHmac } from 'node:crypto';
import type { TokenResponse } from '../shared/funding-service/operations.ts';
import { hasMediaType } from './access.ts';
import type { SandboxContext } from './context.ts';
import { sandboxCredentials } from './credentials.ts';
import { createRecordId, toAlphabet } from './ids.ts';
import { refuse, type Answer, type Received } from './operation.ts';

/** The identity URL names the same organization and user at every login, because both belong to the credentials. */
const organizationId = deriveRecordId('organization', sandboxCredentials.partnerId);
const userId = deriveRecordId('user', sandboxCredentials.username);

const parameters = ['grant_type', 'client_id', 'client_secret', 'username', 'password'] as const;

export function getAccessToken(received: Received, context: SandboxContext): Answer {
  if (!hasMediaType(received.headers, 'application/x-www-form-urlencoded')) {
    return refuse('token/content-type-invalid');
  }
  const form = new URLSearchParams(received.text);
  const missing = parameters.filter((name) => !form.get(name));
  if (missing.length > 0) {
    return refuse('token/missing-parameter', { subject: missing.join(', ') });
  }
  const { clientId, clientSecret, username, password } = sandboxCredentials;
  if (form.get('grant_type') !== 'password') return refuse('token/unsupported-grant-type');
  if (form.get('client_id') !== clientId) return refuse('token/client-id-invalid');
  if (form.get('client_secret') !== clientSecret) return refuse('token/client-secret-invalid');
  if (form.get('username') !== username || form.get('password') !== password) {
    return refuse('token/user-invalid');
  }
  return { kind: 'done', body: { ...issueToken(received.origin, context) } };
}

function issueToken(origin: string, { clock, randomBytes, state }: SandboxContext): TokenResponse {
  const issuedAtMs = clock.now();
  const token = `${organizationId.slice(0, 15)}!${toAlphabet(randomBytes(96))}`;
  state.tokens.set(token, issuedAtMs);
  const id = `${origin}/id/${organizationId}/${userId}`;
  const issuedAt = String(issuedAtMs);
  return {
    access_token: token,
    instance_url: origin,
    id,
    token_type: 'Bearer',
    issued_at: issuedAt,
    // As platforms of this shape sign: the identity URL and the time of issue, keyed by the client's secret.
    signature: createHmac('sha256', sandboxCredentials.clientSecret)
      .update(id + issuedAt)
      .digest('base64'),
  };
}

function deriveRecordId(kind: 'organization' | 'user', name: string): string {
  const hash = createHash('sha256').update(`${kind} ${name}`).digest();
  return createRecordId(kind, (size) => hash.subarray(0, size));
}
