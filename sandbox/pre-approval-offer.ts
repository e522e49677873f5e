// Get Pre-Approval Offer (spec, operation 3): decides anew at each call.

import type { PreApprovalResponse } from '../shared/funding-service/operations.ts';
import type {
  PreApprovalOffer,
  PreApprovalStatus,
} from '../shared/funding-service/pre-approval.ts';
import { checkPartnerAccess } from './authentication.ts';
import { createOffers, toUntidyOffers } from './offers.ts';
import { createErrorResult, type OperationRequest, type OperationResult } from './operation.ts';
import { findTaggedError } from './scenarios.ts';
import { isLeadId, type LeadRecord, type SandboxContext } from './state.ts';

const defaultOfferCount = 3;
const manyOffersCount = 8;

export function getPreApprovalOffer(
  request: OperationRequest,
  context: SandboxContext,
): OperationResult {
  const accessError = checkPartnerAccess('pre-approval-offer', request.headers, context);
  if (accessError) return createErrorResult(accessError);
  const applicationId = request.headers.get('ApplicationID');
  if (!applicationId) return createErrorResult('pre-approval-offer/application-id-missing');
  if (!isLeadId(applicationId)) {
    return createErrorResult('pre-approval-offer/application-id-invalid');
  }
  const record = context.state.leads.get(applicationId);
  if (!record) return createErrorResult('pre-approval-offer/application-not-found');
  const taggedError = findTaggedError(record.tags, 'pre-approval-offer');
  if (taggedError) return createErrorResult(taggedError, { applicationId });

  const { status, offers } = decide(record, context);
  const response: PreApprovalResponse = {
    IsSuccessful: true,
    ResponseText:
      status === 'Qualified' && offers.length === 0
        ? 'No related pre-approval offers have been created yet.'
        : 'Application found.',
    ReferenceID: record.referenceId,
    pURL: record.trackingUrl,
    PreApproval_Data: { PreApproval_Status: status, PreApproval_Offers: offers },
  };
  if (record.outcome !== 'untidy-offers') {
    return { kind: 'success', applicationId, body: { ...response } };
  }
  const untidy = { ...response.PreApproval_Data, PreApproval_Offers: toUntidyOffers(offers) };
  return { kind: 'success', applicationId, body: { ...response, PreApproval_Data: untidy } };
}

interface Decision {
  readonly status: PreApprovalStatus;
  readonly offers: readonly PreApprovalOffer[];
}

export function decide(
  record: LeadRecord,
  { clock, settings, state: { seed } }: SandboxContext,
): Decision {
  // Create Lead accepts such an amount, because the spec shows no bounds.
  if (record.outcome === 'not-qualified' || record.lead.LoanAmount <= 0) {
    return { status: 'Not Qualified', offers: [] };
  }
  const { outcome, customOffers, createdAtMs } = record;
  const readyAtMs =
    outcome === 'custom-offers' && customOffers
      ? customOffers.readyAtMs
      : createdAtMs + (outcome === 'automatic' ? settings.offerDelayMs : 0);
  const isTooEarly = clock.now() < readyAtMs;
  const count = isTooEarly || !settings.areOffersEnabled ? 0 : toOfferCount(record);
  const amounts = outcome === 'custom-offers' ? customOffers?.amounts : undefined;
  const offers = createOffers(record.applicationId, record.lead, count, { amounts, seed });
  return { status: 'Qualified', offers };
}

function toOfferCount({ outcome, customOffers }: LeadRecord): number {
  if (outcome === 'no-offers') return 0;
  if (outcome === 'one-offer') return 1;
  if (outcome === 'custom-offers' && customOffers) return customOffers.count;
  return outcome === 'many-offers' ? manyOffersCount : defaultOfferCount;
}
