// Claims with a given progress, for tests of decisions.

import type { Claim, DeliveryKind, DeliveryProgress } from '../../../bff/store/store.ts';
import { createAttachment, createNewApplication } from '../store/contract/rows.ts';

const firstAttempt: DeliveryProgress = {
  attempts: 1,
  uncertainAttempts: 0,
  clearedAttempts: 0,
  interruptions: 0,
  firstAttemptAt: 0,
  lastOutcome: undefined,
  heldReason: undefined,
  refusedSince: undefined,
};

/** Default: the first attempt. */
export function createClaim(kind: DeliveryKind, progress: Partial<DeliveryProgress> = {}): Claim {
  const lease = { fencingToken: 1, claimedAt: 0 };
  const { session, ...added } = createNewApplication();
  const application = {
    ...added,
    sessionId: session.id,
    ...firstAttempt,
    state: 'sending' as const,
    serviceId: undefined,
    encryptedTrackingUrl: undefined,
    encryptedBusinessName: undefined,
    campaignId: undefined,
    errors: [],
    finishedAt: undefined,
    erasedAt: undefined,
  };
  if (kind === 'application') {
    return { ...lease, kind, application: { ...application, ...progress } };
  }
  const attachment = {
    ...createAttachment('d1', kind),
    ...firstAttempt,
    ...progress,
    state: 'sending' as const,
    isCategoryChosen: true,
    releaseAt: undefined,
    encryptedName: undefined,
    number: 1,
    bytes: 1,
    serviceId: undefined,
    handoffId: undefined,
    finishedAt: undefined,
  };
  return { ...lease, kind, application: { ...application, state: 'accepted' }, attachment };
}
