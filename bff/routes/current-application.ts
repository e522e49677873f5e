// The application a request is about: always the session's own, since the browser names none.

import { AppError } from '../app-error.ts';
import type { LivingSession } from '../gate/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { ApplicationRow } from '../journal/records.ts';

/** The session's living application: filed, and not rejected. */
export async function requireLiveApplication(
  journal: Journal,
  { row }: LivingSession,
): Promise<ApplicationRow> {
  const application = await journal.findCurrentApplication(row.id);
  if (!application) throw new AppError('application-missing');
  if (application.state === 'rejected') throw toRejected(application);
  return application;
}

/** The session's application and its id at the service; `application-pending` before it is accepted. */
export async function requireAcceptedApplication(
  journal: Journal,
  session: LivingSession,
): Promise<{ readonly application: ApplicationRow; readonly serviceId: string }> {
  const application = await requireLiveApplication(journal, session);
  const { serviceId } = application;
  if (application.state !== 'accepted' || serviceId === undefined) {
    throw new AppError('application-pending');
  }
  return { application, serviceId };
}

/** Why an application that lived when the request came takes nothing any more: refused meanwhile, or erased. */
export async function explainClosed(journal: Journal, applicationId: string): Promise<AppError> {
  const application = await journal.findApplication(applicationId);
  return application?.state === 'rejected'
    ? toRejected(application)
    : new AppError('application-missing');
}

function toRejected({ errors }: ApplicationRow): AppError {
  return new AppError('application-rejected', { errors });
}
