// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import { Hono } from 'hono';
import { contactRequestSchema, type ContactResponse } from '../../shared/api/attachments.ts';
import { contactConsentId, type AcceptedConsent } from '../../shared/application/consent.ts';
import { AppError } from '../runtime/app-error.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import type { Settings } from '../config/settings.ts';
import { findShownConsent, toConsentRow, type ReadConsent } from './consents.ts';
import { explainClosed, requireLiveApplication, waitForAttachment } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { readJson, toFormPace } from './request-body.ts';
import { viewContact } from './views.ts';

const maxBytes = 4 * 1024;

export function contactRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { config, store } = dependencies;
  const limits = { maxBytes, pace: toFormPace(dependencies) };

  return new Hono<BffEnv>().post('/', async (c) => {
    const { consent: given } = await readJson(c, contactRequestSchema, limits);
    const application = await requireLiveApplication(store, c.get('session'));
    const consent = requireContactConsent(config.settings, given);
    const address = dependencies.findClientAddress(c);
    const wish = await keepWish(application, consent, address, dependencies);
    const sent = await waitForAttachment(application, wish, dependencies);
    // Its application was rejected meanwhile.
    if (sent.state === 'rejected') throw await explainClosed(store, application.id);
    const { status } = viewContact(sent);
    const answer: ContactResponse = { contact: status };
    return c.json(answer, status === 'enabled' ? 200 : 202);
  });
}

/** The wish with its consent; the one that is on its way already, if there is one. */
async function keepWish(
  application: ApplicationRow,
  consent: ReadConsent,
  address: string | undefined,
  { store, encryption, clock, ids }: RouteDependencies,
): Promise<AttachmentRow> {
  const applicationId = application.id;
  const givenAt = clock();
  const cipher = encryption.openCipher(applicationId, application.key);
  const evidence = { applicationId, cipher, givenAt, address, createId: ids.createId };
  const result = await store.addContact(
    { id: ids.createId(), applicationId, createdAt: givenAt },
    toConsentRow(consent, evidence),
  );
  if (result.kind === 'closed') throw await explainClosed(store, applicationId);
  return result.attachment;
}

function requireContactConsent(settings: Settings, given: AcceptedConsent): ReadConsent {
  const consent = findShownConsent(settings, given);
  if (consent?.id === contactConsentId) return consent;
  throw new AppError('consent-required', { errors: [{ pointer: '/consent', code: 'required' }] });
}
