// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import * as z from 'zod/mini';
import { consentGivenSchema } from '../application/consent.ts';

/** `consent` names the contact consent's current version; an older or other one is refused. */
export const contactRequestSchema = z.strictObject({ consent: consentGivenSchema });

/**
 * `received`: stored and on its way, or waiting for the application to be accepted; asking again changes nothing. `enabled`:
 * the funding service has lifted the mark. Nothing refuses a contact request: the service documents no such answer.
 */
export const contactStatuses = ['received', 'enabled'] as const;
const contactStatus = z.enum(contactStatuses);

export const contactAnswerSchema = z.object({ contact: contactStatus });

/** The latest wish, as the session tells it. */
export const contactStatusSchema = z.object({ status: contactStatus });

export type ContactAnswer = z.infer<typeof contactAnswerSchema>;
export type ContactStatus = z.infer<typeof contactStatusSchema>;
