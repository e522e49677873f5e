// `POST /v1/contact`: removes a "Do Not Contact" mark, with a consent for this request.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  contactRequestSchema,
  type ContactResponse,
  contactResponseSchema,
  type ContactStatus,
  contactStatusSchema,
} from '../../shared/api/attachments.ts';
import type { AcceptedConsent } from '../../shared/application/consent.ts';
import { contactConsentId } from '../../shared/application/lists.ts';
import type { Settings } from '../config/settings.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { createId } from '../runtime/ids.ts';
import type { AttachmentRow } from '../store/store.ts';
import {
  createClosedError,
  findShownConsent,
  requireActiveApplication,
  type ShownConsent,
  toConsentRow,
} from './application.ts';
import { waitForAttachment } from './attachments.ts';
import { componentRef, describeSchema, json } from './openapi.ts';
import { readJson } from './request-body.ts';
import type { SubmissionDependencies } from './route-dependencies.ts';

const maxBytes = 4 * 1024;

export function contactRoutes(options: SubmissionDependencies): Hono<BffEnv> {
  const { config, store, encryption, clock } = options;

  return new Hono<BffEnv>().post('/', describeRequest, async (c) => {
    const body = await readJson(c, contactRequestSchema, maxBytes, options);
    const application = requireActiveApplication(c);
    const consent = requireContactConsent(config.settings, body.consent);
    const applicationId = application.id;
    const createdAt = clock();
    // If an earlier request is not delivered yet, the store adds the consent to that one.
    const result = await store.addContactRequest(
      { id: createId(createdAt), applicationId, createdAt },
      toConsentRow(consent, {
        applicationId,
        cipher: encryption.unwrapKey(applicationId, application.key),
        givenAt: createdAt,
        address: options.findClientAddress(c),
      }),
    );
    if (result.kind === 'closed') throw await createClosedError(store, applicationId);
    const current = await waitForAttachment(application, result.attachment, options);
    // The application was rejected meanwhile.
    if (current.state === 'rejected') throw await createClosedError(store, applicationId);
    const { status } = viewContact(current);
    const response: ContactResponse = { contact: status };
    return c.json(response, status === 'enabled' ? 200 : 202);
  });
}

export function viewContact({ state }: AttachmentRow): ContactStatus {
  return { status: state === 'accepted' ? 'enabled' : 'received' };
}

function requireContactConsent(settings: Settings, given: AcceptedConsent): ShownConsent {
  const consent = findShownConsent(settings, given);
  if (consent?.id === contactConsentId) return consent;
  throw new AppError('consent-required', { errors: [{ pointer: '/consent', code: 'required' }] });
}

const contactStatus = '`received`: stored, not delivered yet. `enabled`: contact is allowed again.';
describeSchema('ContactStatus', contactStatusSchema, { status: contactStatus });
describeSchema('ContactAnswer', contactResponseSchema, { contact: contactStatus });
describeSchema('ContactRequest', contactRequestSchema, {
  'consent.id': {
    enum: [contactConsentId],
    description: 'The contact consent of the configuration.',
  },
  'consent.version': 'The `version` of the contact consent in the configuration.',
  'consent.locale': componentRef('schemas/Locale'),
});

const describeRequest = describeRoute({
  summary: 'Allow contact again',
  description:
    'Removes a "Do Not Contact" mark. Needs the current contact consent, given for this request. Repeating the request is safe.',
  requestBody: { required: true, ...json(contactRequestSchema) },
  responses: {
    200: { description: 'The funding service allows contact.', ...json(contactResponseSchema) },
    202: { description: 'The BFF stored it and will deliver it.', ...json(contactResponseSchema) },
  },
});
