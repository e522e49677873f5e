// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import { Hono } from 'hono';
import { contactRequestSchema, type ContactAnswer } from '../../shared/api/contact.ts';
import { contactConsentId, type ConsentGiven } from '../../shared/application/consent.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';
import type { ApplicationRow, ChildRow } from '../journal/records.ts';
import type { Settings } from '../settings.ts';
import { findShownConsent, toConsentRow, type ReadConsent } from './consents.ts';
import { explainClosed, requireLiveApplication } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { toFormPace } from './pace.ts';
import { readJson } from './request-body.ts';
import { viewContact } from './views.ts';
import { waitForChild } from './wait-for-child.ts';

const maxBytes = 4 * 1024;

export function contactRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { config, journal } = dependencies;
  const limits = { maxBytes, pace: toFormPace(dependencies) };

  return new Hono<BffEnv>().post('/', async (c) => {
    const { consent: given } = await readJson(c, contactRequestSchema, limits);
    const application = await requireLiveApplication(journal, c.get('session'));
    const consent = requireContactConsent(config.settings, given);
    const address = dependencies.findClientAddress(c);
    const wish = await keepWish(application, consent, address, dependencies);
    const sent = await waitForChild(application, wish, dependencies);
    // Its application was rejected meanwhile.
    if (sent.state === 'rejected') throw await explainClosed(journal, application.id);
    const { status } = viewContact(sent);
    const answer: ContactAnswer = { contact: status };
    return c.json(answer, status === 'enabled' ? 200 : 202);
  });
}

/** The wish with its consent; the one that is on its way already, if there is one. */
async function keepWish(
  application: ApplicationRow,
  consent: ReadConsent,
  address: string | undefined,
  { journal, sealing, clock, ids }: RouteDependencies,
): Promise<ChildRow> {
  const applicationId = application.id;
  const givenAt = clock();
  const seal = sealing.open(applicationId, application.key);
  const evidence = { applicationId, seal, givenAt, address, createId: ids.createId };
  const result = await journal.addContact(
    { id: ids.createId(), applicationId, createdAt: givenAt },
    toConsentRow(consent, evidence),
  );
  if (result.kind === 'closed') throw await explainClosed(journal, applicationId);
  return result.child;
}

function requireContactConsent(settings: Settings, given: ConsentGiven): ReadConsent {
  const consent = findShownConsent(settings, given);
  if (consent?.id === contactConsentId) return consent;
  throw new AppError('consent-required', { errors: [{ pointer: '/consent', code: 'required' }] });
}
