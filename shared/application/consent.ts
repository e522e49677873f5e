// Consents: the texts of the partner, and the applicant's acceptance of them.

import * as z from 'zod/mini';

/** A document that the consent refers to. Only HTTP URLs are allowed, because browsers would run a `javascript:` URL. */
const consentLinkSchema = z.strictObject({
  /** The text of the link. */
  label: z.string(),
  /** An `http:` or `https:` URL. */
  url: z.string().check(z.regex(/^https?:\/\//)),
});

/**
 * A consent as shown to the applicant. The partner changes `version` with every change of `label`, `text`, or `links` in any
 * language, so that the accepted text can be proved later. An optional consent is never a condition of the application
 * (47 CFR 64.1200(f)(9)(i)(B)).
 */
export const consentSchema = z.strictObject({
  /** Unique within the configuration. */
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/)),
  /** Changes with each change of the texts. */
  version: z.string().check(z.minLength(1), z.maxLength(40)),
  /** The text of the checkbox. */
  label: z.string().check(z.minLength(1), z.maxLength(300)),
  /** The whole text, shown below the label. */
  text: z.string().check(z.minLength(1), z.maxLength(20_000)),
  /** The documents that the consent refers to. */
  links: z.optional(z.array(consentLinkSchema)),
  /** If true, an application needs it. */
  required: z.boolean(),
});

export type Consent = z.infer<typeof consentSchema>;

/** Identifies the text that the applicant accepted. */
export const acceptedConsentSchema = z.strictObject({
  /** The `id` of the consent. */
  id: z.string().check(z.maxLength(41)),
  /** The `version` of the consent. */
  version: z.string().check(z.maxLength(40)),
  /** The `locale` of the configuration that contained the text. Default: that of `GET /v1/configuration` without `?locale=`. */
  locale: z.optional(z.string().check(z.regex(/^[a-z]{2}$/))),
});

export type AcceptedConsent = z.infer<typeof acceptedConsentSchema>;
