// What the browser is told about rows of the store: a projection, without an identifier of the service.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type {
  BankReportStatus,
  ContactStatus,
  DocumentStatus,
} from '../../shared/api/attachments.ts';
import type { Session } from '../../shared/api/session.ts';
import { documentCategoryIds } from '../../shared/application/document-categories.ts';
import type { Config } from '../config/config.ts';
import { infectedOutcome } from '../delivery/retry-policy.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { StartedSession } from '../middleware/session.ts';
import {
  decryptName,
  type StoredName,
  type Encryption,
  toTrackingUrlAad,
} from '../store/encryption.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow, Store } from '../store/store.ts';

export interface ViewOptions {
  readonly config: Config;
  readonly store: Store;
  readonly encryption: Encryption;
  readonly fundingService: FundingService;
}

/** Everything the browser of this session may know. */
export async function viewSession(
  { session, ...begun }: StartedSession,
  options: ViewOptions,
): Promise<Session> {
  const known = { ...begun, expiresAt: new Date(session.expiresAt).toISOString() };
  const application = await options.store.findCurrentApplication(session.row.id);
  if (!application) return { ...known, ...nothingGiven };
  const report = await findLatest(application, 'bank-report', options);
  const wish = await findLatest(application, 'contact', options);
  return {
    ...known,
    application: viewApplication(application, options),
    documents: await viewDocuments(application, options),
    assetReport: report ? viewAssetReport(report, options) : null,
    // One that was rejected with its application may be given again.
    contact: wish && wish.state !== 'rejected' ? viewContact(wish) : null,
  };
}

/** Where the application stands; the tracking address only where it is safe to follow. */
export function viewApplication(
  application: ApplicationRow,
  options: ViewOptions,
): ApplicationStatus {
  const { id, state, receivedAt, errors } = application;
  const trackingUrl = toSafeTrackingUrl(openTrackingUrl(application, options), options.config);
  return {
    status: toStatus(application),
    reference: id,
    receivedAt: new Date(receivedAt).toISOString(),
    delayed: isDelayed(application, 'create-lead', options),
    ...(trackingUrl ? { trackingUrl } : {}),
    ...(state === 'rejected' ? { errors: [...errors] } : {}),
  };
}

export async function viewDocuments(
  application: ApplicationRow,
  options: ViewOptions,
): Promise<DocumentStatus[]> {
  const documents = await listGiven(application, 'document', options);
  return documents.map((document) => viewDocument(document, application, options));
}

/** Throws when the row is no document. */
export function viewDocument(
  attachment: AttachmentRow,
  application: ApplicationRow,
  options: ViewOptions,
): DocumentStatus {
  const category = documentCategoryIds.find((id) => id === attachment.category);
  if (category === undefined) throw new RangeError('Unknown document category');
  const encrypted = decryptDocumentName(attachment, application, options);
  return {
    number: attachment.number,
    ...(encrypted ? { name: `${encrypted.name}.${encrypted.extension}` } : {}),
    category,
    bytes: attachment.bytes,
    status: toDeliveryStatus(attachment),
    ...(isInfected(attachment) ? { problem: 'document-infected' as const } : {}),
    delayed: isDelayed(attachment, 'upload-file', options),
  };
}

export function viewAssetReport(attachment: AttachmentRow, options: ViewOptions): BankReportStatus {
  return {
    status: toDeliveryStatus(attachment),
    delayed: isDelayed(attachment, 'asset-report', options),
  };
}

export function viewContact({ state }: AttachmentRow): ContactStatus {
  return { status: state === 'accepted' ? 'enabled' : 'received' };
}

const nothingGiven = { application: null, documents: [], assetReport: null, contact: null };

/** What was erased is as if it had never been given. */
async function listGiven(
  { id }: ApplicationRow,
  kind: AttachmentKind,
  { store }: ViewOptions,
): Promise<AttachmentRow[]> {
  const attachments = await store.listAttachments(id, kind);
  return attachments.filter(({ state }) => state !== 'erased');
}

async function findLatest(
  application: ApplicationRow,
  kind: AttachmentKind,
  options: ViewOptions,
): Promise<AttachmentRow | undefined> {
  return (await listGiven(application, kind, options)).at(-1);
}

function openTrackingUrl(
  { id, key, encryptedTrackingUrl }: ApplicationRow,
  { encryption }: ViewOptions,
): string | undefined {
  if (encryptedTrackingUrl === undefined) return undefined;
  return encryption
    .unwrapKey(id, key)
    .decrypt(toTrackingUrlAad(id), encryptedTrackingUrl)
    .toString();
}

/** Names are kept for a shorter time than the record of what was delivered. */
function decryptDocumentName(
  attachment: AttachmentRow,
  { id, key }: ApplicationRow,
  { encryption }: ViewOptions,
): StoredName | undefined {
  if (attachment.encryptedName === undefined) return undefined;
  return decryptName(encryption.unwrapKey(id, key), attachment);
}

function toStatus({ state }: ApplicationRow): ApplicationStatus['status'] {
  switch (state) {
    case 'accepted':
    case 'rejected':
      return state;
    case 'unconfirmed':
      return 'confirming';
    case 'received':
    case 'sending':
    case 'waiting':
    case 'held':
    // Only where it was erased while its applicant waited for the answer; afterwards it is not found.
    case 'erased':
      return 'received';
  }
}

function toDeliveryStatus({ state }: AttachmentRow): DocumentStatus['status'] {
  if (state === 'accepted') return 'delivered';
  return state === 'rejected' ? 'rejected' : 'received';
}

function isInfected({ state, lastOutcome }: AttachmentRow): boolean {
  return state === 'rejected' && lastOutcome === infectedOutcome;
}

/** Tried in vain, given up until an operator looks at it, or not even tried because the service is known to be away. */
function isDelayed(
  { state, attempts }: ApplicationRow | AttachmentRow,
  operation: PartnerOperation,
  { fundingService }: ViewOptions,
): boolean {
  if (state === 'received') return fundingService.readiness(operation).kind !== 'ready';
  return state === 'waiting' || state === 'held' || (state === 'sending' && attempts > 1);
}

/** What browsers and servers are known to take; longer ones lead nowhere. */
const maxLength = 2_048;

/** `undefined` unless it is https (http in the sandbox) and its host is one of the partner's, or the service's own. */
export function toSafeTrackingUrl(
  text: string | undefined,
  { environment, settings, service }: Config,
): string | undefined {
  if (text === undefined || text.length > maxLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSafe =
    url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:');
  const hosts = settings.trackingHosts ?? [new URL(service.baseUrl).host];
  if (!isSafe || !hosts.includes(url.host) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.href;
}
