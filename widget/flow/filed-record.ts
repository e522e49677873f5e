// What stays of the answers once they are filed: what the review showed, for the page to show and print, and nothing secret.

import { toNineDigits } from '../../shared/application/as-typed.ts';
import type { Consent } from '../../shared/application/consent.ts';
import { consentPath, type Draft } from './draft.ts';

/** Lives as long as the page, and is stored nowhere. */
export interface FiledRecord {
  /** Numbers that are secret are their last four digits. */
  readonly answers: Draft;
  /** Those that were given, in the words that were read. */
  readonly consents: readonly Consent[];
}

const secretPaths = ['business/taxId', 'owner/ssn'];

export function toFiledRecord(draft: Draft, consents: readonly Consent[]): FiledRecord {
  const masked = secretPaths.map((path) => [path, toNineDigits(draft[path] ?? '').slice(-4)]);
  return {
    answers: { ...draft, ...Object.fromEntries(masked) },
    consents: consents.filter(({ id }) => draft[consentPath(id)] === 'yes'),
  };
}
