// The types of the built element, as a page or program sees it. The build puts them beside it as one `funding-application.d.ts`
// that imports nothing, so that nothing has to be installed for it; a test holds them to what they describe.

import type {
  ApplicationStatus,
  AssetReportStatus,
  DocumentStatus,
  FailureCode,
  FlowProblem,
  FundingApi,
  Offers,
} from './contract.ts';

export type Locale = 'en' | 'es';

export type StepId =
  | 'start'
  | 'funding-need'
  | 'business'
  | 'owner'
  | 'identity'
  | 'review'
  | 'submitted'
  | 'documents'
  | 'bank'
  | 'offers';

/** An application for business funding: form, documents, bank connection and offers. */
export interface FundingApplication extends HTMLElement {
  /** Origin of the BFF; by default the one the script came from. Read once. */
  bffUrl: string;
  /** By default the colour scheme of the page around the element. */
  theme: 'light' | 'dark' | undefined;
  /** `en` or `es`, also with a region (`es-MX`); by default the nearest `lang` around the element. */
  locale: string | undefined;
  /** `off` keeps nothing in this browser. Read when the element is connected. */
  draft: 'off' | undefined;
  /** Each step is an entry of the browser's history. Read when the element is connected. */
  history: boolean;
  /** Of the heading of each step, 1 to 5; 2 by default. */
  headingLevel: number | undefined;
  /** What the page knows already of its customer. Fields that hold something keep it. */
  prefill: FundingPrefill | undefined;
  /** Texts of the page's own, for example `{ en: { continue: 'Next' } }`. */
  messages: FundingMessages | undefined;
  /** Read when the element is connected. */
  settings: FundingSettings | undefined;
  /** Another way to the BFF. Read when the element is connected. */
  api: FundingApi | undefined;
  /** Shows the challenge of the provider with this site key, and resolves with the token that solving it gives. */
  challenge: SolveChallenge | undefined;

  /** Moves the focus to the heading of the step. */
  focus(): void;
  /** Shows a step that Back, Change or the record leads to; `false` for any other. */
  goTo(step: StepId): boolean;
  /** Clears the answers, also what this browser keeps; `false` where there is nothing to clear. */
  reset(options?: { readonly keepPrefill?: boolean }): boolean;
  /** Ends the session, as "Finish on this computer" does; rejects with a `FundingError`. */
  finish(): Promise<void>;
  /** Gives a complete asset report, as the aggregation provider returns it; rejects with a `FundingError`. */
  submitAssetReport(report: unknown): Promise<AssetReportStatus>;
}

/** What the methods reject with. */
export interface FundingError extends Error {
  readonly name: 'FundingError';
  readonly code: FailureCode;
}

/** The form, or what has become of an earlier application, is shown for the first time. */
export interface FundingReadyEvent extends Event {
  readonly locale: Locale;
}

/** Another step is shown. */
export interface FundingStepEvent extends Event {
  readonly step: StepId;
}

/** The BFF has the application; comes again when its status changes. */
export interface FundingSubmittedEvent extends Event {
  readonly reference: string;
  readonly status: ApplicationStatus['status'];
}

/** The BFF has a file; comes again when it is known what became of it. */
export interface FundingDocumentEvent extends Event {
  readonly number: number;
  /** The id of its category in the BFF's configuration. */
  readonly category: string;
  readonly status: DocumentStatus['status'];
}

/** The lender has decided, or there is another number of offers. */
export interface FundingOffersEvent extends Event {
  readonly decision: Offers['decision'];
  readonly count: number;
}

/** An offer was chosen. `preventDefault()` keeps the tracking address from being opened. */
export interface FundingOfferChosenEvent extends Event {
  readonly offerId: string;
  /** The number under which the form shows it, from 1. */
  readonly position: number;
  readonly trackingUrl: string | undefined;
}

/** Something the applicant wanted did not work, and says why on the screen. */
export interface FundingErrorEvent extends Event {
  readonly code: FlowProblem;
  /** Trying again may help. */
  readonly isRetryable: boolean;
}

/** The applicant has finished on this computer, or has cleared the answers. */
export interface FundingExitEvent extends Event {
  readonly reason: 'finished' | 'cleared';
  readonly step: StepId;
}

/** The applicant wants to connect a bank, and the BFF's `bankConnection` is `host`. */
export type FundingBankRequestEvent = Event;

/** The events by name; what they tell stands on the event itself. */
export interface FundingEventMap {
  'funding-ready': FundingReadyEvent;
  'funding-step': FundingStepEvent;
  'funding-submitted': FundingSubmittedEvent;
  'funding-document': FundingDocumentEvent;
  'funding-offers': FundingOffersEvent;
  'funding-offer-chosen': FundingOfferChosenEvent;
  'funding-error': FundingErrorEvent;
  'funding-exit': FundingExitEvent;
  'funding-bank-request': FundingBankRequestEvent;
}

export interface FundingTagNameMap {
  'funding-application': FundingApplication;
}

/** All of it is optional; the BFF's configuration decides the rest. */
export interface FundingSettings {
  /** `false` leaves out the page before the first step. */
  readonly startPage?: boolean;
  /** One of the BFF's setting `lead.allowedCampaignIds`. */
  readonly campaignId?: string;
  /** Native selects instead of the pickers one types into, on every screen. */
  readonly simpleControls?: boolean;
}

/** Sentences by language and key; unknown keys are told once in the console. */
export type FundingMessages = Readonly<Partial<Record<Locale, FundingSentences>>>;
export type FundingSentences = Readonly<Record<string, string | undefined>>;

export type SolveChallenge = (siteKey: string) => Promise<string>;

/** Fields are shown as if they had been typed, and checked as such; lists take the values of the BFF's configuration. */
export interface FundingPrefill {
  readonly fundingNeed?: {
    /** In whole US dollars. */
    readonly amount?: number | string;
    /** A `value` of `fundingReasons`. */
    readonly reason?: string;
  };
  readonly business?: {
    readonly name?: string;
    /** A `value` of `businessTypes`. */
    readonly type?: string;
    /** One of the service's 67 industries, to the letter. */
    readonly industry?: string;
    /** The EIN. */
    readonly taxId?: string;
    readonly address?: AddressPrefill;
    readonly annualRevenue?: number | string;
    /** 1 to 12. */
    readonly foundedMonth?: number | string;
    readonly foundedDay?: number | string;
    readonly foundedYear?: number | string;
    readonly employees?: number | string;
  };
  readonly owner?: {
    readonly firstName?: string;
    readonly lastName?: string;
    readonly email?: string;
    readonly phone?: string;
    readonly homeAddress?: AddressPrefill;
    readonly homeSameAsBusiness?: boolean;
    readonly birthDate?: {
      readonly month?: number | string;
      readonly day?: number | string;
      readonly year?: number | string;
    };
    readonly ssn?: string;
    /** A `value` of `creditScores`. */
    readonly creditScore?: string;
    readonly ownershipPercent?: number | string;
    readonly otherManagers?: boolean;
  };
}

export interface AddressPrefill {
  readonly street?: string;
  readonly city?: string;
  /** Its two letters. */
  readonly state?: string;
  readonly zip?: string;
}

declare global {
  // Inherited, so that a program that declares the names by itself is not contradicted.
  interface HTMLElementTagNameMap extends FundingTagNameMap {}
  interface HTMLElementEventMap extends FundingEventMap {}
  /** All events bubble out of the shadow root, and may be heard there as well. */
  interface DocumentEventMap extends FundingEventMap {}
}
