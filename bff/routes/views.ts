// What the browser is told about rows of the journal: a projection, without an identifier of the service.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { AssetReportStatus, DocumentStatus } from '../../shared/api/documents.ts';
import type { Session } from '../../shared/api/session.ts';
import { documentCategoryIds } from '../../shared/application/document-categories.ts';
import type { LivingSession } from '../gate/context.ts';
import type { ApplicationRow, ChildRow } from '../journal/journal.ts';
import { trackingUrlPlace } from '../journal/places.ts';
import { openName } from '../journal/sealed-name.ts';
import type { Seal } from '../journal/sealing.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toSafeTrackingUrl } from './tracking-url.ts';

/** Everything the browser of this session may know. */
export async function viewSession(
  { row, expiresAt }: LivingSession,
  dependencies: RouteDependencies,
): Promise<Session> {
  const { journal } = dependencies;
  const application = await journal.findCurrentApplication(row.id);
  const end = new Date(expiresAt).toISOString();
  if (!application) return { expiresAt: end, application: null, documents: [], assetReport: null };
  const reports = await journal.listChildren(application.id, 'asset-report');
  const latestReport = reports.at(-1);
  return {
    expiresAt: end,
    application: viewApplication(application, dependencies),
    documents: await viewDocuments(application, dependencies),
    assetReport: latestReport ? viewAssetReport(latestReport) : null,
  };
}

/** Where the application stands; the tracking address only where it is safe to follow. */
export function viewApplication(
  application: ApplicationRow,
  { sealing, config }: RouteDependencies,
): ApplicationStatus {
  const { id, state, sealedTrackingUrl } = application;
  const seal = sealing.open(id, application.key);
  const sent = sealedTrackingUrl && seal.open(trackingUrlPlace(id), sealedTrackingUrl).toString();
  const trackingUrl = toSafeTrackingUrl(sent, config);
  return {
    status: toStatus(application),
    reference: id,
    receivedAt: new Date(application.receivedAt).toISOString(),
    delayed: state === 'waiting' || (state === 'sending' && application.attempts > 1),
    ...(trackingUrl ? { trackingUrl } : {}),
    ...(state === 'rejected' ? { errors: [...application.errors] } : {}),
  };
}

export async function viewDocuments(
  application: ApplicationRow,
  { journal, sealing }: RouteDependencies,
): Promise<DocumentStatus[]> {
  const seal = sealing.open(application.id, application.key);
  const documents = await journal.listChildren(application.id, 'document');
  return documents.map((document) => viewDocument(document, seal));
}

/** Throws when the row is no document. */
export function viewDocument(child: ChildRow, seal: Seal): DocumentStatus {
  const { name, extension } = openName(seal, child);
  const category = documentCategoryIds.find((id) => id === child.category);
  if (category === undefined) throw new RangeError('Unknown document category');
  return {
    number: child.number,
    name: `${name}.${extension}`,
    category,
    bytes: child.bytes,
    status: toDeliveryStatus(child),
  };
}

export function viewAssetReport(child: ChildRow): AssetReportStatus {
  return { status: toDeliveryStatus(child) };
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
      return 'received';
  }
}

function toDeliveryStatus({ state }: ChildRow): DocumentStatus['status'] {
  if (state === 'accepted') return 'delivered';
  return state === 'rejected' ? 'rejected' : 'received';
}
