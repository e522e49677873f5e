// The options that the host page sets on the element, and the error of its methods.

import type { Application, Business, Owner } from '../shared/application/application.ts';
import type { Locale } from '../shared/application/lists.ts';
import type { FailureCode } from './api/funding-api.ts';
import type { Messages } from './i18n/messages.ts';

/** Options of one form. The settings of the BFF control everything else. */
export interface FundingSettings {
  /** If true, the form has a start page before its first question. Default: `true`. */
  readonly startPage?: boolean;
  /** The campaign id of the application. The BFF's setting `lead.allowedCampaignIds` must contain it. */
  readonly campaignId?: string;
  /** If true, the form uses `<select>` elements instead of comboboxes. Default: `false`; touch screens always use one for the state. */
  readonly simpleControls?: boolean;
}

/**
 * Answers that the host page already knows: an object for each part of the form, with the fields that an application has. All are
 * optional. Numbers can be strings, and digits may have separators.
 */
export type FundingPrefill = Prefill<{
  /** The amount, and what it is for. */
  fundingNeed: Application['fundingNeed'];
  /** The business. */
  business: Business;
  /** The applicant. */
  owner: { [Name in keyof Owner as Exclude<Name, 'birthDate'>]: Owner[Name] } & {
    /** If true, the home address is the address of the business. */
    homeSameAsBusiness: boolean;
    /** The date of birth. */
    birthDate: {
      /** 1 to 12. */
      month: number;
      /** 1 to 31. */
      day: number;
      /** Four digits. */
      year: number;
    };
  };
}>;

type Prefill<Value> = Value extends number
  ? number | string
  : Value extends string | boolean
    ? Value
    : { [Name in keyof Value]?: Prefill<NonNullable<Value[Name]>> };

/** The host page's own texts by language and key. Other texts do not change. */
export type FundingMessages = Readonly<Partial<Record<Locale, Messages>>>;

/**
 * Shows the challenge of the provider with this site key. Resolves with the token of the solved challenge, or with the empty
 * string if the applicant cancels or the provider fails. The element can call the function more than once.
 */
export type SolveChallenge = (siteKey: string) => Promise<string>;

/** The error of the element's methods. */
export class FundingError extends Error {
  override readonly name = 'FundingError';
  /** A problem code of the BFF, or `network` if the BFF did not respond. */
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(`Funding request failed: ${code}`);
    this.code = code;
  }
}
