// Counts the calls to the funding service, with their outcomes and durations, for `/metrics`.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { FundingService, Outcome } from '../funding-service/funding-service.ts';
import type { Counters } from './counters.ts';

/** @param clock epoch milliseconds. */
export function countCalls(
  service: FundingService,
  counters: Pick<Counters, 'countCall'>,
  clock: () => number,
): FundingService {
  async function count<Value>(
    operation: PartnerOperation,
    call: Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const startedAt = clock();
    const outcome = await call;
    counters.countCall(operation, outcome.kind, Math.max(0, clock() - startedAt) / 1000);
    return outcome;
  }

  return {
    readiness: (operation) => service.readiness(operation),
    maxConcurrentLeads: () => service.maxConcurrentLeads(),
    createLead: (...call) => count('create-lead', service.createLead(...call)),
    getPreApprovalOffer: (...call) =>
      count('pre-approval-offer', service.getPreApprovalOffer(...call)),
    contactUser: (...call) => count('contact-user', service.contactUser(...call)),
    submitAssetReport: (...call) => count('asset-report', service.submitAssetReport(...call)),
    uploadFile: (...call) => count('upload-file', service.uploadFile(...call)),
  };
}
