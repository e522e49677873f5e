// `POST /v1/contact`: lift a "Do Not Contact" mark, with a consent given for it now.

import * as z from 'zod/mini';
import { consentGivenSchema } from '../application/consent.ts';

/** `consent` names the contact consent's current version; an older or other one is refused. */
export const contactRequestSchema = z.strictObject({ consent: consentGivenSchema });

export const contactAnswerSchema = z.object({ contact: z.literal('enabled') });
