// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  contactRequestSchema,
  type ContactResponse,
  contactResponseSchema,
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
import { findShownConsent, toConsentRow, type ReadConsent } from './consents.ts';
import {
  explainClosed,
  requireLiveApplication,
  waitForAttachment,
  type WaitOptions,
} from './current-application.ts';
import { readJson, type TimeOptions, toFormTimeouts } from './request-body.ts';
import { componentRef, describeSchema, json } from './openapi.ts';
import { viewContact } from './views.ts';

const maxBytes = 4 * 1024;

export interface ContactRoutesOptions extends WaitOptions, TimeOptions {
  readonly config: Config;
  readonly encryption: Encryption;
  readonly ids: Ids;
  readonly findClientAddress: FindClientAddress;
}

export function contactRoutes(options: ContactRoutesOptions): Hono<BffEnv> {
  const { config, store } = options;
  const limits = { maxBytes, timeouts: toFormTimeouts(options) };

  return new Hono<BffEnv>().post('/', describeRequest, async (c) => {
    const { consent: given } = await readJson(c, contactRequestSchema, limits);
    const application = await requireLiveApplication(store, c.get('session'));
    const consent = requireContactConsent(config.settings, given);
    const address = options.findClientAddress(c);
    const wish = await keepWish(application, consent, address, options);
    const sent = await waitForAttachment(application, wish, options);
    // Its application was rejected meanwhile.
    if (sent.state === 'rejected') throw await explainClosed(store, application.id);
    const { status } = viewContact(sent);
    const answer: ContactResponse = { contact: status };
    return c.json(answer, status === 'enabled' ? 200 : 202);
  });
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

/** The wish with its consent; the one that is on its way already, if there is one. */
async function keepWish(
  application: ApplicationRow,
  consent: ReadConsent,
  address: string | undefined,
  { store, encryption, clock, ids }: ContactRoutesOptions,
): Promise<AttachmentRow> {
  const applicationId = application.id;
  const givenAt = clock();
  const cipher = encryption.unwrapKey(applicationId, application.key);
  const evidence = { applicationId, cipher, givenAt, address, createId: ids.createId };
  const result = await store.addContactRequest(
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
