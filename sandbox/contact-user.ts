// Contact User (spec, operation 4): removes a Do Not Contact mark. The operation is idempotent.

import type { ContactUserResponse } from '../shared/funding-service/operations.ts';
import { checkPartnerAccess } from './authentication.ts';
import { createErrorResult, type OperationRequest, type OperationResult } from './operation.ts';
import { findTaggedError } from './scenarios.ts';
import type { LeadRecord, SandboxContext } from './state.ts';

/** The new owner of a lead whose mark was removed (spec, "States and transitions": ownership may be reassigned). */
const reengagementOwner = 'Re-engagement desk';

export function contactUser(request: OperationRequest, context: SandboxContext): OperationResult {
  const accessError = checkPartnerAccess('contact-user', request.headers, context);
  if (accessError) return createErrorResult(accessError);
  const applicationId = request.headers.get('ApplicationID');
  if (!applicationId) return createErrorResult('contact-user/application-id-missing');
  // The spec has no error for a malformed id here, unlike in Get Pre-Approval Offer.
  const record = context.state.leads.get(applicationId);
  if (!record) return createErrorResult('contact-user/application-not-found');
  const taggedError = findTaggedError(record.tags, 'contact-user');
  if (taggedError) return createErrorResult(taggedError, { applicationId });

  allowContact(record, context.clock.now());
  const response: ContactUserResponse = {
    IsSuccessful: true,
    ResponseText: 'Application was updated.',
  };
  return { kind: 'success', applicationId, body: { ...response } };
}

function allowContact(record: LeadRecord, atMs: number): void {
  if (record.contactPreference === 'contact-allowed') {
    record.history.push({ atMs, event: 'Contact User called; contact was already allowed' });
    return;
  }
  record.contactPreference = 'contact-allowed';
  record.owner = reengagementOwner;
  record.history.push({ atMs, event: `Contact re-enabled; owner is now ${reengagementOwner}` });
}
