// Create Lead (spec, operation 2).

import type { CreateLeadResponse } from '../shared/funding-service/operations.ts';
import { checkPartnerAccess } from './access.ts';
import type { SandboxContext } from './context.ts';
import { createRecordId } from './ids.ts';
import { readLead, type LeadReading } from './lead-fields.ts';
import { parseObject, refuse, type Answer, type Received } from './operation.ts';
import { outageAttempts, readTags, toOutcome, toPlannedRow, type Tag } from './scenarios.ts';
import type { LeadRecord } from './state.ts';

/** Leads start with this owner; Contact User may reassign them. */
export const firstOwner = 'New applications';

export function createLead(received: Received, context: SandboxContext): Answer {
  const denied = checkPartnerAccess('create-lead', received.headers, context);
  if (denied) return refuse(denied);
  const fields = parseObject(received.text);
  if (!fields) return refuse('create-lead/malformed-json');
  const referenceId = typeof fields.ID === 'string' ? fields.ID : undefined;
  const echo = referenceId === undefined ? {} : { referenceId };

  const reading = readLead(fields);
  if (reading.kind === 'missing') {
    return refuse('create-lead/missing-required-field', { ...echo, subject: reading.field });
  }
  if (reading.kind === 'invalid') {
    return refuse('create-lead/invalid-field-value', { ...echo, subject: reading.field });
  }
  const { ID: id, Company: company } = reading.lead;
  // The refusal does not say which ApplicationID the earlier lead has: the spec promises only a text.
  if (context.state.applicationIdsByReference.has(id)) {
    return refuse('create-lead/duplicate-id', echo);
  }
  const tags = readTags(company);
  const planned = toPlannedRow(tags, 'create-lead');
  if (planned) return refuse(planned, { ...echo, subject: 'Company' });
  if (isTurnedAway(id, tags, context)) return { kind: 'broken', status: 503 };

  const record = commitLead(received, reading, tags, context);
  const { applicationId } = record;
  if (tags.includes('lost answer')) return { kind: 'broken', status: 504, applicationId };
  return { kind: 'done', applicationId, body: { ...toAnswer(record) } };
}

function commitLead(
  received: Received,
  { lead, ignoredFields }: Extract<LeadReading, { kind: 'valid' }>,
  tags: readonly Tag[],
  { clock, randomBytes, state }: SandboxContext,
): LeadRecord {
  const applicationId = createRecordId('lead', randomBytes);
  const createdAtMs = clock.now();
  const isMarked = tags.includes('do not contact');
  const record: LeadRecord = {
    applicationId,
    referenceId: lead.ID,
    trackingUrl: `${received.origin}/apply/${applicationId}`,
    createdAtMs,
    lead,
    receivedText: received.text,
    ignoredFields,
    tags,
    outcome: toOutcome(tags),
    contactPreference: isMarked ? 'do-not-contact' : 'contact-allowed',
    owner: firstOwner,
    history: [{ atMs: createdAtMs, event: 'Application received' }],
  };
  state.leads.set(applicationId, record);
  state.applicationIdsByReference.set(lead.ID, applicationId);
  return record;
}

function isTurnedAway(id: string, tags: readonly Tag[], { state }: SandboxContext): boolean {
  const attempts = state.turnedAway.get(id) ?? 0;
  if (!tags.includes('outage') || attempts >= outageAttempts) return false;
  state.turnedAway.set(id, attempts + 1);
  return true;
}

function toAnswer({ applicationId, referenceId, trackingUrl }: LeadRecord): CreateLeadResponse {
  return {
    IsSuccessful: true,
    ResponseText: 'Application created successfully.',
    ApplicationID: applicationId,
    ReferenceID: referenceId,
    pURL: trackingUrl,
  };
}
