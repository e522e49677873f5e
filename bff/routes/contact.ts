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
import { contactConsentId, type AcceptedConsent } from '../../shared/application/consent.ts';
import { AppError } from '../runtime/app-error.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Encryption } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import type { Config } from '../config/config.ts';
import type { Settings } from '../config/settings.ts';
import { findShownConsent, toConsentRow, type ShownConsent } from './consents.ts';
import {
  createClosedError,
  requireActiveApplication,
  waitForAttachment,
  type WaitOptions,
} from './current-application.ts';
import { readJson, type TimeOptions } from './request-body.ts';
import { componentRef, describeSchema, json } from './openapi.ts';

const maxBytes = 4 * 1024;

export interface ContactRoutesOptions extends WaitOptions, TimeOptions {
  readonly config: Config;
  readonly encryption: Encryption;
  readonly ids: Ids;
  readonly findClientAddress: FindClientAddress;
}

export function contactRoutes(options: ContactRoutesOptions): Hono<BffEnv> {
  const { config, store } = options;

  return new Hono<BffEnv>().post('/', describeRequest, async (c) => {
    const body = await readJson(c, contactRequestSchema, maxBytes, options);
    const application = await requireActiveApplication(store, c.get('session'));
    const consent = requireContactConsent(config.settings, body.consent);
    const address = options.findClientAddress(c);
    const request = await storeRequest(application, consent, address, options);
    const current = await waitForAttachment(application, request, options);
    // The application was rejected meanwhile.
    if (current.state === 'rejected') throw await createClosedError(store, application.id);
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

/** Stores the request with its consent, or returns the request that is stored already. */
async function storeRequest(
  { id: applicationId, key }: ApplicationRow,
  consent: ShownConsent,
  address: string | undefined,
  { store, encryption, clock, ids }: ContactRoutesOptions,
): Promise<AttachmentRow> {
  const { createId } = ids;
  const createdAt = clock();
  const cipher = encryption.unwrapKey(applicationId, key);
  const result = await store.addContactRequest(
    { id: createId(), applicationId, createdAt },
    toConsentRow(consent, { applicationId, cipher, givenAt: createdAt, address, createId }),
  );
  if (result.kind === 'closed') throw await createClosedError(store, applicationId);
  return result.attachment;
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
