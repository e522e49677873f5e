// Contact User (spec, operation 4): lifts a Do-Not-Contact mark; calling it again changes nothing.

import type { ContactUserResponse } from '../shared/funding-service/operations.ts';
import { checkPartnerAccess } from './access.ts';
import type { SandboxContext } from './context.ts';
import { refuse, type Answer, type Received } from './operation.ts';
import { toPlannedRow } from './scenarios.ts';
import type { LeadRecord } from './state.ts';

/** Who takes over a lead that may be contacted again (spec, "States and transitions": ownership may be reassigned). */
export const reengagementOwner = 'Re-engagement desk';

export function contactUser(received: Received, context: SandboxContext): Answer {
  const denied = checkPartnerAccess('contact-user', received.headers, context);
  if (denied) return refuse(denied);
  const applicationId = received.headers.get('ApplicationID');
  if (!applicationId) return refuse('contact-user/application-id-missing');
  // The spec has an "invalid" row for Get Pre-Approval Offer only; here a malformed id is one that is not found.
  const record = context.state.leads.get(applicationId);
  if (!record) return refuse('contact-user/application-not-found');
  const planned = toPlannedRow(record.tags, 'contact-user');
  if (planned) return refuse(planned, { applicationId });

  allowContact(record, context.clock.now());
  const answer: ContactUserResponse = {
    IsSuccessful: true,
    ResponseText: 'Application was updated.',
  };
  return { kind: 'done', applicationId, body: { ...answer } };
}

/** What the service's staff would do; in the sandbox a button and a control request do it. */
export function markDoNotContact(record: LeadRecord, atMs: number): void {
  record.contactPreference = 'do-not-contact';
  record.history.push({ atMs, event: 'Marked Do Not Contact' });
}

function allowContact(record: LeadRecord, atMs: number): void {
  if (record.contactPreference === 'contact-allowed') {
    record.history.push({ atMs, event: 'Contact confirmed; it was allowed already' });
    return;
  }
  record.contactPreference = 'contact-allowed';
  record.owner = reengagementOwner;
  record.history.push({ atMs, event: `Contact re-enabled; owner is now ${reengagementOwner}` });
}
