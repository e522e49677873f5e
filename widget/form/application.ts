// Turns the draft into the application that is validated and submitted.

import {
  toCalendarDate,
  toMonth,
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../shared/application/normalize-input.ts';
import { consentPath, type Draft } from '../app/draft.ts';

/** The application as typed so far. Texts that can't be parsed stay in it, so that the schema rejects them. */
export function toApplicationCandidate(
  draft: Draft,
  consents: readonly { id: string; version: string }[],
  {
    locale,
    campaignId,
  }: {
    /** The language in which the applicant read the consents. */
    readonly locale?: string | undefined;
    readonly campaignId?: string | undefined;
  } = {},
) {
  return {
    fundingNeed: toFundingNeedCandidate(draft),
    business: toBusinessCandidate(draft),
    owner: toOwnerCandidate(draft),
    consents: consents
      .filter(({ id }) => draft[consentPath(id)] === 'yes')
      .map(({ id, version }) => ({ id, version, locale })),
    signature: { name: valueOf(draft, 'signature/name') },
    campaignId,
  };
}

export function toFundingNeedCandidate(draft: Draft) {
  return {
    amount: toWholeDollars(valueOf(draft, 'fundingNeed/amount')),
    reason: valueOf(draft, 'fundingNeed/reason'),
  };
}

export function toBusinessCandidate(draft: Draft) {
  return {
    name: valueOf(draft, 'business/name'),
    type: valueOf(draft, 'business/type'),
    industry: valueOf(draft, 'business/industry'),
    address: toAddressCandidate(draft, 'business/address'),
    annualRevenue: toWholeDollars(valueOf(draft, 'business/annualRevenue')),
    foundedMonth: toMonth(valueOf(draft, 'business/foundedMonth')),
    foundedDay: toWholeNumber(valueOf(draft, 'business/foundedDay')),
    foundedYear: toWholeNumber(valueOf(draft, 'business/foundedYear')),
    employees: toWholeNumber(valueOf(draft, 'business/employees')),
    taxId: orUndefined(toNineDigits(valueOf(draft, 'business/taxId'))),
  };
}

export function toOwnerCandidate(draft: Draft) {
  const home =
    draft['owner/homeSameAsBusiness'] === 'yes' ? 'business/address' : 'owner/homeAddress';
  const otherManagers = draft['owner/otherManagers'];
  return {
    firstName: valueOf(draft, 'owner/firstName'),
    lastName: valueOf(draft, 'owner/lastName'),
    email: valueOf(draft, 'owner/email'),
    phone: toPhoneDigits(valueOf(draft, 'owner/phone')),
    homeAddress: toAddressCandidate(draft, home),
    birthDate: orUndefined(
      toCalendarDate({
        month: valueOf(draft, 'owner/birthDate/month'),
        day: valueOf(draft, 'owner/birthDate/day'),
        year: valueOf(draft, 'owner/birthDate/year'),
      }),
    ),
    ssn: orUndefined(toNineDigits(valueOf(draft, 'owner/ssn'))),
    creditScore: valueOf(draft, 'owner/creditScore'),
    ownershipPercent: toWholeNumber(valueOf(draft, 'owner/ownershipPercent')),
    otherManagers: otherManagers ? otherManagers === 'yes' : undefined,
  };
}

function toAddressCandidate(draft: Draft, path: string) {
  return {
    street: valueOf(draft, `${path}/street`),
    city: valueOf(draft, `${path}/city`),
    state: valueOf(draft, `${path}/state`),
    zip: toZip(valueOf(draft, `${path}/zip`)),
  };
}

function valueOf(draft: Draft, path: string): string {
  return draft[path] ?? '';
}

function orUndefined(value: string): string | undefined {
  return value === '' ? undefined : value;
}
