// Consents: what the partner asks for, and what the applicant gave.

import * as z from 'zod/mini';

/** The consent that lets the lender call or write; it is asked again when contact is re-enabled. */
export const contactConsentId = 'contact';

/** A document that a consent speaks of, to be read before it is given. Not every address is one: browsers run `javascript:`. */
const consentLinkSchema = z.strictObject({
  label: z.string(),
  url: z.string().check(z.regex(/^https?:\/\//)),
});

/**
 * A consent as the applicant reads it. `version` changes with every change of `label`, `text` or `links`, in any language, so that
 * what was shown can be proved later. A consent that is not `required` is never a condition of applying (47 CFR 64.1200(f)(9)(i)(B)).
 */
export const consentSchema = z.strictObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/)),
  version: z.string().check(z.minLength(1), z.maxLength(40)),
  label: z.string().check(z.minLength(1), z.maxLength(300)),
  text: z.string().check(z.minLength(1), z.maxLength(20_000)),
  links: z.optional(z.array(consentLinkSchema)),
  required: z.boolean(),
});

export type Consent = z.infer<typeof consentSchema>;

/** A consent the applicant gave: which text, by id, version and language. */
export const acceptedConsentSchema = z.strictObject({
  id: z.string().check(z.maxLength(41)),
  version: z.string().check(z.maxLength(40)),
  /**
   * The `locale` of the configuration that the text came with. Left out where that names none (an earlier BFF refuses it);
   * it then is the text that `GET /v1/configuration` gives to whoever asks for no language.
   */
  locale: z.optional(z.string().check(z.regex(/^[a-z]{2}$/))),
});

export type AcceptedConsent = z.infer<typeof acceptedConsentSchema>;
