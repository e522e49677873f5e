// Consents as evidence: only what the applicant was shown counts, and the text they saw is kept.

import { createHash } from 'node:crypto';
import type { Consent, AcceptedConsent } from '../../shared/application/consent.ts';
import type { Locale } from '../../shared/application/application.ts';
import { AppError } from '../runtime/app-error.ts';
import type { ConsentSetting, Settings } from '../config/settings.ts';
import type { ConsentRow } from '../store/store.ts';
import { toAddressAad, type ApplicationCipher } from '../store/encryption.ts';
import { pickLocale, toText } from '../config/localized-text.ts';

type ConsentSettings = Pick<Settings, 'consents' | 'locales'>;

/** A consent with the language that the form was in; where a text is not written in it, the English one was read. */
export interface ReadConsent extends Consent {
  readonly locale: Locale;
}

/** The consents that were given, once each; `consent-required` when a required one is missing or any is not the current text. */
export function checkConsents(
  settings: ConsentSettings,
  given: readonly AcceptedConsent[],
): readonly ReadConsent[] {
  const shown = given.map((consent) => findShownConsent(settings, consent));
  const current = settings.consents.flatMap(
    ({ id }) => shown.find((consent) => consent?.id === id) ?? [],
  );
  const isMissing = settings.consents.some(
    ({ id, required }) => required && !current.some((consent) => consent.id === id),
  );
  if (isMissing || shown.includes(undefined)) {
    throw new AppError('consent-required', {
      errors: [{ pointer: '/consents', code: 'required' }],
    });
  }
  return current;
}

/** In the language in which the applicant read it; `undefined` when there was no such text, or there is another one by now. */
export function findShownConsent(
  { consents, locales }: ConsentSettings,
  { id, version, locale = pickLocale(locales, undefined) }: AcceptedConsent,
): ReadConsent | undefined {
  const consent = consents.find((asked) => id === asked.id && version === asked.version);
  const shownIn = locales.find((offered) => offered === locale);
  return consent && shownIn && { ...toConsent(consent, shownIn), locale: shownIn };
}

export function toConsent(consent: ConsentSetting, locale: Locale): Consent {
  const { links = [], ...rest } = consent;
  const texts = { label: toText(rest.label, locale), text: toText(rest.text, locale) };
  if (links.length === 0) return { ...rest, ...texts };
  const shown = links.map(({ label, url }) => ({
    label: toText(label, locale),
    url: toText(url, locale),
  }));
  return { ...rest, ...texts, links: shown };
}

export interface ConsentContext {
  readonly applicationId: string;
  readonly cipher: ApplicationCipher;
  readonly givenAt: number;
  readonly address: string | undefined;
  readonly createId: () => string;
}

export function toConsentRow(
  consent: ReadConsent,
  { applicationId, cipher, givenAt, address, createId }: ConsentContext,
): ConsentRow {
  const id = createId();
  const text = toEvidence(consent);
  return {
    id,
    applicationId,
    consentId: consent.id,
    version: consent.version,
    text,
    textHash: createHash('sha256').update(text).digest('hex'),
    locale: consent.locale,
    givenAt,
    encryptedAddress: address === undefined ? undefined : cipher.encrypt(toAddressAad(id), address),
  };
}

/** What was read: the words beside the box, an empty line, the full text; where there are links, an empty line and a line for each. */
function toEvidence({ label, text, links = [] }: Consent): string {
  const lines = links.map((link) => `${link.label}: ${link.url}`).join('\n');
  return `${label}\n\n${text}${lines && `\n\n${lines}`}`;
}
