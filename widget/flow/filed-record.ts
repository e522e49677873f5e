// What stays of the answers once they are filed: what the review showed, for the page to show and print, without secret numbers and without the day of birth.

import type { Configuration } from '../../shared/api/configuration.ts';
import { toNineDigits } from '../../shared/application/normalize-input.ts';
import type { Consent } from '../../shared/application/consent.ts';
import { consentPath, type Draft } from '../app/draft.ts';

/** Lives as long as the page, and is stored nowhere. */
export interface FiledRecord {
  /** Numbers that are secret are their last four digits, and the date of birth is its year. */
  readonly answers: Draft;
  /** Those that were given, in the words that were read. */
  readonly consents: readonly Consent[];
  /** The language of these words; an earlier BFF names none. */
  readonly locale: Configuration['locale'];
}

const secretPaths = ['business/taxId', 'owner/ssn'];
/** Printed paper lies about: the year is enough to see that it was given. */
const leftOut = { 'owner/birthDate/month': '', 'owner/birthDate/day': '' };

export function toFiledRecord(
  draft: Draft,
  { consents, locale }: Pick<Configuration, 'consents' | 'locale'>,
): FiledRecord {
  const masked = secretPaths.map((path) => [path, toNineDigits(draft[path] ?? '').slice(-4)]);
  return {
    answers: { ...draft, ...Object.fromEntries(masked), ...leftOut },
    consents: consents.filter(({ id }) => draft[consentPath(id)] === 'yes'),
    locale,
  };
}
