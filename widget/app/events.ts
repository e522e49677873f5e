// The public events of the element. They contain no answer of the applicant. `index.ts` exports everything in this file.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Offers } from '../../shared/api/offers.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import { transientCodes } from '../api/funding-api.ts';
import type { StepId } from './navigation.ts';
import type { FormProblem } from './store.ts';
import type { Locale } from '../../shared/application/lists.ts';

/** Problems after which the same action may succeed. */
const retryableCodes: ReadonlySet<FormProblem> = new Set<FormProblem>([
  ...transientCodes,
  'too-soon',
  'inspection-unavailable',
  'application-pending',
  'challenge-required',
  'challenge-unavailable',
  'submit-unanswered',
  'session-refused',
  'offline',
]);

/** Bubbles out of the shadow root, so that the host page can listen on any ancestor. */
class FundingEvent extends Event {
  constructor(name: string, cancelable = false) {
    super(name, { bubbles: true, composed: true, cancelable });
  }
}

/** The form, or the status of an application that was sent earlier, shows for the first time. */
export class FundingReadyEvent extends FundingEvent {
  static readonly eventName = 'funding-ready';
  /** The language of the form. */
  readonly locale: Locale;

  constructor(locale: Locale) {
    super(FundingReadyEvent.eventName);
    this.locale = locale;
  }
}

/** A step shows: the first one, and each one after that. The event is dispatched after the step is rendered. */
export class FundingStepEvent extends FundingEvent {
  static readonly eventName = 'funding-step';
  /** The name of the step. */
  readonly step: StepId;
  /** The position of the step among all steps of this form, from 0. */
  readonly index: number;

  constructor(step: StepId, index: number) {
    super(FundingStepEvent.eventName);
    this.step = step;
    this.index = index;
  }
}

/** The BFF received the application, or its status changed. */
export class FundingSubmittedEvent extends FundingEvent {
  static readonly eventName = 'funding-submitted';
  /** The reference number of the application. It is also the `ID` of the lead. */
  readonly reference: string;
  /** The short form that the applicant sees and can read aloud, for example `7K4-92M`. The BFF's commands find the application by it. */
  readonly shortReference: string;
  /**
   * `received`: the BFF stored the application and will deliver it. `confirming`: the funding service may have it, but its response
   * was lost. `accepted`: the funding service has it. `rejected`: the funding service rejected it.
   */
  readonly status: ApplicationStatus['status'];

  constructor(reference: string, status: ApplicationStatus['status']) {
    super(FundingSubmittedEvent.eventName);
    this.reference = reference;
    this.shortReference = toShortReference(reference);
    this.status = status;
  }
}

/** The BFF received a document, or its status or its category changed. */
export class FundingDocumentEvent extends FundingEvent {
  static readonly eventName = 'funding-document';
  /** The number of the document within the application, from 1. */
  readonly number: number;
  /** The `id` of a document category of the BFF's configuration. */
  readonly category: string;
  /** `received`: the BFF stored the document. `delivered`: the funding service has it. `rejected`: it was rejected. */
  readonly status: DocumentStatus['status'];

  constructor(number: number, category: string, status: DocumentStatus['status']) {
    super(FundingDocumentEvent.eventName);
    this.number = number;
    this.category = category;
    this.status = status;
  }
}

/** The lender made a decision, or the number of offers changed. */
export class FundingOffersEvent extends FundingEvent {
  static readonly eventName = 'funding-offers';
  /** `pending`: no decision yet, or no offers yet. */
  readonly decision: Offers['decision'];
  /** The number of offers. */
  readonly count: number;

  constructor(decision: Offers['decision'], count: number) {
    super(FundingOffersEvent.eventName);
    this.decision = decision;
    this.count = count;
  }
}

/** The applicant chose an offer. `preventDefault()` stops the browser from opening the tracking URL. */
export class FundingOfferChosenEvent extends FundingEvent {
  static readonly eventName = 'funding-offer-chosen';
  /** The funding service's id of the offer. */
  readonly offerId: string;
  /** The number of the offer that the applicant sees, from 1, in the order of the funding service. */
  readonly position: number;
  /** The funding service's page about the application, if it has one. */
  readonly trackingUrl: string | undefined;

  constructor(offerId: string, position: number, trackingUrl: string | undefined) {
    super(FundingOfferChosenEvent.eventName, true);
    this.offerId = offerId;
    this.position = position;
    this.trackingUrl = trackingUrl;
  }
}

/** An action of the applicant failed, or the funding service rejected the application. The form shows the reason. */
export class FundingErrorEvent extends FundingEvent {
  static readonly eventName = 'funding-error';
  /** The reason. */
  readonly code: FormProblem;
  /** If true, the same action may succeed later. */
  readonly isRetryable: boolean;

  constructor(code: FormProblem) {
    super(FundingErrorEvent.eventName);
    this.code = code;
    this.isRetryable = retryableCodes.has(code);
  }
}

/** The applicant ended the session or cleared the answers. */
export class FundingExitEvent extends FundingEvent {
  static readonly eventName = 'funding-exit';
  /** `finished`: with "Close my application on this device". `cleared`: with "Clear my answers". */
  readonly reason: 'finished' | 'cleared';
  /** The name of the step that the applicant left. */
  readonly step: StepId;

  constructor(reason: 'finished' | 'cleared', step: StepId) {
    super(FundingExitEvent.eventName);
    this.reason = reason;
    this.step = step;
  }
}

/**
 * The applicant wants to connect a bank account, and the BFF's `bankConnection` is `host`. Open your own aggregator, then call
 * `submitAssetReport()` with its report.
 */
export class FundingBankRequestEvent extends FundingEvent {
  static readonly eventName = 'funding-bank-request';

  constructor() {
    super(FundingBankRequestEvent.eventName);
  }
}

declare global {
  interface HTMLElementEventMap {
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
}
