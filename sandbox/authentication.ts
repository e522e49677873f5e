// Authenticates partner calls: access token, content type, and partner headers (spec, "Common headers for partner operations").

import { tokenLifetimeMs, type PartnerOperation } from '../shared/funding-service/operations.ts';
import type { ErrorRowId } from './errors.ts';
import type { SandboxContext } from './state.ts';

/** The credentials of the only partner. They are public, because they give access to nothing but the sandbox. */
export const sandboxCredentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  username: 'partner@sandbox.example',
  password: 'sandbox-password',
  partnerId: 'P-1001',
  partnerName: 'Sandbox Partner',
} as const;

/** The operations for which the spec lists the PartnerId and PartnerName headers. */
type PartnerHeaderOperation = Exclude<PartnerOperation, 'asset-report' | 'upload-file'>;

/** Checks the token and the content type. Returns the error to send, if any. */
export function checkAccess(
  operation: PartnerOperation,
  headers: Headers,
  context: SandboxContext,
): ErrorRowId | undefined {
  if (readTokenState(headers, context) !== 'valid') return `${operation}/authentication-invalid`;
  if (!hasMediaType(headers, 'application/json')) return `${operation}/content-type-invalid`;
  return undefined;
}

/** Like `checkAccess`, and also checks the partner headers. */
export function checkPartnerAccess(
  operation: PartnerHeaderOperation,
  headers: Headers,
  context: SandboxContext,
): ErrorRowId | undefined {
  const error = checkAccess(operation, headers, context);
  if (error) return error;
  const id = headers.get('PartnerId');
  const name = headers.get('PartnerName');
  if (!id || !name) return `${operation}/partner-headers-missing`;
  const { partnerId, partnerName } = sandboxCredentials;
  if (id !== partnerId || name !== partnerName) return `${operation}/partner-headers-invalid`;
  return undefined;
}

export function readTokenState(
  headers: Headers,
  context: SandboxContext,
): 'absent' | 'unknown' | 'expired' | 'valid' {
  const token = /^Bearer (\S+)$/.exec(headers.get('Authorization') ?? '')?.[1];
  if (token === undefined) return 'absent';
  const issuedAtMs = context.state.tokens.get(token);
  if (issuedAtMs === undefined) return 'unknown';
  return context.clock.now() - issuedAtMs < tokenLifetimeMs ? 'valid' : 'expired';
}

export function hasMediaType(headers: Headers, mediaType: string): boolean {
  const contentType = headers.get('Content-Type')?.split(';')[0] ?? '';
  return contentType.trim().toLowerCase() === mediaType;
}
