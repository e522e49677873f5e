// One attempt: decrypts a row, sends it to the funding service, and turns the outcome into the result to record.

import { text } from 'node:stream/consumers';
import { toDocumentCategoryWire } from '../../shared/application/document-categories.ts';
import type { ScanDocument } from '../documents/clamd.ts';
import {
  type FundingService,
  type Outcome,
  verifyReference,
} from '../funding-service/funding-service.ts';
import { freeChunks } from '../runtime/free-memory.ts';
import { readContent } from '../store/content.ts';
import { type ApplicationCipher, decryptName, type Encryption } from '../store/encryption.ts';
import type { Claim, Store } from '../store/store.ts';
import {
  countUncertain,
  decide,
  type DeliveryResult,
  getProgress,
  maxUncertainSends,
  retryLater,
} from './retry-policy.ts';

/** A row that was being sent each time when the process ended may be the cause. */
const maxInterruptions = 10;

/** Outcome of a document in which the virus scanner found malware. */
export const infectedOutcome = 'infected';

export interface AttemptOptions {
  readonly store: Store;
  readonly encryption: Encryption;
  readonly fundingService: FundingService;
  /** Part of the name of one document category. */
  readonly aggregatorName: string;
  /** Scans each document before each attempt. Default: no scan. */
  readonly scanDocument?: ScanDocument | undefined;
  /** Returns true if applicants may be sent to this tracking URL. */
  readonly isTrackingUrlSafe: (url: string) => boolean;
  /** At least 0 and below 1. */
  readonly random: () => number;
}

type ApplicationClaim = Extract<Claim, { kind: 'application' }>;
type AttachmentClaim = Exclude<Claim, ApplicationClaim>;

/** Throws only for errors on our side, such as a value that cannot be decrypted. */
export async function attemptDelivery(
  claim: Claim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  if (getProgress(claim).interruptions >= maxInterruptions) {
    return { state: 'held', reason: 'interrupted', isUncertain: false };
  }
  return claim.kind === 'application'
    ? attemptApplication(claim, options)
    : attemptAttachment(claim, options);
}

async function attemptApplication(
  claim: ApplicationClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  const { fundingService, isTrackingUrlSafe, random } = options;
  const { id, encryptedLead } = claim.application;
  if (encryptedLead === undefined) throw new RangeError('The application has no lead');
  const cipher = openCipher(claim, options);
  const leadJson = cipher.decrypt('lead', id, encryptedLead).toString('utf8');
  const outcome = await fundingService.createLead(leadJson, id);
  if (outcome.kind === 'accepted') {
    const { applicationId: serviceId, trackingUrl } = outcome.value;
    if (trackingUrl === undefined) return { state: 'accepted', serviceId };
    const encryptedTrackingUrl = cipher.encrypt('trackingUrl', id, trackingUrl);
    const isTrackingUrlRefused = !isTrackingUrlSafe(trackingUrl);
    return { state: 'accepted', serviceId, encryptedTrackingUrl, isTrackingUrlRefused };
  }
  const candidateId = outcome.kind === 'refused' ? outcome.refusal.candidateId : undefined;
  if (candidateId !== undefined) {
    const check = await verifyReference(fundingService, candidateId, id);
    if (check === 'verified') return { state: 'accepted', serviceId: candidateId };
    // The next attempt is refused with the same id, which can be verified then.
    if (check === 'unanswered') {
      return retryLater(claim, { outcome: 'duplicate-id', isUncertain: true }, random);
    }
  }
  return decide(outcome, claim, random);
}

async function attemptAttachment(
  claim: AttachmentClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  const { store, scanDocument, random } = options;
  // An interrupted attempt counts as an uncertain one.
  if (claim.kind !== 'contact' && countUncertain(claim) >= maxUncertainSends) {
    return { state: 'held', reason: 'uncertain', isUncertain: false };
  }
  const readAttachment = () => readContent(store, openCipher(claim, options), claim.attachment.id);
  // Bank reports are not scanned: they are JSON that was parsed when it came in.
  if (scanDocument && claim.kind === 'document') {
    const scan = await scanDocument(readAttachment());
    if (scan === 'infected') return { state: 'rejected', outcome: infectedOutcome };
    // Only a clean document is sent.
    if (scan !== 'clean') return retryLater(claim, { outcome: scan }, random);
  }
  const outcome = await sendAttachment(claim, readAttachment, options);
  if (outcome.kind !== 'accepted') return decide(outcome, claim, random);
  return { state: 'accepted', serviceId: outcome.value };
}

/** The value of the outcome is the id of the attachment at the funding service. A contact request has none. */
async function sendAttachment(
  claim: AttachmentClaim,
  content: () => AsyncIterable<Buffer>,
  options: AttemptOptions,
): Promise<Outcome<string>> {
  const { fundingService, aggregatorName } = options;
  const { application, attachment } = claim;
  const { serviceId: applicationId } = application;
  if (applicationId === undefined) throw new RangeError('The application has no ApplicationID');
  switch (attachment.kind) {
    case 'contact':
      return fundingService.contactUser(applicationId);
    case 'bank-report':
      return fundingService.submitAssetReport(applicationId, await text(content()));
    case 'document': {
      const { name, extension } = decryptName(openCipher(claim, options), attachment);
      const category = toDocumentCategoryWire(attachment.category, aggregatorName);
      const { bytes } = attachment;
      const file = { name, extension, category, bytes, content: () => freeChunks(content()) };
      return fundingService.uploadFile(applicationId, file);
    }
  }
}

function openCipher({ application }: Claim, { encryption }: AttemptOptions): ApplicationCipher {
  return encryption.unwrapKey(application.id, application.key);
}
