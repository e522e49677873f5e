// Who may call: the token, the content type and the partner's headers (spec, "Common headers for partner operations").

import { tokenLifetimeMs } from '../shared/funding-service/operations.ts';
import type { SandboxContext } from './context.ts';
import { sandboxCredentials } from './credentials.ts';
import type { ErrorRowId } from './errors.ts';
import type { PartnerHeaderOperationId, PartnerOperationId } from './operation-ids.ts';

export type TokenState = 'absent' | 'unknown' | 'expired' | 'valid';

/** The row to answer when the token or the content type is wrong. */
export function checkAccess(
  operation: PartnerOperationId,
  headers: Headers,
  context: SandboxContext,
): ErrorRowId | undefined {
  if (readTokenState(headers, context) !== 'valid') return `${operation}/authentication-invalid`;
  if (!hasMediaType(headers, 'application/json')) return `${operation}/content-type-invalid`;
  return undefined;
}

/** As `checkAccess`, and the partner's two headers. */
export function checkPartnerAccess(
  operation: PartnerHeaderOperationId,
  headers: Headers,
  context: SandboxContext,
): ErrorRowId | undefined {
  const row = checkAccess(operation, headers, context);
  if (row) return row;
  const id = headers.get('PartnerId');
  const name = headers.get('PartnerName');
  if (!id || !name) return `${operation}/partner-headers-missing`;
  const { partnerId, partnerName } = sandboxCredentials;
  if (id !== partnerId || name !== partnerName) return `${operation}/partner-headers-invalid`;
  return undefined;
}

export function readTokenState(headers: Headers, context: SandboxContext): TokenState {
  const token = /^Bearer (\S+)$/.exec(headers.get('Authorization') ?? '')?.[1];
  if (token === undefined) return 'absent';
  const issuedAtMs = context.state.tokens.get(token);
  if (issuedAtMs === undefined) return 'unknown';
  return context.clock.now() - issuedAtMs < tokenLifetimeMs ? 'valid' : 'expired';
}

export function hasMediaType(headers: Headers, mediaType: string): boolean {
  const given = headers.get('Content-Type')?.split(';')[0] ?? '';
  return given.trim().toLowerCase() === mediaType;
}
