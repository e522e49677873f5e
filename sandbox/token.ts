// Get access token (spec, operation 1 and "Authentication").

import { createHash, createHmac } from 'node:crypto';
import type { TokenResponse } from '../shared/funding-service/operations.ts';
import { hasMediaType, sandboxCredentials } from './authentication.ts';
import { createErrorResult, type OperationRequest, type OperationResult } from './operation.ts';
import { createRecordId, toAlphanumeric, type SandboxContext } from './state.ts';

// Derived from the credentials, so that the identity URL is the same for every token.
const organizationId = deriveRecordId('organization', sandboxCredentials.partnerId);
const userId = deriveRecordId('user', sandboxCredentials.username);

const parameters = ['grant_type', 'client_id', 'client_secret', 'username', 'password'] as const;

export function getAccessToken(
  request: OperationRequest,
  context: SandboxContext,
): OperationResult {
  if (!hasMediaType(request.headers, 'application/x-www-form-urlencoded')) {
    return createErrorResult('token/content-type-invalid');
  }
  const form = new URLSearchParams(request.body);
  const missing = parameters.filter((name) => !form.get(name));
  if (missing.length > 0) {
    return createErrorResult('token/missing-parameter', { subject: missing.join(', ') });
  }
  const { clientId, clientSecret, username, password } = sandboxCredentials;
  if (form.get('grant_type') !== 'password') {
    return createErrorResult('token/unsupported-grant-type');
  }
  if (form.get('client_id') !== clientId) return createErrorResult('token/client-id-invalid');
  if (form.get('client_secret') !== clientSecret) {
    return createErrorResult('token/client-secret-invalid');
  }
  if (form.get('username') !== username || form.get('password') !== password) {
    return createErrorResult('token/user-invalid');
  }
  return { kind: 'success', body: { ...issueToken(request.origin, context) } };
}

function issueToken(origin: string, { clock, randomBytes, state }: SandboxContext): TokenResponse {
  const issuedAtMs = clock.now();
  const token = `${organizationId.slice(0, 15)}!${toAlphanumeric(randomBytes(96))}`;
  state.tokens.set(token, issuedAtMs);
  const id = `${origin}/id/${organizationId}/${userId}`;
  const issuedAt = String(issuedAtMs);
  return {
    access_token: token,
    instance_url: origin,
    id,
    token_type: 'Bearer',
    issued_at: issuedAt,
    // CRM platforms sign the identity URL and the time of issue with the client secret.
    signature: createHmac('sha256', sandboxCredentials.clientSecret)
      .update(id + issuedAt)
      .digest('base64'),
  };
}

function deriveRecordId(kind: 'organization' | 'user', name: string): string {
  const hash = createHash('sha256').update(`${kind} ${name}`).digest();
  return createRecordId(kind, (size) => hash.subarray(0, size));
}
