// The options that the host page sets on the element, and the error of its methods.

import type { Locale } from '../shared/application/lists.ts';
import type { FailureCode } from './api/funding-api.ts';
import type { Messages } from './i18n/messages.ts';

/** Options of one form. The settings of the BFF control everything else. */
export interface FundingSettings {
  /** Whether the form has a start page before its first question. Default: `true`. */
  readonly startPage?: boolean;
  /** The campaign id of the application. The BFF's setting `lead.allowedCampaignIds` must contain it. */
  readonly campaignId?: string;
  /** Whether to use `<select>` elements instead of comboboxes. Default: `false`; touch screens always use `<select>` elements. */
  readonly simpleControls?: boolean;
}

/** A US address. */
export interface AddressPrefill {
  readonly street?: string;
  readonly city?: string;
  /** Two letters, for example `PA`. */
  readonly state?: string;
  readonly zip?: string;
}

/** Answers that the host page already knows. All are optional. Numbers can be strings. */
export interface FundingPrefill {
  readonly fundingNeed?: {
    /** In whole US dollars. */
    readonly amount?: number | string;
    /** A `value` of the configuration's `fundingReasons`. */
    readonly reason?: string;
  };
  readonly business?: {
    readonly name?: string;
    /** A `value` of the configuration's `businessTypes`. */
    readonly type?: string;
    /** One of the 67 names in `shared/application/industries.ts`. */
    readonly industry?: string;
    /** The employer identification number (EIN): 9 digits, with or without a hyphen. */
    readonly taxId?: string;
    readonly address?: AddressPrefill;
    /** In whole US dollars. */
    readonly annualRevenue?: number | string;
    /** 1 to 12. */
    readonly foundedMonth?: number | string;
    /** 1 to 31. */
    readonly foundedDay?: number | string;
    /** Four digits. */
    readonly foundedYear?: number | string;
    /** The number of employees. */
    readonly employees?: number | string;
  };
  readonly owner?: {
    readonly firstName?: string;
    readonly lastName?: string;
    readonly email?: string;
    /** A US phone number. */
    readonly phone?: string;
    readonly homeAddress?: AddressPrefill;
    /** Whether the home address is the address of the business. */
    readonly homeSameAsBusiness?: boolean;
    readonly birthDate?: {
      /** 1 to 12. */
      readonly month?: number | string;
      /** 1 to 31. */
      readonly day?: number | string;
      /** Four digits. */
      readonly year?: number | string;
    };
    /** The Social Security number: 9 digits, with or without hyphens. */
    readonly ssn?: string;
    /** A `value` of the configuration's `creditScores`. */
    readonly creditScore?: string;
    /** 0 to 100. */
    readonly ownershipPercent?: number | string;
    /** Whether the business has other owners or managers. */
    readonly otherManagers?: boolean;
  };
}

/** The host page's own texts by language and key. Other texts do not change. */
export type FundingMessages = Readonly<Partial<Record<Locale, Messages>>>;

/**
 * Shows the challenge of the provider with this site key. Resolves with the token of the solved challenge. The element can call the
 * function more than once.
 */
export type SolveChallenge = (siteKey: string) => Promise<string>;

/** The error of the element's methods. */
export class FundingError extends Error {
  override readonly name = 'FundingError';
  /** A problem code of the BFF, or `network` if the BFF did not answer. */
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(`Funding request failed: ${code}`);
    this.code = code;
  }
}
