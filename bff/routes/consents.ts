// Consents as evidence: only what the applicant was shown counts, and the text they saw is kept.

import { createHash } from 'node:crypto';
import type { Consent, ConsentGiven } from '../../shared/application/consent.ts';
import type { Locale } from '../../shared/application/locales.ts';
import { AppError } from '../app-error.ts';
import type { ConsentSetting } from '../form-settings.ts';
import type { ConsentRow } from '../journal/records.ts';
import { addressPlace } from '../journal/places.ts';
import type { Seal } from '../journal/sealing.ts';
import { pickLocale, toText } from '../localized-text.ts';
import type { Settings } from '../settings.ts';

type ConsentSettings = Pick<Settings, 'consents' | 'locales'>;

/** The consents that were given, once each; `consent-required` when a required one is missing or any is not the current text. */
export function checkConsents(
  settings: ConsentSettings,
  given: readonly ConsentGiven[],
): readonly Consent[] {
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
  { id, version, locale = pickLocale(locales, undefined) }: ConsentGiven,
): Consent | undefined {
  const consent = consents.find((asked) => id === asked.id && version === asked.version);
  const shownIn = locales.find((offered) => offered === locale);
  return consent && shownIn && toConsent(consent, shownIn);
}

export function toConsent(consent: ConsentSetting, locale: Locale): Consent {
  const { label, text } = consent;
  return { ...consent, label: toText(label, locale), text: toText(text, locale) };
}

export interface ConsentContext {
  readonly applicationId: string;
  readonly seal: Seal;
  readonly givenAt: number;
  readonly address: string | undefined;
  readonly createId: () => string;
}

/** What is kept is what was read: the words beside the box, an empty line, the full text. */
export function toConsentRow(
  { id: consentId, version, label, text: fullText }: Consent,
  { applicationId, seal, givenAt, address, createId }: ConsentContext,
): ConsentRow {
  const id = createId();
  const text = `${label}\n\n${fullText}`;
  return {
    id,
    applicationId,
    consentId,
    version,
    text,
    textHash: createHash('sha256').update(text).digest('hex'),
    givenAt,
    sealedAddress: address === undefined ? undefined : seal.seal(addressPlace(id), address),
  };
}
