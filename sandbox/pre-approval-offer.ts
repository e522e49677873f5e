// Get Pre-Approval Offer (spec, operation 3): three outcomes, read anew at each call.

import type { PreApprovalResponse } from '../shared/funding-service/operations.ts';
import type {
  PreApprovalOffer,
  PreApprovalStatus,
} from '../shared/funding-service/pre-approval.ts';
import { checkPartnerAccess } from './access.ts';
import type { SandboxContext } from './context.ts';
import { isLeadId } from './ids.ts';
import { toOffers, toUntidyOffers } from './offers.ts';
import { refuse, type Answer, type Received } from './operation.ts';
import { toPlannedRow } from './scenarios.ts';
import type { LeadRecord } from './state.ts';

const usualOffers = 3;
const manyOffers = 8;

export function getPreApprovalOffer(received: Received, context: SandboxContext): Answer {
  const denied = checkPartnerAccess('pre-approval-offer', received.headers, context);
  if (denied) return refuse(denied);
  const applicationId = received.headers.get('ApplicationID');
  if (!applicationId) return refuse('pre-approval-offer/application-id-missing');
  if (!isLeadId(applicationId)) return refuse('pre-approval-offer/application-id-invalid');
  const record = context.state.leads.get(applicationId);
  if (!record) return refuse('pre-approval-offer/application-not-found');
  const planned = toPlannedRow(record.tags, 'pre-approval-offer');
  if (planned) return refuse(planned, { applicationId });

  const { status, offers } = decide(record, context);
  const answer: PreApprovalResponse = {
    IsSuccessful: true,
    ResponseText:
      status === 'Qualified' && offers.length === 0
        ? 'No related pre-approval offers have been created yet.'
        : 'Application found.',
    ReferenceID: record.referenceId,
    pURL: record.trackingUrl,
    PreApproval_Data: { PreApproval_Status: status, PreApproval_Offers: offers },
  };
  return { kind: 'done', applicationId, body: toBody(answer, record) };
}

interface Decision {
  readonly status: PreApprovalStatus;
  readonly offers: readonly PreApprovalOffer[];
}

export function decide(record: LeadRecord, { clock, settings }: SandboxContext): Decision {
  // Nothing can be offered on nothing; the service's own bounds are not documented.
  if (record.outcome === 'not-qualified' || record.lead.LoanAmount <= 0) {
    return { status: 'Not Qualified', offers: [] };
  }
  const isWaiting =
    record.outcome === 'automatic' && clock.now() - record.createdAtMs < settings.offerDelayMs;
  const count = isWaiting || !settings.areOffersEnabled ? 0 : toCount(record);
  return { status: 'Qualified', offers: toOffers(record.applicationId, record.lead, count) };
}

function toCount({ outcome }: LeadRecord): number {
  if (outcome === 'no-offers') return 0;
  if (outcome === 'one-offer') return 1;
  return outcome === 'many-offers' ? manyOffers : usualOffers;
}

function toBody(answer: PreApprovalResponse, { outcome }: LeadRecord): Record<string, unknown> {
  const data = answer.PreApproval_Data;
  if (outcome !== 'untidy-offers' || !data) return { ...answer };
  const offers = toUntidyOffers(data.PreApproval_Offers);
  return { ...answer, PreApproval_Data: { ...data, PreApproval_Offers: offers } };
}
