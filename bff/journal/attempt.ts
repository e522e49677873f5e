// One attempt at delivering one claimed row: opens what was sealed, sends it, and says what is to be recorded.

import {
  documentCategoryIds,
  toDocumentCategoryWire,
} from '../../shared/application/document-categories.ts';
import type { FundingService, Outcome } from '../funding-service/funding-service.ts';
import { toBackoffMs, toUncertainBackoffMs } from './backoff.ts';
import {
  decideApplication,
  decideChild,
  maxUncertainSends,
  type ApplicationDecision,
  type ChildDecision,
  type Retry,
} from './decisions.ts';
import type { ChildRow, Claim, Journal, Settlement } from './journal.ts';
import { chunkPlace, leadPlace, trackingUrlPlace } from './places.ts';
import { openName } from './sealed-name.ts';
import type { Seal, Sealing } from './sealing.ts';

export interface AttemptOptions {
  readonly journal: Journal;
  readonly sealing: Sealing;
  readonly fundingService: FundingService;
  /** Completes one document category. */
  readonly aggregatorName: string;
  /** Whether a tracking address may be shown; the operator is told of one that may not. */
  readonly isTrackingUrlSafe: (url: string) => boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

/** Throws when something here is broken, for example a sealed value; the service's side never throws. */
export async function attemptDelivery(claim: Claim, options: AttemptOptions): Promise<Settlement> {
  const seal = options.sealing.open(claim.application.id, claim.application.key);
  if (claim.kind === 'application') return attemptApplication(claim, seal, options);
  if (claim.child.uncertainAttempts >= maxUncertainSends) return { state: 'held' };
  const outcome = await sendChild(claim.child, toServiceId(claim), seal, options);
  return toChildSettlement(decideChild(outcome, claim.child), claim, options);
}

/**
 * What is recorded when an attempt broke on our side: what was sent then is nothing, or an incomplete request that the
 * service cannot have processed (`Transport`).
 */
export function toBrokenSettlement(claim: Claim, options: AttemptOptions): Settlement {
  return toWaiting({ kind: 'retry', isUncertain: false }, claim, options);
}

async function attemptApplication(
  claim: Extract<Claim, { kind: 'application' }>,
  seal: Seal,
  options: AttemptOptions,
): Promise<Settlement> {
  const { id, sealedLead } = claim.application;
  if (sealedLead === undefined) throw new RangeError('The lead to be sent is gone');
  const leadJson = seal.open(leadPlace(id), sealedLead).toString('utf8');
  const outcome = await options.fundingService.createLead(leadJson, id);
  return toApplicationSettlement(
    decideApplication(outcome, claim.application),
    claim,
    seal,
    options,
  );
}

async function sendChild(
  child: ChildRow,
  serviceId: string,
  seal: Seal,
  { journal, fundingService, aggregatorName }: AttemptOptions,
): Promise<Outcome<string>> {
  const content = () => readContent(journal, seal, child.id);
  if (child.kind === 'asset-report') {
    const pieces: Buffer[] = [];
    for await (const piece of content()) pieces.push(piece);
    const reportJson = Buffer.concat(pieces).toString('utf8');
    return mapAccepted(
      await fundingService.submitAssetReport(serviceId, reportJson),
      ({ assetReportId }) => assetReportId,
    );
  }
  const outcome = await fundingService.uploadFile(serviceId, {
    ...openName(seal, child),
    category: toCategoryWire(child.category, aggregatorName),
    bytes: child.bytes,
    content,
  });
  return mapAccepted(outcome, ({ documentId }) => documentId);
}

async function* readContent(journal: Journal, seal: Seal, childId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const sealed = await journal.readChunk(childId, number);
    if (sealed === undefined) return;
    yield seal.open(chunkPlace(childId, number), sealed);
  }
}

function toApplicationSettlement(
  decision: ApplicationDecision,
  claim: Claim,
  seal: Seal,
  options: AttemptOptions,
): Settlement {
  switch (decision.kind) {
    case 'accepted': {
      const { applicationId, trackingUrl } = decision.lead;
      const place = trackingUrlPlace(claim.application.id);
      return {
        state: 'accepted',
        serviceId: applicationId,
        sealedTrackingUrl: trackingUrl === undefined ? undefined : seal.seal(place, trackingUrl),
        isTrackingUrlRefused: trackingUrl !== undefined && !options.isTrackingUrlSafe(trackingUrl),
      };
    }
    case 'rejected':
      return { state: 'rejected', errors: decision.errors };
    case 'unconfirmed':
      return { state: 'unconfirmed' };
    case 'retry':
      return toWaiting(decision, claim, options);
  }
}

function toChildSettlement(
  decision: ChildDecision,
  claim: Claim,
  options: AttemptOptions,
): Settlement {
  switch (decision.kind) {
    case 'accepted':
      return { state: 'accepted', serviceId: decision.serviceId };
    case 'rejected':
    case 'held':
      return { state: decision.kind };
    case 'retry':
      return toWaiting(decision, claim, options);
  }
}

function toWaiting(
  { isUncertain, retryAfterMs, fault }: Retry,
  claim: Claim,
  { clock, random }: AttemptOptions,
): Settlement {
  const row = claim.kind === 'application' ? claim.application : claim.child;
  const pauseMs =
    isUncertain && claim.kind !== 'application'
      ? toUncertainBackoffMs(row.uncertainAttempts, random)
      : toBackoffMs({ attempts: row.attempts, retryAfterMs, random });
  return { state: 'waiting', nextAt: clock() + pauseMs, isUncertain, fault };
}

function toServiceId({ application }: Claim): string {
  if (application.serviceId === undefined) throw new RangeError('The application has no id yet');
  return application.serviceId;
}

function toCategoryWire(category: string, aggregatorName: string): string {
  const id = documentCategoryIds.find((candidate) => candidate === category);
  if (id === undefined) throw new RangeError('Unknown document category');
  return toDocumentCategoryWire(id, aggregatorName);
}

function mapAccepted<From, To>(outcome: Outcome<From>, map: (value: From) => To): Outcome<To> {
  return outcome.kind === 'accepted' ? { kind: 'accepted', value: map(outcome.value) } : outcome;
}
