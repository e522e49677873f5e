// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import { Hono } from 'hono';
import type * as z from 'zod/mini';
import { contactRequestSchema, type contactAnswerSchema } from '../../shared/api/contact.ts';
import {
  contactConsentId,
  type Consent,
  type ConsentGiven,
} from '../../shared/application/consent.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import { toConsentRow } from './consents.ts';
import { requireAcceptedApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toFormPace } from './pace.ts';
import { readJson } from './request-body.ts';
import { requireAccepted } from './service-outcome.ts';

const maxBytes = 4 * 1024;

export function contactRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { config, journal, sealing, fundingService, clock, ids } = dependencies;
  const limits = { maxBytes, pace: toFormPace(dependencies) };
  const { consents } = config.settings;

  return new Hono<BffEnv>().post('/', async (c) => {
    const { consent: given } = await readJson(c, contactRequestSchema, limits);
    const session = c.get('session');
    const { application, serviceId } = await requireAcceptedApplication(journal, session);
    const consent = requireContactConsent(consents, given);
    const evidence = {
      applicationId: application.id,
      seal: sealing.open(application.id, application.key),
      givenAt: clock(),
      address: dependencies.findClientAddress(c),
      createId: ids.createId,
    };
    // Kept before it is acted upon; that the service then fails does not unsay it.
    await journal.addConsent(toConsentRow(consent, evidence));
    requireAccepted(await fundingService.contactUser(serviceId), 'contact-refused');
    const answer: z.infer<typeof contactAnswerSchema> = { contact: 'enabled' };
    return c.json(answer);
  });
}

function requireContactConsent(consents: readonly Consent[], given: ConsentGiven): Consent {
  const consent = consents.find(({ id }) => id === contactConsentId);
  if (consent && given.id === consent.id && given.version === consent.version) return consent;
  throw new AppError('consent-required', { errors: [{ pointer: '/consent', code: 'required' }] });
}
