// The application a request is about: always the session's own, since the browser names none.

import type { ActiveSession } from '../middleware/context.ts';
import type { Delivery } from '../delivery/delivery-worker.ts';
import { AppError } from '../runtime/app-error.ts';
import type { ApplicationRow, AttachmentRow, Store } from '../store/store.ts';

/** The session's living application: filed, and not rejected. */
export async function requireLiveApplication(
  store: Store,
  { row }: ActiveSession,
): Promise<ApplicationRow> {
  const application = await store.findCurrentApplication(row.id);
  if (!application) throw new AppError('application-missing');
  if (application.state === 'rejected') throw toRejected(application);
  return application;
}

/** The session's application and its id at the service; `application-pending` before it is accepted. */
export async function requireAcceptedApplication(
  store: Store,
  session: ActiveSession,
): Promise<{ readonly application: ApplicationRow; readonly serviceId: string }> {
  const application = await requireLiveApplication(store, session);
  const { serviceId } = application;
  if (application.state !== 'accepted' || serviceId === undefined) {
    throw new AppError('application-pending');
  }
  return { application, serviceId };
}

/** Why an application that lived when the request came takes nothing any more: refused meanwhile, or erased. */
export async function explainClosed(store: Store, applicationId: string): Promise<AppError> {
  const application = await store.findApplication(applicationId);
  return application?.state === 'rejected'
    ? toRejected(application)
    : new AppError('application-missing');
}

function toRejected({ errors }: ApplicationRow): AppError {
  return new AppError('application-rejected', { errors });
}

export interface WaitOptions {
  readonly store: Store;
  readonly delivery: Delivery;
  /** Milliseconds that a request waits for the funding service before it answers "received". 0 while the server is busy. */
  readonly getResultTimeoutMs: () => number;
}

/** The child as it stands after a short wait; there is nothing to wait for before its application is accepted. */
export async function waitForAttachment(
  application: ApplicationRow,
  attachment: AttachmentRow,
  { store, delivery, getResultTimeoutMs }: WaitOptions,
): Promise<AttachmentRow> {
  delivery.wake();
  if (application.state !== 'accepted') return attachment;
  await delivery.waitForResult({ table: 'attachment', id: attachment.id }, getResultTimeoutMs());
  const settled = await store.findAttachment(attachment.id);
  if (!settled) throw new RangeError('A child has vanished from the store');
  return settled;
}
