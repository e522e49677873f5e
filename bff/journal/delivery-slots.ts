// What may be claimed now: how many calls of each kind are under way, and which operations the service takes.

import type { FundingService, Operation, Readiness } from '../funding-service/funding-service.ts';
import { deliveryKinds, type DeliveryKind } from './records.ts';

/** Each call of these may be long, and they arrive in heaps. */
const maxOfChildKind = 2;
/** Never taken by children, so that uploads which hang do not keep a new lead waiting. */
const keptForApplications = 2;

const operations: Readonly<Record<DeliveryKind, Operation>> = {
  application: 'create-lead',
  document: 'upload-file',
  'asset-report': 'submit-asset-report',
  contact: 'contact-user',
};

export interface SlotsOptions {
  readonly fundingService: Pick<FundingService, 'readiness'>;
  /** Calls at the same time. */
  readonly maxConcurrent: number;
}

export interface Slots {
  /** Whether one more of the kind may be claimed now. */
  isFree(kind: DeliveryKind): boolean;
  /** The free kinds; the one that has not been taken for longest comes first, so that no backlog shuts out another. */
  listFree(): readonly DeliveryKind[];
  /** Takes one, to be given back by calling the answer. */
  take(kind: DeliveryKind): () => void;
  /** Whether the kind's operation is not to be called now. */
  isPaused(kind: DeliveryKind): boolean;
  /** Milliseconds until the first pause that has a known end is over. */
  findPauseEndMs(): number | undefined;
}

/** All free at first. */
export function createSlots({ fundingService, maxConcurrent }: SlotsOptions): Slots {
  const maxOfChildren = Math.max(1, maxConcurrent - keptForApplications);
  /** One entry for each that is taken. */
  const taken = new Set<{ readonly kind: DeliveryKind; readonly isProbe: boolean }>();
  let order: readonly DeliveryKind[] = deliveryKinds;

  function hasRoom(kind: DeliveryKind): boolean {
    if (taken.size >= maxConcurrent) return false;
    if (kind === 'application') return true;
    const children = [...taken].filter((slot) => slot.kind !== 'application');
    const ofKind = children.filter((slot) => slot.kind === kind);
    return children.length < maxOfChildren && ofKind.length < maxOfChildKind;
  }

  function isFree(kind: DeliveryKind): boolean {
    if (!hasRoom(kind)) return false;
    switch (readinessOf(kind).kind) {
      case 'ready':
        return true;
      case 'probe':
        return ![...taken].some((slot) => slot.kind === kind && slot.isProbe);
      case 'paused':
        return false;
    }
  }

  function readinessOf(kind: DeliveryKind): Readiness {
    return fundingService.readiness(operations[kind]);
  }

  return {
    isFree,
    listFree: () => order.filter(isFree),

    take(kind) {
      const slot = { kind, isProbe: readinessOf(kind).kind === 'probe' };
      taken.add(slot);
      order = [...order.filter((other) => other !== kind), kind];
      return () => taken.delete(slot);
    },

    isPaused: (kind) => readinessOf(kind).kind === 'paused',

    findPauseEndMs() {
      const ends = deliveryKinds
        .map(readinessOf)
        .map((readiness) => (readiness.kind === 'paused' ? readiness.forMs : undefined))
        .filter((ms) => ms !== undefined);
      return ends.length > 0 ? Math.min(...ends) : undefined;
    },
  };
}
