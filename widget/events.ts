// The public events of the element. No event contains an answer of the applicant.

import type { FlowEvent } from './flow/flow-event.ts';
import type { StepId } from './app/steps.ts';
import type { Locale } from '../shared/application/lists.ts';

type FlowEventOf<Kind extends FlowEvent['kind']> = Extract<FlowEvent, { readonly kind: Kind }>;

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

  constructor(step: StepId) {
    super(FundingStepEvent.eventName);
    this.step = step;
  }
}

/** The BFF received the application, or its status changed. */
export class FundingSubmittedEvent extends FundingEvent {
  static readonly eventName = 'funding-submitted';
  /** The reference number that the applicant sees. It is also the `ID` of the lead. */
  readonly reference: string;
  /**
   * `received`: the BFF stored the application and will deliver it. `confirming`: the funding service may have it, but its response
   * was lost. `accepted`: the funding service has it. `rejected`: the funding service rejected it.
   */
  readonly status: FlowEventOf<'submitted'>['status'];

  constructor({ reference, status }: FlowEventOf<'submitted'>) {
    super(FundingSubmittedEvent.eventName);
    this.reference = reference;
    this.status = status;
  }
}

/** The BFF received a document, or its status changed. */
export class FundingDocumentEvent extends FundingEvent {
  static readonly eventName = 'funding-document';
  /** The number of the document within the application, from 1. */
  readonly number: number;
  /** The `id` of a document category of the BFF's configuration. */
  readonly category: string;
  /** `received`: the BFF stored the document. `delivered`: the funding service has it. `rejected`: it was rejected. */
  readonly status: FlowEventOf<'document'>['status'];

  constructor({ number, category, status }: FlowEventOf<'document'>) {
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
  readonly decision: FlowEventOf<'offers'>['decision'];
  /** The number of offers. */
  readonly count: number;

  constructor({ decision, count }: FlowEventOf<'offers'>) {
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

/** An action of the applicant failed, and the form shows the reason. */
export class FundingErrorEvent extends FundingEvent {
  static readonly eventName = 'funding-error';
  /** The reason. */
  readonly code: FlowEventOf<'problem'>['code'];
  /** Whether the same action may succeed later. */
  readonly isRetryable: boolean;

  constructor({ code, isRetryable }: FlowEventOf<'problem'>) {
    super(FundingErrorEvent.eventName);
    this.code = code;
    this.isRetryable = isRetryable;
  }
}

/** The applicant ended the session or cleared the answers. */
export class FundingExitEvent extends FundingEvent {
  static readonly eventName = 'funding-exit';
  /** `finished`: with "Close my application on this device". `cleared`: with "Clear my answers". */
  readonly reason: FlowEventOf<'exit'>['reason'];
  /** The name of the step that the applicant left. */
  readonly step: StepId;

  constructor({ reason, step }: FlowEventOf<'exit'>) {
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

/** Converts an event of the flow to a DOM event. */
export function toFundingEvent(event: FlowEvent): Event {
  switch (event.kind) {
    case 'submitted':
      return new FundingSubmittedEvent(event);
    case 'document':
      return new FundingDocumentEvent(event);
    case 'offers':
      return new FundingOffersEvent(event);
    case 'problem':
      return new FundingErrorEvent(event);
    case 'exit':
      return new FundingExitEvent(event);
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
