// Consents as evidence: checks that the applicant saw the current text, and stores that text.

import { createHash } from 'node:crypto';
import type { Locale } from '../../shared/application/application.ts';
import type { AcceptedConsent, Consent } from '../../shared/application/consent.ts';
import { type ConsentSetting, pickLocale, type Settings, toText } from '../config/settings.ts';
import { AppError } from '../runtime/app-error.ts';
import { type ApplicationCipher, toAddressAad } from '../store/encryption.ts';
import type { ConsentRow } from '../store/store.ts';

type ConsentSettings = Pick<Settings, 'consents' | 'locales'>;

/** A consent in the language of the form. A text without a translation was shown in English. */
export interface ShownConsent extends Consent {
  readonly locale: Locale;
}

/** Returns each given consent once. Throws `consent-required` if a required one is missing, or if any has an outdated text. */
export function checkConsents(
  settings: ConsentSettings,
  given: readonly AcceptedConsent[],
): readonly ShownConsent[] {
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

/** Returns `undefined` if the configuration never had this text, or has a newer version. */
export function findShownConsent(
  { consents, locales }: ConsentSettings,
  { id, version, locale = pickLocale(locales, undefined) }: AcceptedConsent,
): ShownConsent | undefined {
  const consent = consents.find(
    (candidate) => id === candidate.id && version === candidate.version,
  );
  const shownLocale = locales.find((offered) => offered === locale);
  return consent && shownLocale && { ...toConsent(consent, shownLocale), locale: shownLocale };
}

export function toConsent(consent: ConsentSetting, locale: Locale): Consent {
  const { links = [], label, text, ...rest } = consent;
  const toLink = (link: (typeof links)[number]) => ({
    label: toText(link.label, locale),
    url: toText(link.url, locale),
  });
  return {
    ...rest,
    label: toText(label, locale),
    text: toText(text, locale),
    ...(links.length > 0 ? { links: links.map(toLink) } : {}),
  };
}

interface ConsentEvidence extends Pick<ConsentRow, 'applicationId' | 'givenAt'> {
  readonly cipher: ApplicationCipher;
  /** The applicant's IP address, if known. */
  readonly address: string | undefined;
  readonly createId: () => string;
}

export function toConsentRow(
  consent: ShownConsent,
  { cipher, address, createId, ...evidence }: ConsentEvidence,
): ConsentRow {
  const id = createId();
  const text = toShownText(consent);
  return {
    ...evidence,
    id,
    consentId: consent.id,
    version: consent.version,
    text,
    textHash: createHash('sha256').update(text).digest('hex'),
    locale: consent.locale,
    encryptedAddress: address === undefined ? undefined : cipher.encrypt(toAddressAad(id), address),
  };
}

/** The label of the check box, an empty line, and the text. Links follow after another empty line, one per line. */
function toShownText({ label, text, links = [] }: Consent): string {
  const lines = links.map((link) => `${link.label}: ${link.url}`).join('\n');
  return `${label}\n\n${text}${lines && `\n\n${lines}`}`;
}
