// Proves under which ApplicationID the funding service has a lead: by its echo of the reference we gave.

import { isSameReference } from './answers.ts';
import type { FundingService, RefusalReason } from './funding-service.ts';

/**
 * - `proven`: the service has the application under our reference.
 * - `refuted`: it has no such application, or not under our reference.
 * - `unanswered`: nothing is known; asking again may help.
 */
export type ReferenceProof = 'proven' | 'refuted' | 'unanswered';

/** Asks for the pre-approval offer, which changes nothing there and has a `ReferenceID` (spec, operation 3). */
export async function proveReference(
  fundingService: Pick<FundingService, 'getPreApprovalOffer'>,
  applicationId: string,
  referenceId: string,
): Promise<ReferenceProof> {
  const outcome = await fundingService.getPreApprovalOffer(applicationId);
  if (outcome.kind === 'accepted') {
    const echoed = outcome.value.referenceId;
    return echoed !== undefined && isSameReference(echoed, referenceId) ? 'proven' : 'refuted';
  }
  if (outcome.kind !== 'refused') return 'unanswered';
  return refutingReasons.has(outcome.refusal.reason) ? 'refuted' : 'unanswered';
}

const refutingReasons: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'application-id-invalid',
  'application-not-found',
]);
