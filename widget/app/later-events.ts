// The public events of the element from the submission on. They contain no answer of the applicant. `index.ts` exports everything
// in this file.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { Offers } from '../../shared/api/offers.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import { FundingEvent } from './events.ts';

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
    'funding-submitted': FundingSubmittedEvent;
    'funding-document': FundingDocumentEvent;
    'funding-offers': FundingOffersEvent;
    'funding-offer-chosen': FundingOfferChosenEvent;
    'funding-bank-request': FundingBankRequestEvent;
  }
}
