// Consents as evidence: only what the applicant was shown counts, and the text they saw is kept.

import { createHash } from 'node:crypto';
import type { Consent, ConsentGiven } from '../../shared/application/consent.ts';
import { AppError } from '../app-error.ts';
import type { ConsentRow } from '../journal/records.ts';
import { addressPlace } from '../journal/places.ts';
import type { Seal } from '../journal/sealing.ts';

/** The consents that were given, once each; `consent-required` when a required one is missing or any is not the current text. */
export function checkConsents(
  asked: readonly Consent[],
  given: readonly ConsentGiven[],
): readonly Consent[] {
  const current = asked.filter((consent) =>
    given.some(({ id, version }) => id === consent.id && version === consent.version),
  );
  const isKnown = ({ id, version }: ConsentGiven) =>
    current.some((consent) => id === consent.id && version === consent.version);
  const isMissing = asked.some((consent) => consent.required && !current.includes(consent));
  if (isMissing || !given.every(isKnown)) {
    throw new AppError('consent-required', {
      errors: [{ pointer: '/consents', code: 'required' }],
    });
  }
  return current;
}

export interface ConsentContext {
  readonly applicationId: string;
  readonly seal: Seal;
  readonly givenAt: number;
  readonly address: string | undefined;
  readonly createId: () => string;
}

export function toConsentRow(
  { id: consentId, version, text }: Consent,
  { applicationId, seal, givenAt, address, createId }: ConsentContext,
): ConsentRow {
  const id = createId();
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
