// The application of the session and the status of its attachments, for several routes. No request names an application.

import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import type { DeliveryWorker } from '../delivery/delivery-worker.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import type { ActiveSession } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Encryption } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow, Store } from '../store/store.ts';

/** Sources of the status of an application or attachment. */
export interface ViewOptions {
  readonly config: Config;
  readonly store: Store;
  readonly encryption: Encryption;
  readonly fundingService: FundingService;
}

export interface WaitOptions {
  readonly store: Store;
  readonly delivery: DeliveryWorker;
  /** Milliseconds that a request waits for the funding service before it answers "received". 0 while the server is busy. */
  readonly getResultTimeoutMs: () => number;
}

/** Finds the session's application. Throws if there is none, or if the funding service rejected it. */
export async function requireActiveApplication(
  store: Store,
  { row }: ActiveSession,
): Promise<ApplicationRow> {
  const application = await store.findCurrentApplication(row.id);
  if (!application) throw new AppError('application-missing');
  if (application.state === 'rejected') throw createRejectedError(application);
  return application;
}

/** The error for an application that was rejected or erased after the request had found it. */
export async function createClosedError(store: Store, applicationId: string): Promise<AppError> {
  const application = await store.findApplication(applicationId);
  return application?.state === 'rejected'
    ? createRejectedError(application)
    : new AppError('application-missing');
}

export function createRejectedError({ errors }: ApplicationRow): AppError {
  return new AppError('application-rejected', { errors });
}

/** Waits for the delivery of an attachment, and returns its row. Before the application is accepted, nothing is delivered. */
export async function waitForAttachment(
  application: ApplicationRow,
  attachment: AttachmentRow,
  { store, delivery, getResultTimeoutMs }: WaitOptions,
): Promise<AttachmentRow> {
  delivery.wake();
  if (application.state !== 'accepted') return attachment;
  await delivery.waitForResult({ table: 'attachment', id: attachment.id }, getResultTimeoutMs());
  const current = await store.findAttachment(attachment.id);
  if (!current) throw new RangeError('The store has lost an attachment');
  return current;
}

/** Lists the attachments of a kind, without erased ones. */
export async function listAttachments(
  store: Store,
  { id }: ApplicationRow,
  kind: AttachmentKind,
): Promise<AttachmentRow[]> {
  const attachments = await store.listAttachments(id, kind);
  return attachments.filter(({ state }) => state !== 'erased');
}

export function toDeliveryStatus({ state }: AttachmentRow): DocumentStatus['status'] {
  if (state === 'accepted') return 'delivered';
  return state === 'rejected' ? 'rejected' : 'received';
}

/** Whether an attempt failed, an operator has to act, or the funding service is known to be unavailable. */
export function isDelayed(
  { state, attempts }: ApplicationRow | AttachmentRow,
  operation: PartnerOperation,
  fundingService: FundingService,
): boolean {
  if (state === 'received') return fundingService.readiness(operation).kind !== 'ready';
  return state === 'waiting' || state === 'held' || (state === 'sending' && attempts > 1);
}
