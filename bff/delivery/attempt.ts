// One attempt at delivering one claimed row: opens what was sealed, sends it, and says what is to be recorded.

import {
  documentCategoryIds,
  toDocumentCategoryWire,
} from '../../shared/application/document-categories.ts';
import type { Scan, ScanDocument } from '../documents/clamd.ts';
import type { FundingService, Outcome } from '../funding-service/funding-service.ts';
import { verifyReference } from '../funding-service/funding-service.ts';
import {
  type ApplicationDecision,
  type ContactDecision,
  type ContentDecision,
  countUncertain,
  decideApplication,
  decideContact,
  decideContent,
  type DeliveryResult,
  infectedOutcome,
  maxUncertainSends,
  toOutcomeCode,
  toProgress,
  toWaiting,
} from './retry-policy.ts';
import type { AttachmentRow, Claim, Store } from '../store/store.ts';
import {
  toLeadAad,
  decryptName,
  readContent,
  type ApplicationCipher,
  type Encryption,
  toTrackingUrlAad,
} from '../store/encryption.ts';

/** A row that was being sent each time the process ended may be why it ended. */
const maxInterruptions = 10;

export interface AttemptOptions {
  readonly store: Store;
  readonly encryption: Encryption;
  readonly fundingService: FundingService;
  /** Completes one document category. */
  readonly aggregatorName: string;
  /** Asks a virus scanner about each document before it is sent; default nobody is asked. */
  readonly scanDocument?: ScanDocument | undefined;
  /** Whether a tracking address may be shown; the operator is told of one that may not. */
  readonly isTrackingUrlSafe: (url: string) => boolean;
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

type ApplicationClaim = Extract<Claim, { kind: 'application' }>;
type AttachmentClaim = Exclude<Claim, ApplicationClaim>;

/** Throws when something here is broken, for example a sealed value; the service's side never throws. */
export async function attemptDelivery(
  claim: Claim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  if (toProgress(claim).interruptions >= maxInterruptions) {
    return { state: 'held', reason: 'interrupted', isUncertain: false };
  }
  if (claim.kind === 'application') return attemptApplication(claim, options);
  if (claim.kind === 'contact') return attemptContact(claim, options);
  return attemptContent(claim, options);
}

/**
 * What is recorded when an attempt broke on our side: what was sent then is nothing, or an incomplete request that the
 * service cannot have processed (`Transport`).
 */
export function toBrokenResult(claim: Claim, options: AttemptOptions): DeliveryResult {
  return toWaiting({ kind: 'retry', isUncertain: false }, 'broken', claim, options);
}

async function attemptApplication(
  claim: ApplicationClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  const { id, encryptedLead } = claim.application;
  if (encryptedLead === undefined) throw new RangeError('The lead to be sent is gone');
  const cipher = createCipher(claim, options);
  const leadJson = cipher.decrypt(toLeadAad(id), encryptedLead).toString('utf8');
  const outcome = await options.fundingService.createLead(leadJson, id);
  const decision = decideApplication(outcome, claim.application);
  switch (decision.kind) {
    case 'accepted':
      return toAcceptedLead(decision.lead, claim, cipher, options);
    case 'rejected':
      return { state: 'rejected', errors: decision.errors, outcome: toOutcomeCode(outcome) };
    case 'unconfirmed':
      return confirmCandidate(decision, claim, options);
    case 'held':
      return {
        state: 'held',
        reason: 'uncertain',
        isUncertain: false,
        outcome: toOutcomeCode(outcome),
      };
    case 'retry':
      return toWaiting(decision, toOutcomeCode(outcome), claim, options);
  }
}

function toAcceptedLead(
  { applicationId, trackingUrl }: Extract<ApplicationDecision, { kind: 'accepted' }>['lead'],
  claim: ApplicationClaim,
  cipher: ApplicationCipher,
  options: AttemptOptions,
): DeliveryResult {
  const aad = toTrackingUrlAad(claim.application.id);
  return {
    state: 'accepted',
    serviceId: applicationId,
    encryptedTrackingUrl: trackingUrl === undefined ? undefined : cipher.encrypt(aad, trackingUrl),
    isTrackingUrlRefused: trackingUrl !== undefined && !options.isTrackingUrlSafe(trackingUrl),
  };
}

/**
 * The service may have said under which id it has the lead; only its echo of our reference is believed. Without an answer the
 * lead is sent again later, since the same refusal will bring the same id.
 */
async function confirmCandidate(
  { candidateId }: Extract<ApplicationDecision, { kind: 'unconfirmed' }>,
  claim: ApplicationClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  if (candidateId === undefined) return { state: 'unconfirmed' };
  const proof = await verifyReference(options.fundingService, candidateId, claim.application.id);
  switch (proof) {
    case 'verified':
      return { state: 'accepted', serviceId: candidateId };
    case 'refuted':
      return { state: 'unconfirmed' };
    case 'unanswered':
      return toWaiting({ kind: 'retry', isUncertain: true }, 'duplicate-id', claim, options);
  }
}

async function attemptContact(
  claim: AttachmentClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  const outcome = await options.fundingService.contactUser(toServiceId(claim));
  return toAttachmentResult(decideContact(outcome), toOutcomeCode(outcome), claim, options);
}

/** What was interrupted too often counts as sent too often. */
async function attemptContent(
  claim: AttachmentClaim,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  if (countUncertain(claim.attachment) >= maxUncertainSends) {
    return { state: 'held', reason: 'uncertain', isUncertain: false };
  }
  const scan = await scanContent(claim, options);
  if (scan === 'infected') return { state: 'rejected', outcome: infectedOutcome };
  // Nothing was sent, and nothing is while nobody can say that it is clean.
  if (scan !== 'clean')
    return toWaiting({ kind: 'retry', isUncertain: false }, scan, claim, options);
  const outcome = await sendContent(claim, options);
  const decision = decideContent(outcome, claim.attachment);
  return toAttachmentResult(decision, toOutcomeCode(outcome), claim, options);
}

/** Reports come from the bank's own interface, as text that was read whole. */
async function scanContent(claim: AttachmentClaim, options: AttemptOptions): Promise<Scan> {
  const { store, scanDocument } = options;
  const { attachment } = claim;
  if (!scanDocument || attachment.kind !== 'document') return 'clean';
  return scanDocument(readContent(store, createCipher(claim, options), attachment.id));
}

async function sendContent(
  claim: AttachmentClaim,
  options: AttemptOptions,
): Promise<Outcome<string>> {
  const { store, fundingService, aggregatorName } = options;
  const { attachment } = claim;
  const serviceId = toServiceId(claim);
  const cipher = createCipher(claim, options);
  const content = () => readContent(store, cipher, attachment.id);
  if (attachment.kind === 'bank-report') {
    const reportJson = await readText(content());
    return mapAccepted(
      await fundingService.submitAssetReport(serviceId, reportJson),
      ({ assetReportId }) => assetReportId,
    );
  }
  const { name, extension } = decryptName(cipher, attachment);
  const outcome = await fundingService.uploadFile(serviceId, {
    name,
    extension,
    category: toCategoryWire(attachment, aggregatorName),
    bytes: attachment.bytes,
    content,
  });
  return mapAccepted(outcome, ({ documentId }) => documentId);
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function toAttachmentResult(
  decision: ContactDecision | ContentDecision,
  outcome: string,
  claim: AttachmentClaim,
  options: AttemptOptions,
): DeliveryResult {
  switch (decision.kind) {
    case 'accepted':
      // The service gives a contact no id.
      return { state: 'accepted', serviceId: 'serviceId' in decision ? decision.serviceId : '' };
    case 'rejected':
      return { state: 'rejected', outcome };
    case 'held':
      return { state: 'held', reason: 'uncertain', isUncertain: true, outcome };
    case 'retry':
      return toWaiting(decision, outcome, claim, options);
  }
}

function createCipher({ application }: Claim, { encryption }: AttemptOptions): ApplicationCipher {
  return encryption.unwrapKey(application.id, application.key);
}

function toServiceId({ application }: Claim): string {
  if (application.serviceId === undefined) throw new RangeError('The application has no id yet');
  return application.serviceId;
}

function toCategoryWire({ category }: AttachmentRow, aggregatorName: string): string {
  const id = documentCategoryIds.find((candidate) => candidate === category);
  if (id === undefined) throw new RangeError('Unknown document category');
  return toDocumentCategoryWire(id, aggregatorName);
}

function mapAccepted<From, To>(outcome: Outcome<From>, map: (value: From) => To): Outcome<To> {
  return outcome.kind === 'accepted' ? { kind: 'accepted', value: map(outcome.value) } : outcome;
}
