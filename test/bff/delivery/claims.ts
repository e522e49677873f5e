// Claims with a given progress, for tests of decisions.

import type { Claim, DeliveryKind, DeliveryProgress } from '../../../bff/store/store.ts';

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

/** Default: the first attempt. A decision reads no other column. */
export function createClaim(kind: DeliveryKind, progress: Partial<DeliveryProgress> = {}): Claim {
  const row = { id: 'a1', state: 'sending', errors: [], ...firstAttempt, ...progress };
  const rows = kind === 'application' ? { application: row } : { application: {}, attachment: row };
  return { fencingToken: 1, claimedAt: 0, kind, ...rows } as unknown as Claim;
}
